import type { ChatDelta, ToolCallDelta } from '../../../providers/chat-completion.js';
import { type JsonObject, nonEmptyText } from '../../../providers/json-values.js';
import { ProviderError } from '../../../providers/provider-error.js';
import { isOfMessagesForm } from '../../../providers/protocols/anthropic/thinking-blocks.js';
import { CalledArguments } from '../../../providers/protocols/openai/called-arguments.js';
import { isThoughtSignature } from '../../../providers/protocols/openai/thought-signatures.js';
import { portableCallId } from '../../../providers/protocols/tool-call-ids.js';
import type { StreamEvent } from '../../answer/event-stream.js';
import { haveOpaqueState, KeptDetails } from '../../carried-reasoning.js';
import { newText } from './answer-blocks.js';
import { HeldPieces, isNamed, type Piece } from './held-pieces.js';

/** The call whose block is open. */
interface OpenCall {
  readonly index: number;
  readonly arguments: CalledArguments;
}

/**
 * Writes the blocks of a streamed message one after the other, and begins the next when something else comes. What comes while
 * the arguments of a call are incomplete waits until they are whole; so does a call that begins without its name.
 */
export class BlockWriter {
  /** What the open block is a part of: text, a thought by its number, a call by its number. */
  private open: string | undefined;
  private openCall: OpenCall | undefined;
  private blocks = 0;
  private hasSpoken = false;
  /** The calls whose blocks have ended, by their numbers. */
  private readonly endedCalls = new Set<number>();
  private readonly held = new HeldPieces();
  /** Of the open thought, what providers of other forms want back. */
  private details = new KeptDetails();

  /** Characters of what is kept. */
  get keptLength(): number {
    return this.held.size + this.details.length;
  }

  /** Writes a piece of an answer. @throws ProviderError if a call continues after its block has ended, or if too much waits */
  write(delta: ChatDelta): StreamEvent[] {
    const events: StreamEvent[] = [];
    // Not spread: a provider may send very many calls at once.
    for (const piece of piecesOf(delta)) for (const event of this.take(piece)) events.push(event);
    return events;
  }

  /** Ends the open block, and writes what has waited for it. */
  finish(): StreamEvent[] {
    const events = this.close();
    for (let piece = this.held.next(true); piece !== undefined; piece = this.held.next(true)) {
      for (const event of this.written(piece)) events.push(event);
    }
    for (const event of this.close()) events.push(event);
    return events;
  }

  private take(piece: Piece): StreamEvent[] {
    const { openCall } = this;
    if (piece.kind === 'call') {
      const { index } = piece.call;
      if (openCall?.index === index) return [...this.written(piece), ...this.released()];
      if (this.endedCalls.has(index)) {
        if (isNothing(piece.call)) return [];
        throw new ProviderError('invalid', 'The provider went on with a call that it had ended.');
      }
      if (this.held.has(index) || !isNamed(piece.call)) {
        this.held.add(piece);
        return this.released();
      }
    }
    if (openCall?.arguments.areWhole !== false) return this.written(piece);
    this.held.add(piece);
    return [];
  }

  /** Writes what has waited, as far as the open call, and those that begin meanwhile, are whole. */
  private released(): StreamEvent[] {
    const events: StreamEvent[] = [];
    while (this.openCall?.arguments.areWhole !== false) {
      const piece = this.held.next(false);
      if (piece === undefined) return events;
      for (const event of this.written(piece)) events.push(event);
    }
    return events;
  }

  /** Writes a piece into its block, which it may begin. */
  private written(piece: Piece): StreamEvent[] {
    switch (piece.kind) {
      case 'said':
        return this.text(piece.text);
      case 'thought':
        return this.thoughts(piece.thought);
      case 'call':
        return this.call(piece.call);
    }
  }

  private text(text: string): StreamEvent[] {
    this.hasSpoken = true;
    return [...this.begin('text', newText('')), this.delta({ type: 'text_delta', text })];
  }

