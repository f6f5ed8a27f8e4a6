import { objectOf, type JsonObject } from '../../../../codecs/chat/json-values.js';
import type { ChatChunkChoice, ChatDelta, ToolCallDelta } from '../../../../codecs/chat/chat-completion.js';
import {
  messagesFieldsOf,
  type WithMessagesFields,
  withMessagesFields,
} from '../../../../codecs/chat/messages-fields.js';
import type { AnswerInspection, WholeAnswerText } from '../../../../content/answers/answer-inspection.js';
import type { AnswerText } from '../../../../content/answers/answer-text.js';
import {
  callWithoutTexts,
  DETAIL_TEXTS,
  detailWithoutTexts,
  filteredValue,
  isScannedId,
  isScannedName,
  placeOfBlock,
  PROVIDER_VERDICTS,
  signatureOf,
  withoutSignature,
} from './answer-fields.js';

/** What a part of an answer adds to its choice. */
type Piece = Pick<ChatChunkChoice, 'delta'> & WithMessagesFields;

/** A run of one text, and where in the choice it stands. */
interface TextRun {
  readonly text: AnswerText;
  /** Up to where the run reaches in what came of the text. */
  end: number;
  readonly wrap: (piece: string) => Piece;
}

/** What waits to leave, in the order in which it came: runs of texts that come side by side, or something else. */
type Waiting =
  | { readonly kind: 'texts'; readonly isThought: boolean; readonly runs: Map<string, TextRun> }
  | { readonly kind: 'other'; readonly piece: () => Piece | undefined };

/** A call of which no arguments have come. */
interface CallHead {
  readonly delta: ToolCallDelta;
  name: string;
}

const UNFINISHED = { finish_reason: null, native_finish_reason: null } as const;

const CONTENT = 'content';
const TRANSCRIPT = 'transcript';
const REASONING = 'reasoning';
const KEPT_INPUT = 'kept input';
const CALL = 'call';

/** Fields that are told apart; of texts, where each stands. */
const TEXTS = [CONTENT, 'refusal'] as const;

/**
 * One choice of a streamed answer under filters (docs/interface/content-filters.md#answers). Its parts leave in the order in which they came:
 * what follows a text waits until that has left, except that a thought ends where something else begins.
 */
export class FilteredChoice {
  /** The texts of the choice, by what they are. */
  private readonly texts = new Map<string, AnswerText>();
  private waiting: Waiting[] = [];
  private role: Pick<ChatDelta, 'role'> = {};
  /** How much of what was spoken waits, in characters of base64. */
  spokenLength = 0;
  /** What was spoken, which leaves when all of its transcript has. */
  private spoken: unknown[] = [];
  private keptBlocks = 0;
  /** The call that has begun, of which nothing but its name has come. */
  private head: CallHead | undefined;
  /** The names of the calls that have begun to leave, by their places. */
  private readonly names = new Map<number, string>();
  /** Why the choice ends, and what its provider's own filters said last. */
  private finishing: ChatChunkChoice | undefined;
  private verdicts: unknown;

  /** @param isJson whether the content was asked for in JSON */
  constructor(
    private readonly index: number,
    private readonly inspection: AnswerInspection,
    private readonly isJson: boolean,
  ) {}

  /**
   * Takes the next part.
   *
   * @returns what may leave now
   * @throws AnswerRefused, ContentFilterUnavailable, TooManyContentScans
   */
  async add(choice: ChatChunkChoice): Promise<readonly ChatChunkChoice[]> {
    const { delta } = choice;
    if (delta.role !== undefined) this.role = { role: delta.role };
    await this.addResponse(delta);
    for (const call of delta.tool_calls ?? []) await this.addCall(call);
    const fields = messagesFieldsOf(choice);
    await this.addBlock(fields);
    this.addEnd(choice, fields);
    return this.leaving();
  }

