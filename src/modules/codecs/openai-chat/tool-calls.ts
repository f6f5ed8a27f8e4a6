import { ITEM_NODES } from '../chat/answer-work.js';
import { type JsonObject, objectOf, placeOf, nonEmptyText, walkedListOf, comparable } from '../chat/json-values.js';
import type { ToolCall, ToolCallDelta } from '../chat/chat-completion.js';
import { areNone } from '../chat/tool-arguments-reader.js';
import { newToolCallId, requireFewCalls } from '../chat/tool-call-ids.js';

/**
 * The fields of an object that are handed on: those that the gateway does not know and that have a value.
 *
 * @param isReadApart whether a field of this name is not to be handed on
 * @returns undefined if there are none
 */
export function otherFieldsOf(object: JsonObject, isReadApart: (name: string) => boolean): JsonObject | undefined {
  let others: Record<string, unknown> | undefined;
  for (const name in object) {
    if (isReadApart(name)) continue;
    const value = object[name];
    if (value === null || value === undefined) continue;
    others ??= {};
    others[name] = value;
  }
  return others;
}

/** The fields of a tool call, or of a part of one, that are handed on ({@link otherFieldsOf}), such as what signs a thought. */
function otherFieldsOfCall(call: JsonObject | undefined): JsonObject | undefined {
  return call === undefined ? undefined : otherFieldsOf(call, isOfCall);
}

/** The further fields of the function that is called. */
function otherFieldsOfFunction(called: JsonObject | undefined): JsonObject | undefined {
  return called === undefined ? undefined : otherFieldsOf(called, isOfFunction);
}

function isOfCall(name: string): boolean {
  return name === 'index' || name === 'id' || name === 'type' || name === 'function';
}

function isOfFunction(name: string): boolean {
  return name === 'name' || name === 'arguments';
}

const TEXT = 0x22;
const ESCAPE = 0x5c;
/** Of lists and objects. */
const OPENING = [0x5b, 0x7b] as const;
const CLOSING = [0x5d, 0x7d] as const;

/** Follows the arguments of a tool call while they come, without keeping them. */
export class CalledArguments {
  areEmpty = true;
  /** The first character that is not a blank. */
  private first = '';
  private depth = 0;
  private isInText = false;
  private isEscaped = false;

  /** Whether an object, a list or a text has begun and not ended, so that more has to come. */
  get areOpen(): boolean {
    return this.depth > 0 || this.isInText;
  }

  /** Whether the arguments are an object or a list that has ended, so that no more can come. */
  get areWhole(): boolean {
    return (this.first === '{' || this.first === '[') && !this.areOpen;
  }

  add(text: string): void {
    if (text !== '') this.areEmpty = false;
    if (this.first === '') this.first = text.trimStart().charAt(0);
    // Fields would take each character of a long text several times as long.
    let { depth, isInText, isEscaped } = this;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (isEscaped) isEscaped = false;
      else if (code === TEXT) isInText = !isInText;
      else if (isInText) isEscaped = code === ESCAPE;
      else if (code === OPENING[0] || code === OPENING[1]) depth += 1;
      else if (code === CLOSING[0] || code === CLOSING[1]) depth -= 1;
    }
    [this.depth, this.isInText, this.isEscaped] = [depth, isInText, isEscaped];
  }
}

/**
 * Reads the tool calls of a whole answer. Some servers send the arguments as an object instead of a text, or no ids.
 * Fields that the gateway does not know are handed on.
 *
 * @param areWhole whether the answer was not cut, so that a call without arguments has none
 * @returns undefined if there are none
 */
export function toolCallsOf(value: unknown, areWhole: boolean): readonly ToolCall[] | undefined {
  // Clients parse the arguments, and an empty text is not JSON.
  const none = areWhole ? '{}' : '';
  const calls = walkedListOf(value, ITEM_NODES).map((call) => toolCallOf(call, none));
  requireFewCalls(calls.length);
  return calls.length === 0 ? undefined : calls;
}

function toolCallOf(value: unknown, none: string): ToolCall {
  const call = objectOf(value);
  const called = objectOf(call?.['function']);
  const text = argumentsOf(called?.['arguments']) ?? '';
  return {
    id: nonEmptyText(call?.['id']) ?? newToolCallId(),
    type: 'function',
    function: {
      name: nonEmptyText(called?.['name']) ?? '',
      arguments: areNone(text) ? none : text,
      ...otherFieldsOfFunction(called),
    },
    ...otherFieldsOfCall(call),
  };
}

/**
 * Reads the parts of tool calls in a chunk of a stream. Fields that the gateway does not know are handed on.
 *
 * @returns undefined if there are none
 */
export function toolCallDeltasOf(value: unknown): readonly ToolCallDelta[] | undefined {
  const deltas = walkedListOf(value, ITEM_NODES).map(toolCallDeltaOf);
  return deltas.length === 0 ? undefined : deltas;
}

function toolCallDeltaOf(value: unknown, position: number): ToolCallDelta {
  const delta = objectOf(value);
  const called = objectOf(delta?.['function']);
  const [id, name, text] = [
    nonEmptyText(delta?.['id']),
    nonEmptyText(called?.['name']),
    argumentsOf(called?.['arguments']),
  ];
  return {
    index: placeOf(delta?.['index'], position),
    ...(id === undefined ? {} : { id }),
    function: {
      ...(name === undefined ? {} : { name }),
      ...(text === undefined ? {} : { arguments: text }),
      ...otherFieldsOfFunction(called),
    },
    ...otherFieldsOfCall(delta),
  };
}

function argumentsOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

