import { nonEmptyText, objectOf, type JsonObject } from '../../../../codecs/chat/json-values.js';
import type { ChatChunkChoice, ChatDelta, ToolCallDelta } from '../../../../codecs/chat/chat-completion.js';
import {
  messagesFieldsOf,
  type WithMessagesFields,
  withMessagesFields,
} from '../../../../codecs/chat/messages-fields.js';
import type { AnswerInspection } from '../../../../content/answers/answer-inspection.js';
import type { AnswerText } from '../../../../content/answers/answer-text.js';
import { DETAIL_TEXTS, filteredValue, isScannedName, placeOfBlock, withoutSignature } from './answer-fields.js';

/** What a part of an answer adds to its choice. */
type Piece = Pick<ChatChunkChoice, 'delta' | 'logprobs'> & WithMessagesFields;

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

const UNFINISHED = { finish_reason: null, native_finish_reason: null } as const;

const CONTENT = 'content';
const TRANSCRIPT = 'transcript';
const REASONING = 'reasoning';
const KEPT_INPUT = 'kept input';

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
  private readonly isEnforced: boolean;

  /** @param isJson whether the content was asked for in JSON */
  constructor(
    private readonly index: number,
    private readonly inspection: AnswerInspection,
    private readonly isJson: boolean,
  ) {
    this.isEnforced = inspection.isEnforcedIn('response');
  }

  /**
   * Takes the next part.
   *
   * @returns what may leave now
   * @throws AnswerRefused, ContentFilterUnavailable, TooManyContentScans
   */
  async add(choice: ChatChunkChoice): Promise<readonly ChatChunkChoice[]> {
    const { delta, finish_reason: reason, logprobs } = choice;
    if (delta.role !== undefined) this.role = { role: delta.role };
    if (this.isEnforced) await this.addResponse(delta);
    else this.addUnfiltered(delta, logprobs);
    for (const call of delta.tool_calls ?? []) await this.addCall(call);
    const fields = messagesFieldsOf(choice);
    await this.addBlock(fields);
    if (reason === null) return this.leaving();
    const last = await this.end();
    const { kept_block: _block, kept_input: _input, ...others } = fields;
    const { native_finish_reason: native } = choice;
    const finish = { index: this.index, delta: this.takeRole({}), finish_reason: reason, native_finish_reason: native };
    return [...last, withMessagesFields(finish, others)];
  }

  /** Ends all texts. @returns what has been held @throws as {@link add} does */
  async end(): Promise<readonly ChatChunkChoice[]> {
    for (const text of this.texts.values()) await text.advance(true);
    const left = this.leaving();
    const isSaid = this.texts.get(TRANSCRIPT)?.isChanged !== true;
    const spoken = isSaid ? this.spoken.map((data) => this.leave({ delta: { audio: { data } } })) : [];
    [this.spoken, this.spokenLength] = [[], 0];
    return [...left, ...spoken];
  }

  /** Nothing is changed: it is only kept what is reported of it. */
  private addUnfiltered(delta: ChatDelta, logprobs: unknown): void {
    for (const key of [...TEXTS, REASONING] as const) this.keep(key, delta[key]);
    const transcript = objectOf(delta['audio'])?.['transcript'];
    this.keep(TRANSCRIPT, transcript);
    const { role: _role, tool_calls: _calls, ...rest } = delta;
    if (Object.keys(rest).length === 0 && logprobs === undefined) return;
    this.push({ kind: 'other', piece: () => ({ delta: rest, ...(logprobs !== undefined && { logprobs }) }) });
  }

  private keep(key: string, text: unknown): void {
    if (typeof text === 'string' && text !== '') this.text(key).append(text);
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
    const key = `detail ${String(detail['type'])} ${String(detail['index'])}`;
    let isText = false;
    for (const field of DETAIL_TEXTS) {
      const text = detail[field];
      if (typeof text !== 'string' || text === '') continue;
      isText = true;
      const others = withoutSignature(detail);
      await this.addText(
        key,
        text,
        (piece) => ({ delta: { reasoning_details: [{ ...others, [field]: piece }] } }),
        true,
      );
    }
    if (isText && nonEmptyText(detail['signature']) === undefined) return;
    // What signs a text, or stands in the place of one, comes when that has ended.
    const { text: _text, summary: _summary, ...signed } = detail;
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

  private async addCall({ function: called, ...call }: ToolCallDelta): Promise<void> {
    const { index } = call;
    const { name, arguments: text, ...others } = called ?? {};
    const named = isScannedName(name) ? await filteredValue(this.inspection, 'tool_call', name) : name;
    const isHead = Object.keys(call).length > 1 || named !== undefined || Object.keys(others).length > 0;
    if (isHead) {
      const begun = {
        ...others,
        ...(named !== undefined && { name: named }),
        ...(text !== undefined && { arguments: '' }),
      };
      await this.addOther({ delta: { tool_calls: [{ ...call, function: begun }] } });
    }
    await this.addText(`call ${index}`, text, (piece) => ({
      delta: { tool_calls: [{ index, function: { arguments: piece } }] },
    }));
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
    const isCall = key.startsWith('call ') || key.startsWith(KEPT_INPUT);
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
    this.waiting = this.waiting.slice(next);
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

/** Texts that came side by side as one piece: a thought and its details repeat each other. */
function joined(pieces: readonly Piece[]): Piece {
  const [first, ...others] = pieces;
  if (others.length === 0) return first!;
  const details = pieces.flatMap(({ delta }) => delta.reasoning_details ?? []);
  const delta = Object.assign({}, ...pieces.map((piece) => piece.delta), { reasoning_details: details }) as ChatDelta;
  return { ...first, delta };
}