  /** Takes the next part of an answer that leaves as it is: it is only kept for what is reported. */
  observe(choice: ChatChunkChoice): void {
    const { delta } = choice;
    for (const key of [...TEXTS, REASONING] as const) this.keep(key, delta[key]);
    // They repeat it.
    const details = typeof delta.reasoning === 'string' ? [] : (delta.reasoning_details ?? []);
    for (const detail of details) for (const field of DETAIL_TEXTS) this.keep(keyOfDetail(detail), detail[field]);
    this.keep(TRANSCRIPT, objectOf(delta['audio'])?.['transcript']);
    this.keepValue('response', delta['annotations']);
    for (const { index, function: called } of delta.tool_calls ?? []) {
      if (isScannedName(called?.name)) this.keepValue('tool_call', called.name);
      this.keep(keyOfCall(index), called?.arguments);
    }
    const { kept_block: block, kept_input: input } = messagesFieldsOf(choice);
    if (block !== undefined) this.keptBlocks += 1;
    this.keepValue(placeOfBlock(block), block);
    this.keep(`${KEPT_INPUT} ${this.keptBlocks}`, input);
  }

  /** Ends all texts. @returns what has been held, and why the choice has ended @throws as {@link add} does */
  async end(): Promise<readonly ChatChunkChoice[]> {
    await this.endHead();
    for (const text of this.texts.values()) await text.advance(true);
    const left = this.leaving();
    const isSaid = this.texts.get(TRANSCRIPT)?.isChanged !== true;
    const spoken = isSaid ? this.spoken.map((data) => this.leave({ delta: { audio: { data } } })) : [];
    [this.spoken, this.spokenLength] = [[], 0];
    const finish = await this.finish();
    return [...left, ...spoken, ...finish];
  }

  /** Notes why a choice ends. Some servers give a reason with every chunk, so that nothing ends before the stream does. */
  private addEnd(choice: ChatChunkChoice, fields: JsonObject): void {
    const { finish_reason: reason, native_finish_reason: native } = choice;
    const verdicts = (choice as unknown as JsonObject)[PROVIDER_VERDICTS];
    if (verdicts !== undefined) this.verdicts = verdicts;
    if (reason === null) return;
    const { kept_block: _block, kept_input: _input, ...others } = fields;
    const finish = { index: this.index, delta: {}, finish_reason: reason, native_finish_reason: native };
    this.finishing = withMessagesFields(finish, { ...messagesFieldsOf(this.finishing), ...others });
  }

  private async finish(): Promise<readonly ChatChunkChoice[]> {
    const { finishing, verdicts } = this;
    [this.finishing, this.verdicts] = [undefined, undefined];
    if (finishing === undefined) return [];
    const judged = verdicts === undefined ? undefined : await filteredValue(this.inspection, 'response', verdicts);
    return [{ ...finishing, delta: this.takeRole({}), ...(judged !== undefined && { [PROVIDER_VERDICTS]: judged }) }];
  }

  private keep(key: string, piece: unknown): void {
    if (typeof piece !== 'string' || piece === '') return;
    const text = this.text(key);
    text.append(piece);
    text.takeTo(text.length);
  }

  private keepValue(place: WholeAnswerText['place'], value: unknown): void {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return;
    const text = this.inspection.text(place, 'tool_arguments');
    text.append(JSON.stringify(value));
  }

  private async addResponse(delta: ChatDelta): Promise<void> {
    await this.addThought(delta);
    for (const key of TEXTS) await this.addText(key, delta[key], (piece) => ({ delta: { [key]: piece } }));
    await this.addAudio(delta['audio']);
    const { annotations, images } = delta;
    if (Array.isArray(annotations) && annotations.length > 0) await this.addAnnotations(annotations);
    if (images !== undefined) await this.addOther({ delta: { images } });
  }

  private async addThought({ reasoning, reasoning_details: details = [] }: ChatDelta): Promise<void> {
    await this.addText(REASONING, reasoning, (piece) => ({ delta: { reasoning: piece } }), true);
    for (const detail of details) await this.addDetail(detail);
  }