type CalledFunction = NonNullable<ToolCallDelta['function']>;

/** A call that parts may still come for. */
interface OpenCall {
  /** The provider's own, as it is {@link comparable}; undefined until it has given one. */
  id: string | undefined;
  /** The first that came, as it is {@link comparable}; undefined until then. */
  name: string | undefined;
  readonly place: number;
  /** The id by which clients know it. */
  readonly shownId: string;
  readonly arguments: CalledArguments;
}

/** What a call takes besides its id, with what its own id and its name are compared by, in bytes of the heap. */
const CALL_BYTES = 1_536;

/** How many calls a stream has, and what is kept of them. */
export class CallCount {
  private calls = 0;
  /** Estimated. */
  keptBytes = 0;

  /** @throws ProviderError for more than 2,000 calls */
  add({ shownId }: Pick<OpenCall, 'shownId'>): void {
    this.calls += 1;
    this.keptBytes += CALL_BYTES + 2 * shownId.length;
    requireFewCalls(this.calls);
  }
}

/**
 * Gives each tool call of a streamed choice a place of its own, and an id in its first part. Some servers send every call with
 * the index 0, or without an index, and clients would put the arguments of all of them together; some send no ids, or send them
 * late, and clients take no call whose first part has neither an id nor a type; some repeat the name with each part, and clients
 * would join the names.
 */
export class ToolCallPlaces {
  /** The last call of each index of the provider. */
  private readonly open = new Map<number, OpenCall>();
  /** The calls by the place in which clients know them, in their order. */
  private readonly calls = new Map<number, OpenCall>();
  /** Calls that have no arguments yet, so that an end does not look at all others. */
  private readonly withoutArguments = new Set<OpenCall>();
  /** The place after all others. */
  private end = 0;
  /** Whether the provider's indexes are no longer the places. */
  private areMoved = false;

  /** @param count of the stream, which may have several choices */
  constructor(private readonly count: CallCount) {}

  /** Whether there is any call. */
  get areUsed(): boolean {
    return this.calls.size > 0;
  }

  /** Whether the arguments of any call break off. */
  get areOpen(): boolean {
    for (const call of this.calls.values()) if (call.arguments.areOpen) return true;
    return false;
  }

  /** The id by which clients know the call in a place. */
  idOf(place: number): string | undefined {
    return this.calls.get(place)?.shownId;
  }

  /**
   * Puts the place of its call into each part.
   *
   * @param deltas in their order
   * @throws ProviderError for more than 2,000 calls
   */
  placed(deltas: readonly ToolCallDelta[]): readonly ToolCallDelta[] {
    return deltas.map((delta) => this.placedOne(delta));
  }

  /** Empty objects as the arguments of calls that have none when the answer is complete: clients parse them, and an empty text is not JSON. */
  missingArguments(): readonly ToolCallDelta[] {
    if (this.withoutArguments.size === 0) return [];
    const without = [...this.withoutArguments];
    for (const call of without) this.addArguments(call, '{}');
    return without.map(({ place }) => ({ index: place, function: { arguments: '{}' } }));
  }

  private placedOne(delta: ToolCallDelta): ToolCallDelta {
    const { index, id, type: _type, function: called, ...others } = delta;
    const open = this.open.get(index);
    if (open !== undefined && !isAnother(open, delta)) {
      open.id ??= comparable(id);
      const said = withoutRepeatedName(open, open.arguments.areEmpty ? withoutNull(called) : called);
      this.addArguments(open, said.arguments ?? '');
      open.name ??= comparable(called?.name);
      return { index: open.place, function: said, ...others };
    }
    const text = withoutNull(called)?.arguments ?? '';
    const { place, shownId } = this.begin(delta, text);
    const type = 'function' as const;
    return { index: place, id: shownId, type, function: { ...called, arguments: text }, ...others };
  }

  private begin({ index, id, function: called }: ToolCallDelta, text: string): OpenCall {
    this.areMoved ||= this.open.has(index);
    const place = this.areMoved ? this.end : index;
    const shownId = id ?? newToolCallId();
    const known = { id: comparable(id), name: comparable(called?.name) };
    const call = { ...known, place, shownId, arguments: new CalledArguments() };
    this.count.add(call);
    this.withoutArguments.add(call);
    this.addArguments(call, text);
    this.end = Math.max(this.end, place + 1);
    this.open.set(index, call);
    this.calls.set(place, call);
    return call;
  }

  private addArguments(call: OpenCall, text: string): void {
    call.arguments.add(text);
    if (!call.arguments.areEmpty) this.withoutArguments.delete(call);
  }
}

/**
 * Whether a part begins another call, which only one with a name does: some servers give each part of one call a new id, but only
 * the first of them a name. Where ids do not tell calls apart, one that has its arguments whole gets no more of them.
 */
function isAnother(open: OpenCall, { id, function: called }: ToolCallDelta): boolean {
  if (called?.name === undefined) return false;
  if (open.id !== undefined && id !== undefined) return comparable(id) !== open.id;
  return open.arguments.areWhole && called.arguments !== undefined && called.arguments.trim() !== '';
}

/** Without the value null as the whole arguments of a call ({@link areNone}). */
function withoutNull(called: CalledFunction | undefined): CalledFunction | undefined {
  return called?.arguments?.trim() === 'null' ? { ...called, arguments: '' } : called;
}

/** What a later part of a call says of its function. */
function withoutRepeatedName(open: OpenCall, called: CalledFunction = {}): CalledFunction {
  if (called.name === undefined || comparable(called.name) !== open.name) return called;
  const { name: _name, ...others } = called;
  return others;
}
