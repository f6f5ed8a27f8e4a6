import type { ChatDelta } from '../chat/chat-completion.js';
import { ITEM_NODES } from '../chat/answer-work.js';
import { countOf, type JsonObject, listOf, nonEmptyText, objectOf, walkedListOf, wordOf } from '../chat/json-values.js';
import { StreamedText } from '../chat/streamed-text.js';
import { requireFewCalls } from '../chat/tool-call-ids.js';
import { ProviderError } from '../errors/provider-error.js';
import { annotationOf, callOf, detailsOf, imageOf, partsOf } from './answer-decoder.js';
import { OPENAI_RESPONSES_FORMAT } from '../chat/thought-signatures.js';

/** The most items of an answer, and the most parts: what is kept of each takes memory. */
const MAXIMUM_ITEMS = 10_000;

/** The estimated bytes of what is kept of an item, and of a part. */
const ITEM_BYTES = 500;
const PART_BYTES = 250;

/** What an item can say in pieces: what is said, refused or called, and the summary and the text of a thought. */
type TextKind = 'content' | 'refusal' | 'summary' | 'text' | 'arguments';

/** What an answer brings: texts by their length, all else by its number. */
type Brought = Record<TextKind | 'calls' | 'encrypted' | 'annotations' | 'images', number>;

/** What is added to a message, and how probable its tokens were. */
export type ItemDelta = ChatDelta & { readonly logprobs?: unknown };

/** A text of an item as a later event has it. */
interface WholeText {
  readonly text: unknown;
  readonly logprobs?: unknown;
}

/** A text of an item as a later event has it, and where it stands within the item. */
interface PlacedText extends WholeText {
  readonly place: number;
}

/** What has come of an item of the output. */
interface StreamedItem {
  readonly index: number;
  readonly id: string | undefined;
  readonly type: string | undefined;
  /** Of each kind, by their places. */
  readonly texts: Record<TextKind, Map<number, StreamedText>>;
  /** The place among the calls; undefined for another item. */
  call: number | undefined;
  annotations: number;
  isEncryptedSent: boolean;
  isImageSent: boolean;
}

/** The fields of events and parts with texts of each kind, by the types of these. */
const TEXT_FIELDS: ReadonlyMap<unknown, readonly [kind: TextKind, field: string]> = new Map([
  ['output_text', ['content', 'text']],
  ['refusal', ['refusal', 'refusal']],
  ['summary_text', ['summary', 'text']],
  ['reasoning_text', ['text', 'text']],
] as const);

/**
 * The items of a streamed answer: what came of each in pieces, and what only later events say of it. Servers leave out the pieces of a text,
 * or its last ones, and say it in the event that ends the part, the item or the answer.
 */
export class StreamedItems {
  private readonly items = new Map<number, StreamedItem>();
  private texts = 0;
  private readonly brought: Brought = {
    content: 0,
    refusal: 0,
    summary: 0,
    text: 0,
    arguments: 0,
    calls: 0,
    encrypted: 0,
    annotations: 0,
    images: 0,
  };
  /** What has come as a whole, once the last event has told how much there is. */
  private covered: ReadonlySet<keyof Brought> = new Set();

  get keptBytes(): number {
    return this.items.size * ITEM_BYTES + this.texts * PART_BYTES;
  }

  get haveCalls(): boolean {
    return this.brought.calls > 0;
  }

  /** Reads `response.output_item.added`. @throws ProviderError for too many items, and for a call without a name */
  begin(event: JsonObject): ItemDelta | undefined {
    const item = objectOf(event['item']) ?? {};
    const known = this.items.get(indexOf(event)) ?? this.open(indexOf(event), item);
    return item['type'] === 'function_call' ? this.beginCall(known, item) : undefined;
  }

  /** Reads a piece of a text. @throws ProviderError for arguments of a call that has not begun */
  piece(kind: TextKind, event: JsonObject): ItemDelta {
    const item = this.itemAt(event);
    if (kind === 'arguments' && item.call === undefined) {
      throw new ProviderError('invalid', 'The provider sent arguments of a call that has not begun.');
    }
    const piece = nonEmptyText(event['delta']) ?? '';
    if (piece !== '') this.textAt(item, kind, placeIn(event)).add(piece);
    this.brought[kind] += piece.length;
    return kind === 'content' ? { content: piece, ...logprobsOf(event) } : deltaOf(kind, item, piece);
  }