  private async addDetail(detail: JsonObject): Promise<void> {
    const key = keyOfDetail(detail);
    const signed = detailWithoutTexts(detail);
    const others = withoutSignature(signed);
    for (const field of DETAIL_TEXTS) {
      const wrap = (piece: string): Piece => ({ delta: { reasoning_details: [{ ...others, [field]: piece }] } });
      await this.addText(key, detail[field], wrap, true);
    }
    // What says nothing must not end a thought that goes on.
    if (signatureOf(signed) === undefined) return;
    // What signs a text, or stands in the place of one, comes when that has ended.
    await this.flushThoughts();
    const said = this.texts.get(key);
    this.push({
      kind: 'other',
      piece: () => (said?.isChanged === true ? undefined : { delta: { reasoning_details: [signed] } }),
    });
  }

  private async addAudio(audio: unknown): Promise<void> {
    const spoken = objectOf(audio);
    if (spoken === undefined) return;
    const { data, transcript, ...others } = spoken;
    if (Object.keys(others).length > 0) await this.addOther({ delta: { audio: others } });
    await this.addText(TRANSCRIPT, transcript, (piece) => ({ delta: { audio: { transcript: piece } } }));
    if (data === undefined) return;
    if (!this.inspection.isEnforcedIn('response')) return this.addOther({ delta: { audio: { data } } });
    this.spoken.push(data);
    this.spokenLength += typeof data === 'string' ? data.length : 0;
  }

  /** Places in a text that has changed would be those of something else. */
  private async addAnnotations(annotations: readonly unknown[]): Promise<void> {
    const cited = await filteredValue(this.inspection, 'response', annotations);
    const piece = { delta: { annotations: cited } };
    await this.flushThoughts();
    this.push({ kind: 'other', piece: () => (this.texts.get(CONTENT)?.isChanged === true ? undefined : piece) });
  }

  /** The head of a call waits for what comes behind it, because some servers say its name in pieces. */
  private async addCall(delta: ToolCallDelta): Promise<void> {
    const { index, id } = delta;
    const { name, arguments: text } = delta.function ?? {};
    if (id !== undefined) {
      await this.endHead();
      this.head = { delta, name: name ?? '' };
    } else if (name !== undefined && this.head?.delta.index === index) this.head.name += name;
    else if (name !== undefined) await this.addLateName(index, name);
    await this.addText(keyOfCall(index), text, (piece) => ({
      delta: { tool_calls: [{ index, function: { arguments: piece } }] },
    }));
  }

  private async endHead(): Promise<void> {
    if (this.head === undefined) return;
    const { delta, name } = this.head;
    this.head = undefined;
    const { index, id, type } = delta;
    this.names.set(index, name);
    const shown = {
      ...callWithoutTexts(delta),
      index,
      ...(type !== undefined && { type }),
      id: isScannedId(id) ? await filteredValue(this.inspection, 'tool_call', id) : id!,
      function: {
        name: isScannedName(name) ? await filteredValue(this.inspection, 'tool_call', name) : name,
        arguments: '',
      },
    };
    await this.addOther({ delta: { tool_calls: [shown] } });
  }

  /** A piece of a name whose beginning has left: it is read with that, and left out where anything would be taken out of both. */
  private async addLateName(index: number, piece: string): Promise<void> {
    const name = (this.names.get(index) ?? '') + piece;
    this.names.set(index, name);
    if (isScannedName(name) && (await filteredValue(this.inspection, 'tool_call', name)) !== name) return;
    await this.addOther({ delta: { tool_calls: [{ index, function: { name: piece } }] } });
  }

  /** A block of the Messages form that no other form has, or a part of its input. */
  private async addBlock({ kept_block: block, kept_input: input }: JsonObject): Promise<void> {
    if (block !== undefined) {
      this.keptBlocks += 1;
      const shown = await filteredValue(this.inspection, placeOfBlock(block), block);
      await this.addOther(withMessagesFields({ delta: {} }, { kept_block: shown }));
    }
    const wrap = (piece: string): Piece => withMessagesFields({ delta: {} }, { kept_input: piece });
    await this.addText(`${KEPT_INPUT} ${this.keptBlocks}`, input, wrap);
  }

