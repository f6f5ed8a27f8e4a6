import type { ChatDelta, ChatChunkChoice, ChatChunk } from '../chat/chat-completion.js';
import { SMALL_ITEM_NODES } from '../chat/answer-work.js';
import { type JsonObject, objectOf, placeOf, listOf, walkedListOf, wordOf } from '../chat/json-values.js';
import {
  reasoningDetailsOf,
  textAndReasoningOf,
  logprobsOf,
  otherFieldsOfChoice,
  type FinishReasons,
  finishReasonsOf,
  isOwnEnd,
  ownEnd,
  reasonsWithCalls,
  citedSourcesIn,
  countItemsOf,
  type UrlCitation,
} from './answer-decoder.js';
import { toolCallDeltasOf, CallCount, ToolCallPlaces } from './tool-calls.js';
import { ProviderError } from '../errors/provider-error.js';
import { hasContent, hasAnswerPart } from '../chat/chunk-content.js';
import { signatureOfText, signaturesInParts } from '../chat/thought-signatures.js';
import { StreamedText } from '../chat/streamed-text.js';
import { usageIn } from './usage.js';
import { brokenOff, eventDocument, isBlank, isDone } from '../event-document.js';
import type { ServerSentEvent, StreamDecoder, Upstream } from '../upstream-codec.js';
import { namedError, reportedFailure, unnamedError } from './reported-failures.js';

/**
 * Reads what a chunk adds to a message. Fields that the gateway does not know are handed on; those without a value are not.
 *
 * @param hasRole whether its role was said before: some servers repeat it
 * @throws ProviderError for a content that is not a text
 */
function deltaOf(delta: JsonObject, hasRole: boolean): ChatDelta {
  const read: Record<string, unknown> = {};
  for (const name in delta) {
    const value = delta[name];
    if (value !== null && value !== undefined && !isReadApart(name)) read[name] = value;
  }
  countItemsOf(delta);
  const { content, reasoning } = textAndReasoningOf(delta);
  if (delta['role'] !== undefined && !hasRole) read['role'] = 'assistant';
  if (content !== undefined && content !== null) read['content'] = content;
  if (reasoning !== undefined) read['reasoning'] = reasoning;
  const details = reasoningDetailsOf(delta['reasoning_details']);
  if (details !== undefined) read['reasoning_details'] = details;
  const toolCalls = toolCallDeltasOf(delta['tool_calls']);
  if (toolCalls !== undefined) read['tool_calls'] = toolCalls;
  return read;
}

/** No set, because every chunk of a stream comes here. */
function isReadApart(name: string): boolean {
  switch (name) {
    case 'content':
    case 'role':
    case 'reasoning':
    case 'reasoning_content':
    case 'reasoning_details':
    case 'thinking':
    case 'tool_calls':
      return true;
    default:
      return false;
  }
}

/** Far more than any request asks for. */
const MAXIMUM_CHOICES = 10_000;

/** What is known of a choice takes so many bytes of the heap, without its calls. */
const CHOICE_BYTES = 900;

interface StreamedChoice {
  readonly index: number;
  readonly calls: ToolCallPlaces;
  /** Whether its role was said: clients put the roles of deltas together. */
  hasRole: boolean;
  hasSpoken: boolean;
  /** Whether the choice has come in deltas: of a message after them only what they have left out is new. */
  hasDeltas: boolean;
  /** What deltas brought of its text and of its reasoning. */
  readonly content: StreamedText;
  readonly reasoning: StreamedText;
  hasEnded: boolean;
}

/** The choices of one stream, which puts right what clients would not understand. */
export class StreamedChoices {
  private readonly choices = new Map<number, StreamedChoice>();
  private readonly callCount = new CallCount();
  /** How many have ended, and how many have spoken and not ended: counted, because every event of a stream asks for it. */
  private ended = 0;
  private speaking = 0;
  /** Whether a choice has continued after its end, so that ends mean nothing: some servers give a reason with every chunk. */
  private hasGoneOn = false;

  /** The estimated bytes of what is kept of the choices. */
  get keptBytes(): number {
    return this.choices.size * CHOICE_BYTES + this.callCount.keptBytes;
  }

  /** Whether every choice that has begun has ended, and there is any. */
  get haveEnded(): boolean {
    return this.ended > 0 && this.speaking === 0;
  }

