import type { RateLevel, RateSubject } from '../../../rates/rate-count.js';

/** A request under a limit of requests or tokens per minute, once it was counted or refused. */
export interface RatedRequest {
  /** Every limit that applies. */
  readonly levels: readonly RateLevel[];
  /** What was counted for it; undefined for a refused request, for which nothing was. */
  readonly counted?: {
    readonly subjects: readonly RateSubject[];
    readonly second: number;
    /** The tokens that it was expected to use. */
    readonly tokens: number;
  };
}