  private async addText(key: string, piece: unknown, wrap: TextRun['wrap'], isThought = false): Promise<void> {
    if (typeof piece !== 'string' || piece === '') return;
    await this.endHead();
    if (!isThought) await this.flushThoughts();
    const text = this.text(key);
    const last = this.waiting.at(-1);
    const run = last?.kind === 'texts' ? last.runs.get(key) : undefined;
    text.append(piece);
    if (run !== undefined) run.end = text.length;
    else if (last?.kind === 'texts' && last.isThought && isThought)
      last.runs.set(key, { text, end: text.length, wrap });
    else this.push({ kind: 'texts', isThought, runs: new Map([[key, { text, end: text.length, wrap }]]) });
    await text.advance(false);
  }

  private async addOther(piece: Piece): Promise<void> {
    await this.endHead();
    await this.flushThoughts();
    this.push({ kind: 'other', piece: () => piece });
  }

  private push(waiting: Waiting): void {
    const last = this.waiting.at(-1);
    if (last?.kind === 'texts') for (const run of last.runs.values()) run.end = run.text.mark();
    this.waiting.push(waiting);
  }

  /** A thought has ended when something else begins: clients show it before that. */
  private async flushThoughts(): Promise<void> {
    const last = this.waiting.at(-1);
    if (last?.kind !== 'texts' || !last.isThought) return;
    for (const { text } of last.runs.values()) await text.flush();
  }

  private text(key: string): AnswerText {
    const known = this.texts.get(key);
    if (known !== undefined) return known;
    const isCall = key.startsWith(CALL) || key.startsWith(KEPT_INPUT);
    const kind = isCall || (key === CONTENT && this.isJson) ? 'tool_arguments' : 'text';
    const text = this.inspection.text(isCall ? 'tool_call' : 'response', kind);
    this.texts.set(key, text);
    return text;
  }

  /** What may leave, up to the first that has to wait. */
  private leaving(): ChatChunkChoice[] {
    const left: ChatChunkChoice[] = [];
    let next = 0;
    for (; next < this.waiting.length; next += 1) {
      const waiting = this.waiting[next]!;
      if (waiting.kind === 'other') {
        const piece = waiting.piece();
        if (piece !== undefined) left.push(this.leave(piece));
        continue;
      }
      const pieces = Array.from(waiting.runs.values(), ({ text, end, wrap }) => {
        const piece = text.takeTo(end);
        return piece === '' ? [] : [wrap(piece)];
      }).flat();
      if (pieces.length > 0) left.push(this.leave(joined(pieces)));
      // More may come for the last one.
      if (!Array.from(waiting.runs.values()).every(({ text, end }) => text.isTakenTo(end))) break;
    }
    if (next > 0) this.waiting = this.waiting.slice(next);
    return left;
  }

  private leave({ delta, ...fields }: Piece): ChatChunkChoice {
    return { index: this.index, ...fields, delta: this.takeRole(delta), ...UNFINISHED };
  }

  private takeRole(delta: ChatDelta): ChatDelta {
    const { role } = this;
    this.role = {};
    return { ...role, ...delta };
  }
}

function keyOfCall(index: number): string {
  return `${CALL} ${index}`;
}

function keyOfDetail({ type, index }: JsonObject): string {
  return `detail ${String(type)} ${String(index)}`;
}

/** Texts that came side by side as one piece: a thought and its details repeat each other. */
function joined(pieces: readonly Piece[]): Piece {
  const [first, ...others] = pieces;
  if (others.length === 0) return first!;
  const details = pieces.flatMap(({ delta }) => delta.reasoning_details ?? []);
  const delta = Object.assign({}, ...pieces.map((piece) => piece.delta), { reasoning_details: details }) as ChatDelta;
  return { ...first, delta };
}