  /** Reads the event that ends a text. @param field which has all of it */
  ended(kind: TextKind, event: JsonObject, field: string): ItemDelta | undefined {
    const item = this.itemAt(event);
    // The text of a call that has not begun comes with its item.
    if (kind === 'arguments' && item.call === undefined) return undefined;
    return this.rest(item, kind, placeIn(event), { text: event[field], logprobs: event['logprobs'] });
  }

  /** Reads the event that ends a part, of whatever kind. */
  endedPart(event: JsonObject): ItemDelta | undefined {
    const part = objectOf(event['part']) ?? {};
    const [kind, field] = TEXT_FIELDS.get(part['type']) ?? [];
    if (kind === undefined || field === undefined) return undefined;
    return this.rest(this.itemAt(event), kind, placeIn(event), { text: part[field], logprobs: part['logprobs'] });
  }

  /** Reads `response.output_text.annotation.added`. */
  annotation(event: JsonObject): ItemDelta | undefined {
    const annotations = annotationOf(event['annotation']);
    if (annotations.length === 0) return undefined;
    this.itemAt(event).annotations += 1;
    this.brought.annotations += 1;
    return { annotations };
  }

  /** Reads `response.output_item.done`: what did not come of the item. */
  completed(event: JsonObject): ItemDelta | undefined {
    const item = objectOf(event['item']) ?? {};
    return this.restOfItem(this.items.get(indexOf(event)) ?? this.open(indexOf(event), item), item);
  }

  /** Reads the output of the last event: what did not come of the answer. @throws ProviderError for more items than can be read */
  restOf(output: unknown): ItemDelta {
    const items = walkedListOf(output, ITEM_NODES).map((item) => objectOf(item) ?? {});
    this.covered = coveredBy(this.brought, items);
    const known = [...this.items.values()];
    const byId = new Map(known.flatMap((item) => (item.id === undefined ? [] : [[item.id, item] as const])));
    const deltas = items.flatMap((item, index): readonly ItemDelta[] => {
      const itsOwn = byId.get(wordOf(item['id']) ?? '') ?? this.items.get(index);
      const streamed = itsOwn !== undefined && isOfType(itsOwn, item['type']) ? itsOwn : newItem(index, item);
      const rest = this.restOfItem(streamed, item);
      return rest === undefined ? [] : [rest];
    });
    return joined(deltas);
  }

  private beginCall(known: StreamedItem, item: JsonObject): ItemDelta {
    const isNew = known.call === undefined;
    const { id, type, function: called } = callOf(item);
    const place = (known.call ??= this.newCall());
    if (called.arguments !== '') this.textAt(known, 'arguments', 0).add(called.arguments);
    this.brought.arguments += called.arguments.length;
    return { tool_calls: [{ index: place, ...(isNew && { id, type }), function: called }] };
  }

  private newCall(): number {
    const place = this.brought.calls++;
    requireFewCalls(this.brought.calls);
    return place;
  }

  private open(index: number, item: JsonObject): StreamedItem {
    if (this.items.size >= MAXIMUM_ITEMS) {
      throw new ProviderError('invalid', `The provider sent an answer of more than ${MAXIMUM_ITEMS} items.`);
    }
    const opened = newItem(index, item);
    this.items.set(index, opened);
    return opened;
  }

  private itemAt(event: JsonObject): StreamedItem {
    const index = indexOf(event);
    return this.items.get(index) ?? this.open(index, { id: event['item_id'] });
  }

  private textAt(item: StreamedItem, kind: TextKind, place: number): StreamedText {
    const known = item.texts[kind].get(place);
    if (known !== undefined) return known;
    this.texts += 1;
    if (this.texts > MAXIMUM_ITEMS) {
      throw new ProviderError('invalid', `The provider sent an answer of more than ${MAXIMUM_ITEMS} parts.`);
    }
    const text = new StreamedText();
    item.texts[kind].set(place, text);
    return text;
  }

