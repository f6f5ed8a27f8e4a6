/** The possible regions of a deployment, which policies can name. */
export const DATA_REGIONS = ['global', 'europe', 'us'] as const;

export type DataRegion = (typeof DATA_REGIONS)[number];
