import type {
  AssistantMessage,
  ChatChoice,
  ChatCompletion,
  ChatDelta,
  CountedUsage,
  ToolCall,
} from '../chat/chat-completion.js';
import { hasContent } from '../chat/chunk-content.js';
import { ITEM_NODES, SMALL_ITEM_NODES, visited, written } from '../chat/answer-work.js';
import { type JsonObject, listOf, nonEmptyText, objectOf, placeOf, walkedListOf, wordOf } from '../chat/json-values.js';
import { filtersInGemini } from '../chat/provider-filters.js';
import { extraContent, GOOGLE_FORMAT, idOfSignedPart, thoughtSignature } from '../chat/thought-signatures.js';
import { newToolCallId, requireFewCalls } from '../chat/tool-call-ids.js';
import { providerErrorOf, refusal } from '../errors/error-object.js';
import { ProviderError } from '../errors/provider-error.js';
import type { Upstream } from '../upstream-codec.js';
import { type FinishReasons, finishReasonsOf, UNFINISHED } from './finish-reasons.js';
import { citationsIn, type PlaceOfByte } from './grounding.js';
import { idOfSignedImage } from './model-content.js';
import { countedUsageOf, countsAnswer, mergedUsage, serviceTierOf } from './usage.js';

/** A call of a function, which always comes whole. */
interface PlacedCall extends ToolCall {
  readonly index: number;
}

/** What a candidate, or a part of one, says. */
interface Said {
  readonly texts: string[];
  readonly thoughts: string[];
  readonly details: JsonObject[];
  readonly calls: PlacedCall[];
  readonly images: JsonObject[];
}

/** An answer that the model may give, or a part of one in a stream, as it was read. */
export interface ReadCandidate extends FinishReasons {
  readonly delta: ChatDelta;
  /** The calls among it. */
  readonly calls: readonly PlacedCall[];
  readonly logprobs?: unknown;
}

/** Reads one candidate, part by part. It keeps what the parts that follow need to know, and nothing that was said. */
export class CandidateReader {
  /** UTF-16 units of the text so far. */
  private text = 0;
  /** Whether each of them is one byte of UTF-8, so that bytes say places in it. */
  private isPlain = true;
  private calls = 0;
  private images = 0;
  private details = 0;
  private citations = 0;
  private hasThought = false;
  /** The provider's word for its end. */
  private ending: unknown;

  get hasBegun(): boolean {
    return this.hasSaid || this.hasThought || this.hasEnded;
  }

  /** Whether the provider has said why it ended. */
  get hasEnded(): boolean {
    return wordOf(this.ending) !== undefined;
  }

  /** Whether it has said or called anything, or has an image. Thoughts are no answer. */
  get hasSaid(): boolean {
    return this.text + this.calls + this.images > 0;
  }

  /**
   * Reads what a candidate of an answer, or of a part of one, adds.
   *
   * @throws ProviderError for more than 10,000 parts, or 2,000 calls
   */
  read(candidate: JsonObject): ReadCandidate {
    const said: Said = { texts: [], thoughts: [], details: [], calls: [], images: [] };
    for (const part of walkedListOf(objectOf(candidate['content'])?.['parts']))
      this.addPart(objectOf(part) ?? {}, said);
    const isNews = wordOf(candidate['finishReason']) !== undefined;
    // It may go on behind its end, and a call that comes then makes that another one.
    const isOver = isNews || (this.hasEnded && said.calls.length > 0);
    if (isNews) this.ending = wordOf(candidate['finishReason']);
    const reasons = isOver
      ? finishReasonsOf(this.ending, { hasCalled: this.calls > 0, hasSaid: this.hasSaid })
      : UNFINISHED;
    const logprobs = logprobsOf(objectOf(candidate['logprobsResult']));
    return {
      delta: this.deltaOf(said, this.newCitations(candidate, said.texts.join(''))),
      calls: said.calls,
      ...reasons,
      ...(logprobs !== undefined && { logprobs }),
    };
  }

  private addPart(part: JsonObject, said: Said): void {
    const signature = nonEmptyText(part['thoughtSignature']);
    const called = objectOf(part['functionCall']);
    const data = objectOf(part['inlineData']);
    const text = part['text'];
    if (signature !== undefined || called !== undefined || data !== undefined) visited(ITEM_NODES);
    if (called !== undefined) this.addCall(called, signature, said);
    else if (data !== undefined) this.addImage(data, signature, said);
    else if (typeof text !== 'string') return;
    else if (part['thought'] === true) this.addThought(text, signature, said);
    else this.addText(text, signature, said);
  }

  private addCall({ id, name, args }: JsonObject, signature: string | undefined, said: Said): void {
    const callId = nonEmptyText(id) ?? newToolCallId();
    requireFewCalls(this.calls + 1);
    said.calls.push({
      index: this.calls++,
      id: callId,
      type: 'function',
      function: { name: nonEmptyText(name) ?? '', arguments: JSON.stringify(objectOf(args) ?? {}) },
      ...(signature !== undefined && extraContent(signature)),
    });
    if (signature !== undefined) said.details.push(thoughtSignature(signature, this.details++, callId));
  }

