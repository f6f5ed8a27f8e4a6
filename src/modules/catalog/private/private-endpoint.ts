// What endpoints of organizations' own consist of (docs/interface/private-models.md).

/** The states of an endpoint: only an active one answers requests. */
export const PRIVATE_ENDPOINT_STATUSES = ['draft', 'active', 'disabled'] as const;

/** The state of an endpoint. */
export type PrivateEndpointStatus = (typeof PRIVATE_ENDPOINT_STATUSES)[number];

/** Where an organization says that its endpoint works. */
export const DECLARED_REGIONS = ['global', 'europe', 'us'] as const;

/** Where an organization says that its endpoint works. */
export type DeclaredRegion = (typeof DECLARED_REGIONS)[number];

/** US dollars for a token, as decimals. */
export interface PrivatePricing {
  readonly prompt: string;
  readonly completion: string;
}

/** What a provider of an organization's own does with requests, as the organization says. */
export interface PrivateDataPolicy {
  readonly training: boolean;
  readonly retains_prompts: boolean;
  /** For how many days it keeps them; null for what is not said. */
  readonly prompt_retention_days?: number | null;
}
