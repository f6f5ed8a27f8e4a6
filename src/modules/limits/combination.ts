import { createHash } from 'node:crypto';
import type { CombinationValues, LimitKey } from './limit-vocabulary.js';

/**
 * The name of a combination of values: one counter of a limit. Values of any length have names of one length.
 *
 * @param groupBy the keys that the limit groups by, in its order
 * @param values a value of each; null for one that the request lacks
 * @returns a SHA-256 in base64url
 */
export function combinationOf(groupBy: readonly LimitKey[], values: CombinationValues): string {
  const pairs = groupBy.map((key) => [key, values[key] ?? null]);
  return createHash('sha256').update(JSON.stringify(pairs)).digest('base64url');
}

/** The combination that stands for all further ones of a key which has made as many as it may. */
export function overflowOf(keyId: string): string {
  return `overflow/${keyId}`;
}