  /** Recordings and other files have no place in an answer. */
  private addImage({ mimeType, data }: JsonObject, signature: string | undefined, said: Said): void {
    const type = nonEmptyText(mimeType);
    if (type?.startsWith('image/') !== true || typeof data !== 'string') return;
    const index = this.images++;
    said.images.push({ type: 'image_url', index, image_url: { url: `data:${type};base64,${data}` } });
    if (signature !== undefined) {
      said.details.push(thoughtSignature(signature, this.details++, idOfSignedImage(index)));
    }
  }

  private addThought(text: string, signature: string | undefined, said: Said): void {
    said.thoughts.push(text);
    this.hasThought = true;
    if (signature === undefined) return;
    said.details.push({ type: 'reasoning.text', format: GOOGLE_FORMAT, index: this.details++, text, signature });
  }

  /** A text that is empty may have a signature, which a stream ends with. */
  private addText(text: string, signature: string | undefined, said: Said): void {
    if (signature !== undefined) {
      const id = idOfSignedPart({ text: this.text, calls: this.calls, length: text.length });
      said.details.push(thoughtSignature(signature, this.details++, id));
    }
    if (text === '') return;
    said.texts.push(text);
    this.text += text.length;
    this.isPlain &&= Buffer.byteLength(text) === text.length;
  }

  /** The sources that are new: each part of a stream may repeat those before it. */
  private newCitations(candidate: JsonObject, text: string): readonly object[] {
    const isWhole = text.length === this.text;
    const all = citationsIn(candidate, isWhole ? placesIn(text) : (byte) => (this.isPlain ? byte : undefined));
    const news = all.slice(this.citations);
    this.citations = Math.max(this.citations, all.length);
    return news;
  }

  private deltaOf({ texts, thoughts, details, calls, images }: Said, annotations: readonly object[]): ChatDelta {
    return {
      ...(texts.length > 0 && { content: texts.join('') }),
      ...(thoughts.length > 0 && { reasoning: thoughts.join('') }),
      ...(details.length > 0 && { reasoning_details: details }),
      ...(calls.length > 0 && { tool_calls: calls }),
      ...(images.length > 0 && { images }),
      ...(annotations.length > 0 && { annotations }),
    };
  }
}

/** Bytes of a text between two places in it that are known: what is read for each place that is asked for. */
const STRETCH = 1_024;

/** The places in a text that is known whole. It is read once, however many are asked for. */
function placesIn(text: string): PlaceOfByte {
  let read: { readonly bytes: Buffer; readonly units: readonly number[] } | undefined;
  return (byte) => {
    read ??= stretchesOf(Buffer.from(text));
    const { bytes, units } = read;
    if (byte > bytes.length) return undefined;
    const stretch = Math.floor(byte / STRETCH);
    const begin = beginningOfCharacter(bytes, stretch * STRETCH);
    return units[stretch]! + bytes.toString('utf8', begin, byte).length;
  };
}

/** A text in bytes of UTF-8, and how many UTF-16 units are before each stretch of it, which begins with a whole character. */
function stretchesOf(bytes: Buffer): { readonly bytes: Buffer; readonly units: readonly number[] } {
  const units = [0];
  let begin = 0;
  for (let end = STRETCH; end <= bytes.length; end += STRETCH) {
    const whole = beginningOfCharacter(bytes, end);
    units.push(units.at(-1)! + bytes.toString('utf8', begin, whole).length);
    begin = whole;
  }
  return { bytes, units };
}

/** Where the character begins that a byte belongs to: those that go on with one begin with the bits 10. */
function beginningOfCharacter(bytes: Buffer, at: number): number {
  let begin = at;
  while (begin > 0 && begin < bytes.length && (bytes[begin]! & 0xc0) === 0x80) begin -= 1;
  return begin;
}

/** The probabilities of tokens in the form of chats. */
function logprobsOf(result: JsonObject | undefined): unknown {
  if (result === undefined) return undefined;
  const likeliest = listOf(result['topCandidates']);
  const content = walkedListOf(result['chosenCandidates']).map((chosen, index) => ({
    ...probabilityOf(chosen),
    top_logprobs: walkedListOf(listOf(objectOf(likeliest[index])?.['candidates']).slice(0, MOST_LIKELY)).map(
      probabilityOf,
    ),
  }));
  return { content, refusal: null };
}

/** How many likely tokens there are in one place at most, as the form of chats has them. */
const MOST_LIKELY = 20;

/** The longest token whose bytes are said, in UTF-16 units: a number for each byte takes many times as much as the text. */
const LONGEST_TOKEN = 1_024;

/** What a byte takes that is written as a number in a list, in characters. */
const BYTE_LENGTH = 4;

/** The probability of a token in the form of chats. */
interface Probability {
  readonly token: string;
  readonly logprob: number;
  /** Null for a text that is too long to be a token. */
  readonly bytes: readonly number[] | null;
}

