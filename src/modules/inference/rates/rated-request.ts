import type { RateLevel, RateSubject } from '../../rates/rate-count.js';

/** A request of which requests or tokens per minute are limited, once it was counted or refused. */
export interface RatedRequest {
  /** Every limit that applies. */
  readonly levels: readonly RateLevel[];
  /** What was counted for it; undefined for one that was refused, of which nothing was. */
  readonly counted?: {
    readonly subjects: readonly RateSubject[];
    readonly second: number;
    /** The tokens that it was expected to use. */
    readonly tokens: number;
  };
}
