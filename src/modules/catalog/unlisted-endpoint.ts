import type { ProviderEntity } from './entities/provider.entity.js';
import type { EndpointMeasurements } from './model-facts.js';

/** What is measured of an endpoint that the list of endpoints does not have: nothing. */
export const NOT_MEASURED: EndpointMeasurements = {
  uptime_last_5m: null,
  uptime_last_30m: null,
  uptime_last_1d: null,
  latency_last_30m: null,
  throughput_last_30m: null,
};

/** A provider that the catalog does not have: its name is all that is known of it. */
export function unlistedProvider(slug: string, name: string): ProviderEntity {
  return {
    slug,
    name,
    privacyPolicyUrl: null,
    statusPageUrl: null,
    termsOfServiceUrl: null,
    headquarters: null,
    datacenters: null,
  };
}