  private rest(item: StreamedItem, kind: TextKind, place: number, whole: WholeText): ItemDelta | undefined {
    const text = nonEmptyText(whole.text);
    if (text === undefined || this.covered.has(kind)) return undefined;
    const streamed = this.textAt(item, kind, place);
    const isAll = streamed.length === 0;
    const rest = streamed.takeRest(text);
    if (rest === '') return undefined;
    this.brought[kind] += rest.length;
    return kind === 'content' ? { content: rest, ...(isAll && logprobsOf(whole)) } : deltaOf(kind, item, rest);
  }

  /** What has not come of the texts of a kind. Servers that do not say to which of them a piece belongs have one for all. */
  private rests(item: StreamedItem, kind: TextKind, wholes: readonly PlacedText[]): readonly ItemDelta[] {
    const [first = 0, ...others] = item.texts[kind].keys();
    if (others.length > 0) {
      return wholes.map((whole) => this.rest(item, kind, whole.place, whole)).filter((rest) => rest !== undefined);
    }
    const text = wholes.map((whole) => nonEmptyText(whole.text) ?? '').join('');
    const logprobs = wholes.flatMap((whole) => listOf(whole.logprobs));
    const rest = this.rest(item, kind, first, { text, logprobs });
    return rest === undefined ? [] : [rest];
  }

  private restOfItem(known: StreamedItem, item: JsonObject): ItemDelta | undefined {
    switch (item['type']) {
      case 'reasoning':
        return this.restOfThought(known, item);
      case 'function_call':
        return this.restOfCall(known, item);
      case 'message':
        return this.restOfMessage(known, item);
      case 'image_generation_call':
        return this.image(known, item);
      default:
        return undefined;
    }
  }

  private restOfThought(known: StreamedItem, item: JsonObject): ItemDelta | undefined {
    const texts = [
      ...this.rests(known, 'summary', textsIn(walkedListOf(item['summary']))),
      ...this.rests(known, 'text', textsIn(walkedListOf(item['content']))),
    ];
    const isSent = known.isEncryptedSent || this.covered.has('encrypted');
    const encrypted = isSent ? [] : detailsOf({ ...item, summary: [], content: [] }, known.index);
    if (encrypted.length > 0) {
      known.isEncryptedSent = true;
      this.brought.encrypted += 1;
    }
    const deltas = [...texts, ...(encrypted.length === 0 ? [] : [{ reasoning_details: encrypted }])];
    return deltas.length === 0 ? undefined : joined(deltas);
  }

  private restOfCall(known: StreamedItem, item: JsonObject): ItemDelta | undefined {
    if (known.call !== undefined) return this.rest(known, 'arguments', 0, { text: item['arguments'] });
    return this.covered.has('calls') ? undefined : this.beginCall(known, item);
  }

  private restOfMessage(known: StreamedItem, item: JsonObject): ItemDelta | undefined {
    const parts = partsOf(item);
    const rests = [
      ...this.rests(known, 'content', textsIn(parts, 'output_text')),
      ...this.rests(known, 'refusal', textsIn(parts, 'refusal', 'refusal')),
    ];
    const annotations = this.restOfAnnotations(known, parts);
    if (rests.length === 0 && annotations.length === 0) return undefined;
    return joined([...rests, ...(annotations.length === 0 ? [] : [{ annotations }])]);
  }

  private restOfAnnotations(known: StreamedItem, parts: readonly JsonObject[]): readonly JsonObject[] {
    if (this.covered.has('annotations')) return [];
    const rest = annotationsOf(parts).slice(known.annotations);
    known.annotations += rest.length;
    this.brought.annotations += rest.length;
    return rest;
  }

  private image(known: StreamedItem, item: JsonObject): ItemDelta | undefined {
    const images = known.isImageSent || this.covered.has('images') ? [] : imageOf(item);
    if (images.length === 0) return undefined;
    known.isImageSent = true;
    this.brought.images += 1;
    return { images };
  }
}

function newItem(index: number, item: JsonObject): StreamedItem {
  return {
    index,
    id: wordOf(item['id']),
    type: wordOf(item['type']),
    texts: { content: new Map(), refusal: new Map(), summary: new Map(), text: new Map(), arguments: new Map() },
    call: undefined,
    annotations: 0,
    isEncryptedSent: false,
    isImageSent: false,
  };
}

