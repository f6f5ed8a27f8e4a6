import { BODY_BOUNDS, parsedWithin } from '../../../../api/input/json-bounds.js';
import type { ChatDelta, ToolCallDelta } from '../../../providers/chat-completion.js';
import { type JsonObject, nonEmptyText } from '../../../providers/json-values.js';
import { ProviderError } from '../../../providers/provider-error.js';
import { isOfMessagesForm } from '../../../providers/protocols/anthropic/thinking-blocks.js';
import { toolUseId } from '../../../providers/protocols/anthropic/tool-use.js';
import type { StreamEvent } from '../../answer/event-stream.js';
import { newText } from './answer-blocks.js';
import { HeldCalls } from './held-calls.js';

/** How much of the arguments of an open call is kept, in characters, to see whether they are whole. */
const MAXIMUM_KEPT_LENGTH = 1024 * 1024;

/**
 * Writes the blocks of a streamed message one after the other, and begins the next when something else comes. A call that
 * begins while another is not whole waits until the end, and so does one that begins without its name.
 */
export class BlockWriter {
  /** What the open block is a part of: text, a thought by its number, a call by its number. */
  private open: string | undefined;
  private blocks = 0;
  /** The calls whose blocks have begun, by their numbers. */
  private readonly calls = new Set<number>();
  /** The numbers of these calls that have no arguments yet. */
  private readonly callsWithoutArguments = new Set<number>();
  private readonly held = new HeldCalls();
  /** The arguments of the open call; undefined where they are too long to be kept. */
  private kept: string | undefined;

  /** Characters of what is kept. */
  get keptLength(): number {
    return this.held.size + (this.kept?.length ?? 0);
  }

  /** Writes a piece of an answer. @throws ProviderError if a call continues after its block has ended, or if too much waits */
  write({ content, refusal, reasoning, reasoning_details: details, tool_calls: calls }: ChatDelta): StreamEvent[] {
    const own = details?.filter(isOfMessagesForm) ?? [];
    return [
      ...(own.length > 0 ? own.flatMap((detail) => this.thought(detail)) : this.unsigned(nonEmptyText(reasoning))),
      ...this.text(nonEmptyText(content)),
      ...this.text(nonEmptyText(refusal)),
      ...(calls ?? []).flatMap((call) => this.call(call)),
    ];
  }

  /** Ends the open block, and writes the calls that have waited for it. */
  finish(): StreamEvent[] {
    const events = this.close();
    for (const call of this.held.taken()) {
      for (const event of this.callBlock(call)) events.push(event);
      for (const event of this.close()) events.push(event);
    }
    return events;
  }

  /** Ends the open block. */
  private close(): StreamEvent[] {
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
    if (nonEmptyText(text) !== undefined) events.push(this.delta({ type: 'thinking_delta', thinking: text }));
    if (nonEmptyText(signature) !== undefined) events.push(this.delta({ type: 'signature_delta', signature }));
    return events;
  }

  private call(piece: ToolCallDelta): StreamEvent[] {
    const { index, function: called } = piece;
    if (this.open === nameOf(index)) return this.callBlock(piece);
    if (this.calls.has(index)) {
      if (this.isNothingNew(piece)) return [];
      throw new ProviderError('invalid', 'The provider went on with a call that it had left.');
    }
    if (!this.mustWait(index) && nonEmptyText(called?.name) !== undefined) return this.callBlock(piece);
    this.held.add(piece);
    return [];
  }

  /** Writes a piece into the block of its call, which it may begin. */
  private callBlock({ index, id, function: called }: ToolCallDelta): StreamEvent[] {
    if (!this.calls.has(index)) this.callsWithoutArguments.add(index);
    this.calls.add(index);
    const call = { type: 'tool_use', id: toolUseId(id ?? `call_${index}`), name: called?.name ?? '', input: {} };
    const events = this.begin(nameOf(index), { ...call, caller: { type: 'direct' } });
    const json = nonEmptyText(called?.arguments);
    if (json === undefined) return events;
    this.callsWithoutArguments.delete(index);
    this.keep(json);
    return [...events, this.delta({ type: 'input_json_delta', partial_json: json })];
  }

  /** Whether the block of a call that was left says it all: one without arguments has the same input as one with none. */
  private isNothingNew({ index, function: called }: ToolCallDelta): boolean {
    const json = nonEmptyText(called?.arguments);
    return json === undefined || (json === '{}' && this.callsWithoutArguments.has(index));
  }

  /** Whether a call that is not the open one has to wait: the open call may go on, unless its arguments are whole. */
  private mustWait(index: number): boolean {
    if (this.held.has(index)) return true;
    return this.open?.startsWith(CALL) === true && (!this.held.isEmpty || !isWhole(this.kept));
  }

  private keep(json: string): void {
    if (this.kept === undefined) return;
    this.kept = this.kept.length + json.length > MAXIMUM_KEPT_LENGTH ? undefined : this.kept + json;
  }

  /** Begins a block, unless it is the open one. */
  private begin(name: string, block: JsonObject): StreamEvent[] {
    if (this.open === name) return [];
    const events = this.close();
    this.open = name;
    this.kept = '';
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

/** How the names of calls begin, as parts of a message. */
const CALL = 'call ';

function nameOf(index: number): string {
  return `${CALL}${index}`;
}

const NEW_THOUGHT = { type: 'thinking', thinking: '', signature: '' };

/** Whether arguments are an object of JSON, to which nothing can be added. Of those beyond the bounds that is not known. */
function isWhole(json: string | undefined): boolean {
  return json?.trimStart().startsWith('{') === true && parsedWithin(json, BODY_BOUNDS) !== undefined;
}
