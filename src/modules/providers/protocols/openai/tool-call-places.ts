import type { ToolCallDelta } from '../../chat-completion.js';
import { comparable } from '../../json-values.js';
import { ProviderError } from '../../provider-error.js';
import { newToolCallId } from '../../tool-call-id.js';
import { CalledArguments } from './called-arguments.js';

/** Far more than any answer has. */
const MAXIMUM_CALLS = 10_000;

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

  /** @throws ProviderError for more than 10,000 calls */
  add({ shownId }: Pick<OpenCall, 'shownId'>): void {
    this.calls += 1;
    this.keptBytes += CALL_BYTES + 2 * shownId.length;
    if (this.calls > MAXIMUM_CALLS) {
      throw new ProviderError('invalid', `The provider’s answer has more than ${MAXIMUM_CALLS} calls of tools.`);
    }
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
  /** The calls, in their order. */
  private readonly calls: OpenCall[] = [];
  /** The place after all others. */
  private end = 0;
  /** Whether the provider's indexes are no longer the places. */
  private areMoved = false;

  /** @param count of the stream, which may have several choices */
  constructor(private readonly count: CallCount) {}

  /** Whether there is any call. */
  get areUsed(): boolean {
    return this.calls.length > 0;
  }

  /** Whether the arguments of any call break off. */
  get areOpen(): boolean {
    return this.calls.some((call) => call.arguments.areOpen);
  }

  /** The id by which clients know the call in a place. */
  idOf(place: number): string | undefined {
    return this.calls.findLast((call) => call.place === place)?.shownId;
  }

  /**
   * Puts the place of its call into each part.
   *
   * @param deltas in their order
   * @throws ProviderError for more than 10,000 calls
   */
  placed(deltas: readonly ToolCallDelta[]): readonly ToolCallDelta[] {
    return deltas.map((delta) => this.placedOne(delta));
  }

  /** Empty objects as the arguments of calls that have none when the answer is complete: clients parse them, and an empty text is not JSON. */
  missingArguments(): readonly ToolCallDelta[] {
    const without = this.calls.filter((call) => call.arguments.areEmpty);
    for (const call of without) call.arguments.add('{}');
    return without.map(({ place }) => ({ index: place, function: { arguments: '{}' } }));
  }

  private placedOne(delta: ToolCallDelta): ToolCallDelta {
    const { index, id, type: _type, function: called, ...others } = delta;
    const text = called?.arguments ?? '';
    const open = this.open.get(index);
    if (open !== undefined && !isAnother(open, delta)) {
      open.id ??= comparable(id);
      open.arguments.add(text);
      const said = withoutRepeatedName(open, called);
      open.name ??= comparable(called?.name);
      return { index: open.place, function: said, ...others };
    }
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
    call.arguments.add(text);
    this.end = Math.max(this.end, place + 1);
    this.open.set(index, call);
    this.calls.push(call);
    return call;
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

/** What a later part of a call says of its function. */
function withoutRepeatedName(open: OpenCall, called: CalledFunction = {}): CalledFunction {
  if (called.name === undefined || comparable(called.name) !== open.name) return called;
  const { name: _name, ...others } = called;
  return others;
}
