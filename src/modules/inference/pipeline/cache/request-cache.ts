import type { TokenUsage } from '../../../codecs/chat/chat-completion.js';
import type { ResponseCache } from '../../../response-cache/response-cache.service.js';
import type { Units } from '../cost/units.js';
import type { AnswerOutcome } from '../request/answer-outcome.js';
import type { Candidate } from '../request/candidate.js';
import { AnswerRecording } from './answer-recording.js';

/** What is kept of an answer besides the answer itself. */
export interface CachedHead {
  /** The id of the generation that it was the answer of. */
  readonly sourceId: string;
  /** Milliseconds of Unix time. */
  readonly keptAt: number;
  /** Which endpoint has answered. */
  readonly model: string;
  readonly endpoint: string;
  readonly usage: TokenUsage;
  readonly units?: Units | undefined;
}

/** An answer that an equal request had, and may be used for this one. */
export interface CacheHit extends CachedHead {
  /** The candidate of this request that has answered the other one. */
  readonly candidate: Candidate;
  /** As the answer services take it, without what was counted. */
  readonly answer: unknown;
}

/** Where an answer is kept, and how. */
interface Keeping {
  readonly place: Parameters<ResponseCache['put']>[0];
  readonly ttlSeconds: number;
  /** In characters. */
  readonly maximumLength: number;
}

/** The cache as one request uses it: what it has found, or what is to be kept of its answer. */
export class RequestCache {
  /** How the answer was made, where there was none in the cache. */
  readonly recording: AnswerRecording | undefined;

  /** @param hit undefined where the request goes to a provider */
  constructor(
    private readonly cache: ResponseCache,
    private readonly keeping: Keeping,
    readonly hit: CacheHit | undefined,
  ) {
    if (hit === undefined) this.recording = new AnswerRecording(keeping.maximumLength);
  }

  get ttlSeconds(): number {
    return this.keeping.ttlSeconds;
  }

  /** Keeps the answer, if it has come to its end. @param head what is known of it */
  async keep({ isCancelled, hasFailed, isGivenUp }: AnswerOutcome, head: CachedHead): Promise<void> {
    const text = this.recording?.text;
    if (text === undefined || isCancelled || hasFailed || isGivenUp === true) return;
    const { place, ttlSeconds } = this.keeping;
    await this.cache.put(place, `${JSON.stringify(head).slice(0, -1)},"answer":${text}}`, ttlSeconds);
  }
}

/** What answers a request from the cache, as the candidate gave it to an equal one; undefined where a candidate has to be asked. */
export function cachedAnswer({
  cache,
}: {
  readonly cache?: RequestCache | undefined;
}): { readonly candidate: Candidate; readonly result: unknown } | undefined {
  return cache?.hit && { candidate: cache.hit.candidate, result: cache.hit.answer };
}