  private thoughts({
    reasoning,
    reasoning_details: given,
  }: Pick<ChatDelta, 'reasoning' | 'reasoning_details'>): StreamEvent[] {
    const details = given ?? [];
    const own = details.filter(isOfMessagesForm);
    if (own.length > 0) return own.flatMap((detail) => this.thought(detail));
    // A message that ends with a thought would look to clients as if nothing had been said; its provider does without this signature.
    const carried = details.filter(
      (detail) => !(this.hasSpoken && isThoughtSignature(detail) && !nonEmptyText(detail['id'])),
    );
    const thinking = nonEmptyText(reasoning) ?? nonEmptyText(details.map(textOf).join(''));
    if (thinking === undefined && !haveOpaqueState(carried)) return [];
    const events = this.begin('thought', NEW_THOUGHT);
    if (thinking !== undefined) events.push(this.delta({ type: 'thinking_delta', thinking }));
    for (const detail of carried) this.details.add(detail);
    return events;
  }

  private thought({ type, index, data, text, signature }: JsonObject): StreamEvent[] {
    const name = `thought ${String(index)}`;
    if (type === 'reasoning.encrypted') return this.begin(name, { type: 'redacted_thinking', data });
    const events = this.begin(name, NEW_THOUGHT);
    if (nonEmptyText(text) !== undefined) events.push(this.delta({ type: 'thinking_delta', thinking: text }));
    if (nonEmptyText(signature) !== undefined) events.push(this.delta({ type: 'signature_delta', signature }));
    return events;
  }

  private call({ index, id, function: called }: ToolCallDelta): StreamEvent[] {
    const call = { type: 'tool_use', id: portableCallId(id ?? `call_${index}`), name: called?.name ?? '', input: {} };
    const events = this.begin(`call ${index}`, { ...call, caller: { type: 'direct' } });
    this.openCall ??= { index, arguments: new CalledArguments() };
    const json = nonEmptyText(called?.arguments);
    if (json === undefined) return events;
    this.openCall.arguments.add(json);
    return [...events, this.delta({ type: 'input_json_delta', partial_json: json })];
  }

  /** Begins a block, unless it is the open one. */
  private begin(name: string, block: JsonObject): StreamEvent[] {
    if (this.open === name) return [];
    const events = this.close();
    this.open = name;
    this.blocks += 1;
    return [...events, this.event('content_block_start', { content_block: block })];
  }

  /** Ends the open block. A thought of a provider of another form ends with what has to be handed back of it. */
  private close(): StreamEvent[] {
    if (this.open === undefined) return [];
    const signature = haveOpaqueState(this.details.all) ? this.details.carried : undefined;
    const signed = signature === undefined ? [] : [this.delta({ type: 'signature_delta', signature })];
    if (this.openCall !== undefined) this.endedCalls.add(this.openCall.index);
    this.open = undefined;
    this.openCall = undefined;
    this.details = new KeptDetails();
    return [...signed, this.event('content_block_stop')];
  }

  private delta(delta: JsonObject): StreamEvent {
    return this.event('content_block_delta', { delta });
  }

  private event(type: string, fields: JsonObject = {}): StreamEvent {
    return { event: type, data: { type, index: this.blocks - 1, ...fields } };
  }
}

const NEW_THOUGHT = { type: 'thinking', thinking: '', signature: '' };

/** What a part of an answer brings, in the order of the Messages form. */
function piecesOf({ content, refusal, reasoning, reasoning_details: details, tool_calls: calls }: ChatDelta): Piece[] {
  const said = [content, refusal].filter((text) => nonEmptyText(text) !== undefined) as string[];
  const thinks = nonEmptyText(reasoning) !== undefined || (details ?? []).length > 0;
  return [
    ...(thinks ? [{ kind: 'thought' as const, thought: { reasoning, reasoning_details: details } }] : []),
    ...said.map((text) => ({ kind: 'said' as const, text })),
    ...(calls ?? []).map((call) => ({ kind: 'call' as const, call })),
  ];
}

function textOf({ text, summary }: JsonObject): string {
  return nonEmptyText(text) ?? nonEmptyText(summary) ?? '';
}

/** Whether a part adds nothing to a call that has ended: an empty object behind its arguments is none of them. */
function isNothing({ function: called }: ToolCallDelta): boolean {
  const json = nonEmptyText(called?.arguments);
  return json === undefined || json.trim() === '' || json.trim() === '{}';
}
