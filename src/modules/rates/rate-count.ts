import type { StoredRateLimits } from './rate-limits.js';

/** What is counted. */
export const RATE_KINDS = ['requests', 'tokens'] as const;

export type RateKind = (typeof RATE_KINDS)[number];

/** Whose requests are counted. */
export const RATE_SUBJECTS = ['workspace', 'key'] as const;

/** A key or a workspace that has limits. */
export interface RateSubject {
  readonly subject: (typeof RATE_SUBJECTS)[number];
  readonly id: string;
  readonly limits: StoredRateLimits;
}

/** A request that is to be counted for all of its subjects, or for none. */
export interface CountedRequest {
  /** At least one; of several that refuse it the first does. */
  readonly subjects: readonly RateSubject[];
  /** What it is expected to use, at least 1; without effect on subjects without a limit of tokens. */
  readonly tokens: number;
}

/** What a request has used in fact, over or under what was counted for it. */
export interface TokenCorrection {
  readonly subjects: readonly RateSubject[];
  /** When it was counted ({@link RateCount}). */
  readonly second: number;
  /** What is counted from now on as well, or if negative taken back. */
  readonly tokens: number;
}

/** How much of one limit is used. */
export interface RateLevel {
  readonly subject: RateSubject['subject'];
  readonly kind: RateKind;
  readonly limit: number;
  readonly used: number;
  /** Whole seconds until nothing of it is used, if nothing else is counted. */
  readonly resetSeconds: number;
}

/** A limit that leaves no room for a request. */
export interface ExceededRate extends RateLevel {
  /** What the request would have used of it. */
  readonly requested: number;
  /** Whole seconds until there is room. */
  readonly retryAfterSeconds: number;
}

/** How a request was counted. */
export interface RateCount {
  /** Seconds since the epoch, by the clock of the store that counts: the process, PostgreSQL or Redis. */
  readonly second: number;
  /** Every limit of its subjects, with the request where it was counted. */
  readonly levels: readonly RateLevel[];
  /** Why it was not counted; undefined where it was. */
  readonly exceeded?: ExceededRate;
}

/** Counts requests of whatever organization, each for all of its subjects or for none. */
export interface RateCounter {
  count(organizationId: string, request: CountedRequest): Promise<RateCount>;
  correct(organizationId: string, correction: TokenCorrection): Promise<void>;
}

/** A limit that a request is counted under. */
export interface AskedLimit {
  readonly subject: RateSubject;
  readonly kind: RateKind;
  readonly limit: number;
  readonly amount: number;
}

/** The limits of a request, those of requests before those of tokens for each of its subjects. */
export function limitsOf({ subjects, tokens }: CountedRequest): AskedLimit[] {
  return subjects.flatMap((subject) => {
    const { requestsPerMinute, tokensPerMinute } = subject.limits;
    return [
      ...(requestsPerMinute === null
        ? []
        : [{ subject, kind: 'requests' as const, limit: requestsPerMinute, amount: 1 }]),
      ...(tokensPerMinute === null
        ? []
        : [{ subject, kind: 'tokens' as const, limit: tokensPerMinute, amount: tokens }]),
    ];
  });
}

/** The subjects among some that have a limit of tokens. */
export function withTokenLimits(subjects: readonly RateSubject[]): RateSubject[] {
  return subjects.filter(({ limits }) => limits.tokensPerMinute !== null);
}

/** What a subject is called among those of its organization. */
export function nameOf({ subject, id }: Pick<RateSubject, 'subject' | 'id'>): string {
  return `${subject}:${id}`;
}
