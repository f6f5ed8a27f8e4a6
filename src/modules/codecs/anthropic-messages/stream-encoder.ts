import type { ChatDelta, ToolCallDelta, ChatChunk, ChatChunkChoice, ChatCompletion } from '../chat/chat-completion.js';
import { nonEmptyText, objectOf, type JsonObject } from '../chat/json-values.js';
import { messagesFieldsOf } from '../chat/messages-fields.js';
import { ProviderError } from '../errors/provider-error.js';
import { isOfMessagesForm } from './blocks.js';
import { CalledArguments } from '../openai-chat/tool-calls.js';
import { portableCallId } from '../chat/tool-call-ids.js';
import type { StreamEvent, AnswerOrigin, StreamEncoder, AnswerEncoder, AnswerUsage } from '../client-codec.js';
import { haveOpaqueState, KeptDetails } from '../chat/carried-reasoning.js';
import { isSignatureOfText } from '../chat/thought-signatures.js';
import {
  newText,
  errorEvent,
  messageHead,
  chargedMessageUsage,
  messageUsage,
  stopFields,
  answerBlocks,
} from './answer-encoder.js';

/** Maximum size of all held pieces, in characters. */
const MAXIMUM_HELD_LENGTH = 16 * 1024 * 1024;

/** What a piece of a call, and any other one, counts besides its texts, in characters: there are few calls, and all may be written at once. */
const [CALL_SIZE, PIECE_SIZE] = [64, 512];

/** A piece of an answer: one kind of thing, and of calls one. */
type Piece =
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'thought'; readonly thought: Pick<ChatDelta, 'reasoning' | 'reasoning_details'> }
  | { readonly kind: 'kept'; readonly kept: JsonObject }
  | { readonly kind: 'call'; readonly call: ToolCallDelta };

/**
 * What came while a call was incomplete: text, thoughts and other calls. Providers may send the pieces of several calls in turn, text between
 * the pieces of one, or a name after the beginning; the Messages form has one block after the other.
 */
class HeldPieces {
  /**
   * In their order, by numbers that rise; undefined where one was given. No map: to take the first entry of one, V8 passes by all that
   * were taken before it.
   */
  private pieces: (Piece | undefined)[] = [];
  /** The number of the first of them. */
  private first = 0;
  /** The numbers of the calls among them, by the indexes of the calls. */
  private readonly calls = new Map<number, number>();
  /** Calls whose names have not come, by their indexes. */
  private readonly nameless = new Map<number, ToolCallDelta>();
  /** What is held, in characters. */
  size = 0;

  /** Whether the call of this number waits. */
  has(index: number): boolean {
    return this.calls.has(index) || this.nameless.has(index);
  }

  /** Takes a piece; those of a call, and texts that follow each other, become one. @throws ProviderError for more than can be kept */
  add(piece: Piece): void {
    this.size += sizeOf(piece);
    if (this.size > MAXIMUM_HELD_LENGTH) {
      throw new ProviderError('invalid', 'The provider sent more than 16 MiB between the pieces of a call.');
    }
    if (piece.kind === 'call') this.addCall(piece.call);
    else this.addOther(piece);
  }

  /** Gives the first piece. @param atEnd gives a call without a name, too, which waits on otherwise */
  next(atEnd: boolean): Piece | undefined {
    const piece = this.taken();
    if (piece !== undefined) {
      if (piece.kind === 'call') this.calls.delete(piece.call.index);
      this.size -= Math.min(this.size, sizeOf(piece));
      return piece;
    }
    if (!atEnd || this.nameless.size === 0) return undefined;
    for (const call of this.nameless.values()) this.push({ kind: 'call', call });
    this.nameless.clear();
    return this.taken();
  }

  private taken(): Piece | undefined {
    const piece = this.pieces[this.first];
    this.pieces[this.first] = undefined;
    this.first += 1;
    if (this.first < this.pieces.length) return piece;
    [this.pieces, this.first] = [[], 0];
    return piece;
  }

  private addCall(part: ToolCallDelta): void {
    const { index } = part;
    const at = this.calls.get(index);
    const known = at === undefined ? undefined : this.pieces[at];
    if (at !== undefined && known?.kind === 'call') {
      this.pieces[at] = { kind: 'call', call: joined(known.call, part) };
      return;
    }
    const begun = this.nameless.get(index);
    const call = begun === undefined ? part : joined(begun, part);
    if (!isNamed(call)) {
      this.nameless.set(index, call);
      return;
    }
    this.nameless.delete(index);
    this.calls.set(index, this.push({ kind: 'call', call }));
  }

  private addOther(piece: Piece): void {
    const last = this.pieces.at(-1);
    if (last?.kind === 'said' && piece.kind === 'said') {
      this.pieces[this.pieces.length - 1] = { kind: 'said', text: last.text + piece.text };
    } else {
      this.push(piece);
    }
  }

  private push(piece: Piece): number {
    return this.pieces.push(piece) - 1;
  }
}

/** Whether a part of a call has its name, which its block begins with. */
function isNamed({ function: called }: ToolCallDelta): boolean {
  return nonEmptyText(called?.name) !== undefined;
}

