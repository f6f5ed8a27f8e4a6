/** The regions of deployments whose generations a destination may receive. */
export const DESTINATION_REGIONS = ['global', 'europe', 'us'] as const;

export type DestinationRegion = (typeof DESTINATION_REGIONS)[number];

/** What requests may name: the regions, and `eu` as another name of `europe`. */
export const REQUESTED_REGIONS = ['global', 'europe', 'us', 'eu'] as const;

/** The regions that a request names by one name each and without repetition, in the order in which they come first. */
export function regionsOf(requested: readonly (typeof REQUESTED_REGIONS)[number][]): DestinationRegion[] {
  return [...new Set(requested.map((region) => (region === 'eu' ? 'europe' : region)))];
}