function probabilityOf(value: unknown): Probability {
  const { token, logProbability } = objectOf(value) ?? {};
  const text = typeof token === 'string' ? token : '';
  const bytes = text.length <= LONGEST_TOKEN ? [...Buffer.from(text)] : null;
  written((bytes?.length ?? 0) * BYTE_LENGTH);
  // Zero, which is certainty, is absent.
  return {
    token: text,
    logprob: typeof logProbability === 'number' ? logProbability : 0,
    bytes,
  };
}

/** Why a prompt was not answered, as the end of an empty candidate. @returns undefined for one that was */
export function blockedPrompt(answer: JsonObject): FinishReasons | undefined {
  const feedback = objectOf(answer['promptFeedback']);
  const reason = wordOf(feedback?.['blockReason']);
  return reason === undefined || listOf(answer['candidates']).length > 0
    ? undefined
    : { finish_reason: 'content_filter', native_finish_reason: reason };
}

/**
 * The failure of a candidate that the provider gave up, in its own words.
 *
 * @param candidate of the provider
 */
export function failureOf(candidate: JsonObject, upstream: Upstream): ProviderError {
  const word = wordOf(candidate['finishReason']) ?? 'OTHER';
  const message = nonEmptyText(candidate['finishMessage']) ?? `The model ended its answer with ${word}.`;
  return refusal(message, upstream, { code: word });
}

/** A document as an answer: some servers send a list of one. */
export function answerIn(document: unknown): JsonObject {
  return objectOf(Array.isArray(document) ? document[0] : document) ?? {};
}

/** What the provider counted, where its answer is whole. */
export function countedIn(document: unknown): CountedUsage | undefined {
  return countedUsageOf(objectOf(answerIn(document)['usageMetadata']) ?? {}, true);
}

/**
 * Reads a whole answer (https://ai.google.dev/api/generate-content#generatecontentresponse).
 *
 * @param document parsed JSON
 * @throws ProviderError if it has neither candidates nor a reason for that, or if each of them has failed without saying anything
 */
export function completionOf(document: unknown, upstream: Upstream): ChatCompletion {
  const answer = answerIn(document);
  const error = providerErrorOf(answer, upstream);
  if (error !== undefined) throw error;
  const candidates = walkedListOf(answer['candidates'], SMALL_ITEM_NODES).map((candidate) => objectOf(candidate) ?? {});
  const blocked = blockedPrompt(answer);
  if (candidates.length === 0 && blocked === undefined) {
    throw new ProviderError('invalid', 'The provider’s answer has no candidates.');
  }
  const choices = candidates.map((candidate, position) => choiceOf(candidate, position, upstream));
  const failed = choices.find(({ error: failure, message }) => failure !== undefined && !hasContent(message));
  if (failed !== undefined && !choices.some(({ message }) => hasContent(message))) {
    throw failureOf(candidates[choices.indexOf(failed)]!, upstream);
  }
  const usage = mergedUsage({}, objectOf(answer['usageMetadata']) ?? {});
  return {
    upstreamId: wordOf(answer['responseId']) ?? null,
    choices:
      blocked === undefined ? choices : [{ index: 0, message: { role: 'assistant', content: null }, ...blocked }],
    ...(countedUsageOf(usage, countsAnswer(usage) || choices.every(({ message }) => !hasContent(message))) ?? {
      usage: null,
    }),
    systemFingerprint: null,
    serviceTier: serviceTierOf(usage),
    ...filtersInGemini(answer),
  };
}

function choiceOf(candidate: JsonObject, position: number, upstream: Upstream): ChatChoice {
  const { delta, calls, logprobs, ...reasons } = new CandidateReader().read(candidate);
  const { tool_calls: _calls, content, ...others } = delta;
  const message: AssistantMessage = {
    role: 'assistant',
    content: content ?? null,
    ...others,
    ...(calls.length > 0 && { tool_calls: calls.map(({ index: _index, ...call }): ToolCall => call) }),
  };
  const ended = endOf(message, reasons);
  const failure = ended.finish_reason === 'error' ? failureOf(candidate, upstream) : undefined;
  return {
    index: placeOf(candidate['index'], position),
    message,
    ...ended,
    ...(logprobs !== undefined && { logprobs }),
    ...(failure !== undefined && { error: { code: failure.status ?? BAD_GATEWAY, message: failure.message } }),
  };
}

/** The status of a failure that has none. */
const BAD_GATEWAY = 502;

/** A document came whole, so that what it says has ended also where its provider gives no reason. */
function endOf(message: AssistantMessage, reasons: FinishReasons): FinishReasons {
  if (reasons.finish_reason !== null) return reasons;
  if (!hasContent(message))
    throw new ProviderError('invalid', 'The provider’s answer is empty, and has no finish reason.');
  return { finish_reason: message.tool_calls === undefined ? 'stop' : 'tool_calls', native_finish_reason: null };
}
