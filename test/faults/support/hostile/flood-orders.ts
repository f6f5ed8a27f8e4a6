import type { Outcome } from '../caller.js';

/** A request that a thread sends many times at once. */
export interface FloodOrders {
  readonly origin: string;
  readonly key: string;
  readonly path: string;
  readonly body: object;
  readonly count: number;
  /** After how many milliseconds the requests are left; absent where they are waited for. */
  readonly leftAfterMs?: number;
}

/** What came of one of the requests. */
export type FloodOutcome = Pick<Outcome, 'status' | 'fault'>;
