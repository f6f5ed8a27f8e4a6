import { isInShare } from './share.js';

/** What decides together with the destination whether a generation is in its sample. */
export interface Sampled {
  readonly generationId: string;
  readonly sessionId: string | null;
  /** The `trace_id` of the request's `trace` object. */
  readonly traceId: string | null;
}

/**
 * Whether a generation is in the sample of a destination (docs/interface/destinations.md#what-is-sent): all
 * generations of a session, or else of a trace, are in it or none.
 *
 * @param rate the share that is sent, from 0 to 1
 */
export function isSampled(destinationId: string, rate: number, { generationId, sessionId, traceId }: Sampled): boolean {
  return isInShare(`${destinationId}:${sessionId ?? traceId ?? generationId}`, rate);
}
