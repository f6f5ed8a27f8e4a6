/** The regions that a deployment can stand in, and that policies can name. */
export const DATA_REGIONS = ['global', 'europe', 'us'] as const;

export type DataRegion = (typeof DATA_REGIONS)[number];
