import type { EndpointCondition } from '../../routing/endpoint-order.js';
import type { OwnAttempts } from '../../routing/endpoint-health.js';
import type { ProviderEndpointHealth, ProviderHealth } from './dto/provider-health.dto.js';

/** An endpoint, and what an organization may know of it. */
export interface ObservedEndpoint {
  /** The slug of the provider. */
  readonly provider: string;
  /** The id of the model. */
  readonly model: string;
  readonly tag: string;
  readonly condition: EndpointCondition;
  /** Undefined if this process knows of none. */
  readonly attempts: OwnAttempts | undefined;
}

/** Maps the health of an endpoint to the response. */
export function toEndpointHealth({ model, tag, condition, attempts }: ObservedEndpoint): ProviderEndpointHealth {
  return {
    model,
    endpoint: tag,
    condition,
    failed_attempts: attempts?.failed ?? 0,
    last_success_at: timeOf(attempts?.lastSuccessAt),
    last_failure_at: timeOf(attempts?.lastFailureAt),
  };
}

/** Maps the health of a provider to the response. @param endpoints the worst first */
export function toProviderHealth(slug: string, name: string, endpoints: ProviderEndpointHealth[]): ProviderHealth {
  return { provider: slug, name, condition: endpoints[0]?.condition ?? 'normal', endpoints };
}

function timeOf(milliseconds: number | null | undefined): string | null {
  return milliseconds === null || milliseconds === undefined ? null : new Date(milliseconds).toISOString();
}
