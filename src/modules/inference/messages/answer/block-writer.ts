import type { ChatDelta, ToolCallDelta } from '../../../providers/chat-completion.js';
import { type JsonObject, textOf } from '../../../providers/json-values.js';
import { ProviderError } from '../../../providers/provider-error.js';
import { isOfMessagesForm } from '../../../providers/protocols/anthropic/thinking-blocks.js';
import { toolUseId } from '../../../providers/protocols/anthropic/tool-use.js';
import type { StreamEvent } from '../../answer/event-stream.js';
import { newText } from './answer-blocks.js';

/** Writes the blocks of a streamed message one behind the other, and begins the next when something else comes. */
export class BlockWriter {
  /** What the open block is a part of: text, a thought by its number, a call by its number. */
  private open: string | undefined;
  private blocks = 0;
  /** The calls whose blocks have begun, by their numbers. */
  private readonly calls = new Set<number>();

  /** @throws ProviderError where a call goes on whose block has ended */
  write({ content, refusal, reasoning, reasoning_details: details, tool_calls: calls }: ChatDelta): StreamEvent[] {
    const own = details?.filter(isOfMessagesForm) ?? [];
    return [
      ...(own.length > 0 ? own.flatMap((detail) => this.thought(detail)) : this.unsigned(textOf(reasoning))),
      ...this.text(textOf(content)),
      ...this.text(textOf(refusal)),
      ...(calls ?? []).flatMap((call) => this.call(call)),
    ];
  }

  /** Ends the open block. */
  close(): StreamEvent[] {
    if (this.open === undefined) return [];
    this.open = undefined;
    return [this.event('content_block_stop')];
  }

  private text(text: string | undefined): StreamEvent[] {
    if (text === undefined) return [];
    return [...this.begin('text', newText('')), this.delta({ type: 'text_delta', text })];
  }

  private unsigned(thinking: string | undefined): StreamEvent[] {
    if (thinking === undefined) return [];
    return [...this.begin('thought', NEW_THOUGHT), this.delta({ type: 'thinking_delta', thinking })];
  }

  private thought({ type, index, data, text, signature }: JsonObject): StreamEvent[] {
    const name = `thought ${String(index)}`;
    if (type === 'reasoning.encrypted') return this.begin(name, { type: 'redacted_thinking', data });
    const events = this.begin(name, NEW_THOUGHT);
    if (textOf(text) !== undefined) events.push(this.delta({ type: 'thinking_delta', thinking: text }));
    if (textOf(signature) !== undefined) events.push(this.delta({ type: 'signature_delta', signature }));
    return events;
  }

  private call({ index, id, function: called }: ToolCallDelta): StreamEvent[] {
    const name = `call ${index}`;
    if (this.open !== name && this.calls.has(index)) {
      throw new ProviderError('invalid', 'The provider went on with a call that it had left.');
    }
    this.calls.add(index);
    const call = { type: 'tool_use', id: toolUseId(id ?? `call_${index}`), name: called?.name ?? '', input: {} };
    const events = this.begin(name, { ...call, caller: { type: 'direct' } });
    const json = textOf(called?.arguments);
    if (json !== undefined) events.push(this.delta({ type: 'input_json_delta', partial_json: json }));
    return events;
  }

  /** Begins a block, unless it is the open one. */
  private begin(name: string, block: JsonObject): StreamEvent[] {
    if (this.open === name) return [];
    const events = this.close();
    this.open = name;
    this.blocks += 1;
    return [...events, this.event('content_block_start', { content_block: block })];
  }

  private delta(delta: JsonObject): StreamEvent {
    return this.event('content_block_delta', { delta });
  }

  private event(type: string, fields: JsonObject = {}): StreamEvent {
    return { event: type, data: { type, index: this.blocks - 1, ...fields } };
  }
}

const NEW_THOUGHT = { type: 'thinking', thinking: '', signature: '' };
