import { createHash } from 'node:crypto';

/** The number of bytes that stand for a share, and how many shares they can stand for. */
const SHARE_BYTES = 6;
const SHARES = 2 ** (SHARE_BYTES * 8);

/** What decides together with the destination whether a generation is in its sample. */
export interface Sampled {
  readonly generationId: string;
  readonly sessionId: string | null;
  /** The `trace_id` of the request's `trace` object. */
  readonly traceId: string | null;
}

/**
 * Whether a generation is in the sample of a destination (docs/interface/destinations.md#what-is-sent): a hash decides, so that all
 * generations of a session, or else of a trace, are in it or none.
 *
 * @param rate the share that is sent, from 0 to 1
 */
export function isSampled(destinationId: string, rate: number, { generationId, sessionId, traceId }: Sampled): boolean {
  if (rate <= 0 || rate >= 1) return rate > 0;
  const hash = createHash('sha256')
    .update(`${destinationId}:${sessionId ?? traceId ?? generationId}`)
    .digest();
  return hash.readUIntBE(0, SHARE_BYTES) / SHARES < rate;
}