/** Whether an item may be of a type: of one that came without its beginning no type is known. */
function isOfType(item: StreamedItem, type: unknown): boolean {
  return item.type === undefined || item.type === type;
}

/** What came as a whole already: servers number their items differently at the end, and nothing is to be said twice. */
function coveredBy(brought: Brought, items: readonly JsonObject[]): ReadonlySet<keyof Brought> {
  const ofType = (type: string): readonly JsonObject[] => items.filter((item) => item['type'] === type);
  const parts = ofType('message').flatMap(partsOf);
  const details = ofType('reasoning').flatMap(detailsOf);
  const lengthOf = (objects: readonly JsonObject[], field: string): number =>
    objects.reduce((sum, object) => sum + (nonEmptyText(object[field]) ?? '').length, 0);
  const all: Omit<Brought, 'arguments'> = {
    content: lengthOf(
      parts.filter(({ type }) => type === 'output_text'),
      'text',
    ),
    refusal: lengthOf(parts, 'refusal'),
    summary: lengthOf(details, 'summary'),
    text: lengthOf(details, 'text'),
    calls: ofType('function_call').length,
    encrypted: details.filter(({ type }) => type === 'reasoning.encrypted').length,
    annotations: annotationsOf(parts).length,
    images: ofType('image_generation_call').flatMap(imageOf).length,
  };
  const kinds = Object.keys(all) as (keyof typeof all)[];
  return new Set(kinds.filter((kind) => all[kind] <= brought[kind]));
}

/** The texts of parts of a type; without one those of all. */
function textsIn(parts: readonly unknown[], type?: string, field = 'text'): readonly PlacedText[] {
  return parts.flatMap((value, place) => {
    const part = objectOf(value) ?? {};
    return type === undefined || part['type'] === type
      ? [{ place, text: part[field], logprobs: part['logprobs'] }]
      : [];
  });
}

function annotationsOf(parts: readonly JsonObject[]): readonly JsonObject[] {
  return parts.flatMap(({ annotations }) => listOf(annotations).flatMap(annotationOf));
}

function indexOf(event: JsonObject): number {
  return countOf(event['output_index']) ?? 0;
}

/** Where a text stands within its item. */
function placeIn(event: JsonObject): number {
  return countOf(event['content_index']) ?? countOf(event['summary_index']) ?? 0;
}

function deltaOf(kind: Exclude<TextKind, 'content'>, item: StreamedItem, said: string): ItemDelta {
  if (kind === 'refusal') return { refusal: said };
  if (kind === 'arguments') return { tool_calls: [{ index: item.call!, function: { arguments: said } }] };
  const { index, id } = item;
  const detail = { type: `reasoning.${kind}`, format: OPENAI_RESPONSES_FORMAT, index };
  return { reasoning: said, reasoning_details: [{ ...detail, ...(id !== undefined && { id }), [kind]: said }] };
}

function logprobsOf({ logprobs }: { readonly logprobs?: unknown }): { readonly logprobs?: unknown } {
  const content = listOf(logprobs);
  return content.length === 0 ? {} : { logprobs: { content } };
}

/** What several deltas add, as one. */
function joined(deltas: readonly ItemDelta[]): ItemDelta {
  const textOf = (name: 'content' | 'refusal' | 'reasoning'): readonly [string, string] => [
    name,
    deltas.map((delta) => delta[name] ?? '').join(''),
  ];
  const listIn = (name: string): readonly [string, readonly unknown[]] => [
    name,
    deltas.flatMap((delta) => listOf(delta[name])),
  ];
  const texts = (['content', 'refusal', 'reasoning'] as const).map(textOf);
  const lists = ['reasoning_details', 'tool_calls', 'annotations', 'images'].map(listIn);
  const logprobs = deltas.flatMap((delta) => listOf(objectOf(delta.logprobs)?.['content']));
  const added: readonly (readonly [string, string | readonly unknown[]])[] = [...texts, ...lists];
  const given = added.filter(([, value]) => value.length > 0);
  return { ...(Object.fromEntries(given) as ItemDelta), ...logprobsOf({ logprobs }) };
}