  /** Whether as many choices as were asked for have ended, and none goes on. @param asked how many */
  haveFinished(asked: number): boolean {
    return this.ended >= asked && !this.hasGoneOn && this.haveEnded;
  }

  /** Whether a call of a tool breaks off, so that its choice cannot have ended. */
  get breakOff(): boolean {
    return this.unended().some(({ calls }) => calls.areOpen);
  }

  /**
   * Reads what a chunk adds to a choice.
   *
   * @param position in the chunk, which counts where the choice says no index
   * @throws ProviderError for a content that is not a text, or too many choices or calls
   */
  read(value: unknown, position: number): ChatChunkChoice {
    const given = objectOf(value);
    const choice = this.at(placeOf(given?.['index'], position));
    const delta = this.spoken(choice, given);
    if (choice.hasEnded) this.hasGoneOn ||= hasContent(delta);
    const read = this.withReasons(choice, delta, finishReasonsOf(given?.['finish_reason']));
    if (given === undefined) return read;
    const [logprobs, others] = [given['logprobs'], otherFieldsOfChoice(given)];
    // Most chunks have neither, and to spread nothing takes time, too.
    if (logprobs === undefined && others === undefined) return read;
    const { index, finish_reason, native_finish_reason } = read;
    const known = logprobs === undefined ? {} : { logprobs: logprobsOf(logprobs) };
    // Field by field: what begins with a copy takes twice as long to be written as JSON.
    return { index, delta: read.delta, finish_reason, native_finish_reason, ...known, ...others };
  }

  /** Ends the choices of a complete stream that have no reason of the provider. */
  ends(): readonly ChatChunkChoice[] {
    return this.unended().map((choice) => this.withReasons(choice, {}, ownEnd(choice.calls.areUsed)));
  }

  /** Some servers send a message in place of a delta, or a text as for the operation that completes texts. */
  private spoken(choice: StreamedChoice, given: JsonObject | undefined): ChatDelta {
    const change = objectOf(given?.['delta']);
    const said = deltaOf(change ?? messageIn(given), choice.hasRole);
    const delta = withSignatureOfText(change === undefined && choice.hasDeltas ? restOf(said, choice) : said);
    if (delta.role !== undefined) choice.hasRole = true;
    if (!choice.hasSpoken && hasContent(delta)) {
      choice.hasSpoken = true;
      if (!choice.hasEnded) this.speaking += 1;
    }
    if (change === undefined) return delta;
    if (!choice.hasDeltas) choice.hasDeltas = hasContent(delta);
    if (typeof delta.content === 'string') choice.content.add(delta.content);
    if (typeof delta.reasoning === 'string') choice.reasoning.add(delta.reasoning);
    return delta;
  }

  /** Says why a choice ended, if it did, and completes its calls of tools. */
  private withReasons(choice: StreamedChoice, said: ChatDelta, given: FinishReasons): ChatChunkChoice {
    const { index, calls, hasEnded } = choice;
    const delta = placed(choice, said, given);
    if (given.finish_reason !== null && !hasEnded) {
      choice.hasEnded = true;
      this.ended += 1;
      if (choice.hasSpoken) this.speaking -= 1;
    }
    const { finish_reason, native_finish_reason } = reasonsWithCalls(given, calls.areUsed);
    return { index, delta, finish_reason, native_finish_reason };
  }

  private unended(): StreamedChoice[] {
    return [...this.choices.values()].filter(({ hasSpoken, hasEnded }) => hasSpoken && !hasEnded);
  }

  private at(index: number): StreamedChoice {
    const known = this.choices.get(index);
    if (known !== undefined) return known;
    if (this.choices.size === MAXIMUM_CHOICES) {
      throw new ProviderError('invalid', `The provider’s answer has more than ${MAXIMUM_CHOICES} choices.`);
    }
    const calls = new ToolCallPlaces(this.callCount);
    const choice = {
      index,
      calls,
      hasRole: false,
      hasSpoken: false,
      hasDeltas: false,
      hasEnded: false,
      content: new StreamedText(),
      reasoning: new StreamedText(),
    };
    this.choices.set(index, choice);
    return choice;
  }
}

