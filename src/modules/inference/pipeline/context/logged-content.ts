import { createHash } from 'node:crypto';
import type { RequestContext } from './request-context.repository.js';

/** The number of bytes that stand for a share, and how many shares they can stand for. */
const SHARE_BYTES = 6;
const SHARES = 2 ** (SHARE_BYTES * 8);

/**
 * Whether the content of a request is kept (docs/interface/generations.md#content): a hash of the id decides, so that
 * the answer for a request is always the same.
 *
 * @param id of the generation
 */
export function keepsContent({ contentLoggingRate }: RequestContext, id: string): boolean {
  if (contentLoggingRate <= 0 || contentLoggingRate >= 1) return contentLoggingRate > 0;
  const share = createHash('sha256').update(id).digest().readUIntBE(0, SHARE_BYTES) / SHARES;
  return share < contentLoggingRate;
}