function sizeOf(piece: Piece): number {
  if (piece.kind === 'said') return PIECE_SIZE + piece.text.length;
  if (piece.kind === 'kept') return PIECE_SIZE + JSON.stringify(piece.kept).length;
  if (piece.kind === 'thought') return PIECE_SIZE + JSON.stringify(piece.thought).length;
  const { id, function: called } = piece.call;
  return CALL_SIZE + (id ?? '').length + (called?.name ?? '').length + (called?.arguments ?? '').length;
}

function joined(call: ToolCallDelta, { id, function: called }: ToolCallDelta): ToolCallDelta {
  return {
    index: call.index,
    id: call.id ?? id,
    type: 'function',
    function: {
      // A few providers send an empty one first.
      name: nonEmptyText(call.function?.name) ?? called?.name,
      arguments: `${call.function?.arguments ?? ''}${called?.arguments ?? ''}`,
    },
  };
}

interface OpenCall {
  readonly index: number;
  readonly arguments: CalledArguments;
}

/**
 * Writes the blocks of a streamed message one after the other, and begins the next when something else comes. What comes while
 * the arguments of a call are incomplete waits until they are whole; so does a call that begins without its name.
 */
class BlockWriter {
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

  /** Writes a piece of an answer, with a block that only this form has. @throws ProviderError if a call continues after its block has ended, or if too much waits */
  write(choice: ChatChunkChoice): StreamEvent[] {
    const kept = messagesFieldsOf(choice);
    const isKept = kept['kept_block'] !== undefined || kept['kept_input'] !== undefined;
    const events = isKept ? this.take({ kind: 'kept', kept }) : [];
    // Not spread: a provider may send very many calls at once.
    for (const piece of piecesOf(choice.delta)) for (const event of this.take(piece)) events.push(event);
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
      case 'kept':
        return this.kept(piece.kept);
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
    const carried = details.filter((detail) => !(this.hasSpoken && isSignatureOfText(detail)));
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

  /** A block that its provider sent in this form, or more of the input of the open one. */
  private kept({ kept_block: block, kept_input: input }: JsonObject): StreamEvent[] {
    const begun = objectOf(block);
    if (begun !== undefined) return this.begin(`kept ${this.blocks}`, begun);
    if (this.open?.startsWith('kept ') !== true) return [];
    return [this.delta({ type: 'input_json_delta', partial_json: input })];
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

/** Writes one stream of events of the Messages form from the chunks of a chat (docs/interface/messages.md#streams). */
class StreamedMessage implements StreamEncoder {
  private hasStarted = false;
  private ended: ChatChunkChoice | undefined;
  private readonly blocks = new BlockWriter();

  constructor(private readonly origin: AnswerOrigin) {}

  /** The calls and arguments that wait, and the text of their events. */
  get keptBytes(): number {
    return 2 * this.blocks.keptLength;
  }

  /** The form has one answer, so that only the first choice counts. @throws ProviderError for calls in disorder */
  chunk(chunk: ChatChunk): readonly StreamEvent[] {
    const events = this.start(chunk);
    for (const choice of chunk.choices) {
      if (choice.index !== 0) continue;
      // Not spread: a provider may send very many calls at once.
      for (const event of this.blocks.write(choice)) events.push(event);
      if (choice.finish_reason !== null) this.ended = choice;
    }
    return events;
  }

  end(usage: AnswerUsage, serviceTier: string | null): readonly StreamEvent[] {
    // The form has no stop reason for an answer that the provider gave up.
    if (this.ended?.finish_reason === 'error') {
      return this.failure(new ProviderError('invalid', 'The provider gave up.'));
    }
    const delta = { ...stopFields(this.ended), container: null };
    return [
      ...this.blocks.finish(),
      {
        event: 'message_delta',
        data: { type: 'message_delta', delta, usage: chargedMessageUsage(usage, serviceTier) },
      },
      { event: 'message_stop', data: { type: 'message_stop', ...this.origin.routing() } },
    ];
  }

  failure(error: unknown): readonly StreamEvent[] {
    return [errorEvent(error, this.origin)];
  }

  /** What is known of the usage at the beginning stands in the first event; the last one has it all. */
  private start({ usage, serviceTier }: ChatChunk): StreamEvent[] {
    if (this.hasStarted) return [];
    this.hasStarted = true;
    const message = messageHead(this.origin, messageUsage(usage ?? null, serviceTier ?? null));
    return [{ event: 'message_start', data: { type: 'message_start', message } }];
  }
}

/** The form of `POST /messages` (docs/interface/messages.md#answers). */
export const MESSAGES_ENCODER: AnswerEncoder = {
  keepAlive: { event: 'ping', data: { type: 'ping' } },

  refusesFailedAnswers: true,

  whole(origin: AnswerOrigin, completion: ChatCompletion, usage: AnswerUsage): object {
    const { choices, serviceTier } = completion;
    const [choice] = choices;
    return {
      ...messageHead(origin, chargedMessageUsage(usage, serviceTier)),
      content: choice === undefined ? [] : answerBlocks(choice),
      ...stopFields(choice),
      ...origin.routing(),
    };
  },

  stream(origin: AnswerOrigin): StreamEncoder {
    return new StreamedMessage(origin);
  },
};