/** What a message says that the deltas before it have left out. */
function restOf({ content, reasoning, tool_calls: calls }: ChatDelta, choice: StreamedChoice): ChatDelta {
  const rest = choice.content.takeRest(content ?? '');
  const thought = choice.reasoning.takeRest(reasoning ?? '');
  return {
    ...(rest !== '' && { content: rest }),
    ...(thought !== '' && { reasoning: thought }),
    ...(calls !== undefined && !choice.calls.areUsed && { tool_calls: calls }),
  };
}

function messageIn(choice: JsonObject | undefined): JsonObject {
  return objectOf(choice?.['message']) ?? (typeof choice?.['text'] === 'string' ? { content: choice['text'] } : {});
}

function placed(choice: StreamedChoice, delta: ChatDelta, { finish_reason: reason }: FinishReasons): ChatDelta {
  if (delta.tool_calls === undefined && reason === null) return delta;
  const { calls } = choice;
  const parts = delta.tool_calls === undefined ? [] : calls.placed(delta.tool_calls);
  const missing = isOwnEnd(reason) ? calls.missingArguments() : [];
  if (parts.length + missing.length === 0) return delta;
  const signatures = signaturesInParts(parts, (place) => calls.idOf(place));
  return withDetails({ ...delta, tool_calls: [...parts, ...missing] }, signatures);
}

/** What signs the thoughts behind a text stands in the part itself. */
function withSignatureOfText(delta: ChatDelta): ChatDelta {
  return delta['extra_content'] === undefined ? delta : withDetails(delta, signatureOfText(delta));
}

function withDetails(delta: ChatDelta, details: readonly JsonObject[]): ChatDelta {
  if (details.length === 0) return delta;
  return { ...delta, reasoning_details: [...(delta.reasoning_details ?? []), ...details] };
}

/** What a source takes besides its texts, in bytes of the heap. */
const SOURCE_BYTES = 200;

/** Adds the sources of a stream to what it says, each once ({@link citedSourcesIn}). */
class StreamedSources {
  /** How many the provider has named. */
  private known = 0;
  /** The sources that are not added yet, because no text has come since. */
  private waiting: readonly UrlCitation[] = [];
  /** The estimated bytes of those. */
  keptBytes = 0;
  /** Whether the provider says them with its choices. */
  private areSaid = false;

  /**
   * @param chunk parsed JSON
   * @param said its choices, as they were read
   * @param choices of the stream
   * @returns the choices with the sources that are new
   */
  addTo(chunk: JsonObject, said: readonly ChatChunkChoice[], choices: StreamedChoices): readonly ChatChunkChoice[] {
    const first = said[0];
    if (first?.delta['annotations'] !== undefined) this.areSaid ||= listOf(first.delta['annotations']).length > 0;
    if (chunk['citations'] !== undefined || chunk['search_results'] !== undefined) this.take(chunk);
    if (this.waiting.length === 0 || this.areSaid) return said;
    if (first === undefined ? !choices.haveEnded : first.finish_reason === null && !hasContent(first.delta))
      return said;
    const annotations = this.waiting;
    this.waiting = [];
    this.keptBytes = 0;
    if (first === undefined)
      return [{ index: 0, delta: { annotations }, finish_reason: null, native_finish_reason: null }];
    return [{ ...first, delta: { ...first.delta, annotations } }, ...said.slice(1)];
  }

  private take(chunk: JsonObject): void {
    const found = citedSourcesIn(chunk, this.known);
    if (found.length === 0) return;
    this.known = Math.max(listOf(chunk['citations']).length, listOf(chunk['search_results']).length);
    this.waiting = [...this.waiting, ...found];
    this.keptBytes += found.reduce((sum, source) => sum + bytesOf(source), 0);
  }
}

function bytesOf({ url_citation: { url, title, content = '' } }: UrlCitation): number {
  return SOURCE_BYTES + 2 * (url.length + title.length + content.length);
}

/** Reads the chunks of one stream. */
export class ChunkDecoder {
  readonly choices = new StreamedChoices();
  private readonly sources = new StreamedSources();
  private readonly id = new RepeatedWord();
  private readonly fingerprint = new RepeatedWord();
  private readonly tier = new RepeatedWord();

  /** The estimated bytes of what is kept of the chunks that were read. */
  get keptBytes(): number {
    return this.choices.keptBytes + this.sources.keptBytes;
  }

