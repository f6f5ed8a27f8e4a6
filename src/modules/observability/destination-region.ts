import { DATA_REGIONS, type DataRegion } from '../../config/data-region.js';

/** What requests may name: the regions, and `eu` as another name of `europe`. */
export const REQUESTED_REGIONS = [...DATA_REGIONS, 'eu'] as const;

/** The regions that a request names by one name each and without repetition, in the order in which they come first. */
export function regionsOf(requested: readonly (typeof REQUESTED_REGIONS)[number][]): DataRegion[] {
  return [...new Set(requested.map((region) => (region === 'eu' ? 'europe' : region)))];
}
