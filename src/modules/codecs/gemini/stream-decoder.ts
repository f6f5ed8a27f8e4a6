import type { ChatChunk, ChatChunkChoice, CountedUsage } from '../chat/chat-completion.js';
import { hasAnswerPart } from '../chat/chunk-content.js';
import { SMALL_ITEM_NODES } from '../chat/answer-work.js';
import { type JsonObject, objectOf, placeOf, walkedListOf, wordOf } from '../chat/json-values.js';
import { filtersInGemini } from '../chat/provider-filters.js';
import { ProviderError } from '../errors/provider-error.js';
import { brokenOff, eventDocuments, isBlank, isDone } from '../event-document.js';
import type { ServerSentEvent, StreamDecoder, Upstream } from '../upstream-codec.js';
import { blockedPrompt, CandidateReader, failureOf, type ReadCandidate } from './answer-decoder.js';
import { countedUsageOf, countsAnswer, mergedUsage, serviceTierOf } from './usage.js';

/** Far more than any request asks for. */
const MAXIMUM_CANDIDATES = 1_000;

/** What is known of a candidate takes so many bytes of the heap. */
const CANDIDATE_BYTES = 300;

/**
 * Reads one stream of `streamGenerateContent`. No event says that it is complete: it is if every candidate that has begun has a reason for
 * its end, and any has.
 */
export class GenerateContentEvents implements StreamDecoder<ChatChunk> {
  readonly hasAnswerPart = hasAnswerPart;
  private readonly candidates = new Map<number, CandidateReader>();
  /** How many of them have begun, have ended, and have said anything. Counted, because every event asks for it. */
  private readonly counts = { begun: 0, ended: 0, said: 0 };
  private usage: JsonObject = {};
  private isBlocked = false;
  private failure: ProviderError | undefined;

  /** @param asked how many candidates the request asks for */
  constructor(
    private readonly upstream: Upstream,
    private readonly asked = 1,
  ) {}

  get keptBytes(): number {
    return this.candidates.size * CANDIDATE_BYTES;
  }

  read(event: ServerSentEvent): ChatChunk | undefined {
    if (isDone(event) || isBlank(event)) return undefined;
    const chunks = eventDocuments(event, this.upstream).map((document) => this.chunkOf(document));
    const [first] = chunks;
    if (first === undefined || chunks.length === 1) return first;
    // A server that has no events sends all that it says as one list.
    const last = chunks.at(-1)!;
    const providerFilters = chunks.flatMap(({ providerFilters: filters = [] }) => filters);
    return { ...last, choices: chunks.flatMap(({ choices }) => choices), providerFilters };
  }

  /** What follows the documents of a server that has no events. */
  isLast(event: ServerSentEvent): boolean {
    return isDone(event);
  }

  hasFinished(): boolean {
    return this.isBlocked || (this.counts.ended >= this.asked && this.haveEnded());
  }

  ended(): void {
    // Not before the end, because the usage may come after it.
    if (this.failure !== undefined) throw this.failure;
    if (!this.isBlocked && !this.haveEnded()) throw brokenOff();
  }

  private haveEnded(): boolean {
    // What has ended has begun.
    return this.counts.ended > 0 && this.counts.ended === this.counts.begun;
  }

  private chunkOf(answer: JsonObject): ChatChunk {
    const blocked = blockedPrompt(answer);
    this.isBlocked ||= blocked !== undefined;
    const choices =
      blocked === undefined
        ? walkedListOf(answer['candidates'], SMALL_ITEM_NODES).map((candidate, position) =>
            this.choiceOf(candidate, position),
          )
        : [{ index: 0, delta: {}, ...blocked }];
    const metadata = objectOf(answer['usageMetadata']);
    if (metadata !== undefined) this.usage = mergedUsage(this.usage, metadata);
    const isEnd = choices.some(({ finish_reason: reason }) => reason !== null);
    const tier = metadata === undefined ? null : serviceTierOf(this.usage);
    return {
      upstreamId: wordOf(answer['responseId']) ?? null,
      choices,
      ...((metadata !== undefined || isEnd) && this.counted()),
      ...(tier !== null && { serviceTier: tier }),
      ...filtersInGemini(answer),
    };
  }

  /** The counts are totals until now: those before the end are not all of the answer. */
  private counted(): CountedUsage | undefined {
    const isOver = this.isBlocked || this.haveEnded();
    return countedUsageOf(this.usage, isOver && (this.counts.said === 0 || countsAnswer(this.usage)));
  }

  private choiceOf(value: unknown, position: number): ChatChunkChoice {
    const candidate = objectOf(value) ?? {};
    const index = placeOf(candidate['index'], position);
    const { calls: _calls, ...read } = this.readBy(this.at(index), candidate);
    if (read.finish_reason !== 'error') return { index, ...read };
    // A choice that has failed does not end before its stream does.
    this.failure ??= failureOf(candidate, this.upstream);
    return { index, ...read, finish_reason: null, native_finish_reason: null };
  }

  private readBy(reader: CandidateReader, candidate: JsonObject): ReadCandidate {
    const { hasBegun, hasEnded, hasSaid } = reader;
    const read = reader.read(candidate);
    if (!hasBegun && reader.hasBegun) this.counts.begun += 1;
    if (!hasEnded && reader.hasEnded) this.counts.ended += 1;
    if (!hasSaid && reader.hasSaid) this.counts.said += 1;
    return read;
  }

  private at(index: number): CandidateReader {
    const known = this.candidates.get(index);
    if (known !== undefined) return known;
    if (this.candidates.size === MAXIMUM_CANDIDATES) {
      throw new ProviderError('invalid', `The provider’s answer has more than ${MAXIMUM_CANDIDATES} candidates.`);
    }
    const reader = new CandidateReader();
    this.candidates.set(index, reader);
    return reader;
  }
}