  /**
   * Reads a chunk.
   *
   * @param chunk parsed JSON, without an error
   * @throws ProviderError for a content that is not a text
   */
  read(chunk: JsonObject): ChatChunk {
    const fingerprint = this.fingerprint.of(chunk['system_fingerprint']);
    const tier = this.tier.of(chunk['service_tier']);
    const usage = usageIn(chunk);
    const promptFilterResults = chunk['prompt_filter_results'];
    const isOfPrompt = Array.isArray(promptFilterResults);
    const upstreamId = this.id.of(chunk['id']) ?? null;
    const said = this.choicesIn(walkedListOf(chunk['choices'], SMALL_ITEM_NODES));
    const choices = this.sources.addTo(chunk, said, this.choices);
    // Most chunks have none of them, and to spread nothing takes time, too.
    if (usage === undefined && fingerprint === undefined && tier === undefined && !isOfPrompt) {
      return { upstreamId, choices };
    }
    return {
      upstreamId,
      choices,
      ...usage,
      ...(fingerprint === undefined ? {} : { systemFingerprint: fingerprint }),
      ...(tier === undefined ? {} : { serviceTier: tier }),
      ...(isOfPrompt ? { promptFilterResults } : {}),
    };
  }

  private choicesIn(list: readonly unknown[]): ChatChunkChoice[] {
    return list.map((choice, position) => this.choices.read(choice, position));
  }
}

/** A word that nearly every chunk of a stream repeats, and that is looked through once. */
class RepeatedWord {
  private given: unknown;
  private word: string | undefined;

  of(given: unknown): string | undefined {
    if (given === this.given) return this.word;
    const word = wordOf(given);
    // A longer one would be kept, too.
    if (word !== given) return word;
    [this.given, this.word] = [given, word];
    return word;
  }
}

/** Reads the events of one stream. */
export class ChunkEvents implements StreamDecoder<ChatChunk> {
  readonly hasAnswerPart = hasAnswerPart;
  private isDone = false;
  /** Whether the provider has sent its usage after all choices that have begun. */
  private isCounted = false;
  private failure: ProviderError | undefined;
  private readonly chunks = new ChunkDecoder();

  /** @param asked how many choices the request asks for */
  constructor(
    private readonly upstream: Upstream,
    private readonly asked = 1,
  ) {}

  get keptBytes(): number {
    return this.chunks.keptBytes;
  }

  read(event: ServerSentEvent): ChatChunk | undefined {
    if (isDone(event)) return this.done();
    // Some servers keep a connection alive with events whose data is empty.
    if (isBlank(event)) return undefined;
    const document = eventDocument(event, this.upstream);
    // One with an error in it has been thrown.
    if (event.event === 'error') throw namedError(document, this.upstream);
    const error = unnamedError(document, this.upstream);
    if (error !== undefined) throw error;
    const chunk = this.chunks.read(document);
    if (chunk.choices.length === 0 && chunk.usage) this.isCounted ||= this.chunks.choices.haveEnded;
    this.failure ??= reportedFailure(chunk.choices, document, this.upstream);
    return this.failure === undefined ? chunk : withoutFailures(chunk);
  }

  isLast(event: ServerSentEvent): boolean {
    return isDone(event);
  }

  hasFinished(): boolean {
    // Providers count at the end: choices that have not begun by then never will.
    return this.chunks.choices.haveFinished(this.isCounted ? 1 : this.asked);
  }

  ended(): void {
    // Not before the end, because the usage may come after it.
    if (this.failure !== undefined) throw this.failure;
    if (!this.isDone && !this.chunks.choices.haveEnded) throw brokenOff();
  }

  /** The chunk that gives missing finish reasons: clients reject a choice that ends without one. */
  private done(): ChatChunk | undefined {
    if (this.chunks.choices.breakOff) return undefined;
    this.isDone = true;
    const choices = this.chunks.choices.ends();
    return choices.length === 0 ? undefined : { choices };
  }
}

/** A choice that has failed does not end before its stream does. */
function withoutFailures(chunk: ChatChunk): ChatChunk {
  const choices = chunk.choices.map((choice) =>
    choice.finish_reason === 'error' ? { ...choice, finish_reason: null, native_finish_reason: null } : choice,
  );
  return { ...chunk, choices };
}
