/** Why a request was not answered, in the words of the public interface. */
export type AvailabilityCode =
  | 'model_not_found'
  | 'wrong_endpoint'
  | 'no_endpoints'
  | 'privacy_restricted'
  | 'constraint_filtered'
  | 'capacity_exhausted'
  | 'temporarily_unavailable'
  | 'region_restricted';

/** What clients decide by whether to ask again, and for what (docs/interface/inference.md#availability). */
export interface Availability {
  readonly code: AvailabilityCode;
  /** Whether the same request can be answered later. */
  readonly retryable: boolean;
  /** As the request named them, or where they are known by their ids. */
  readonly requested_models: readonly string[];
  /** Where this server describes the operation that helps. */
  readonly docs_url: string;
  /** Seconds, as in the header. */
  readonly retry_after?: number;
  /** The names of the providers that were asked. */
  readonly affected_providers?: readonly string[];
  /** Why endpoints were not asked. */
  readonly excluded_by?: readonly string[];
  /** What the request asks of endpoints that none of them has. */
  readonly constraint?: { readonly field: string; readonly detail: string };
}

/** The operation that helps with each case, in the page of the documentation (src/http/openapi). */
export const DOCUMENTATION: Readonly<Record<AvailabilityCode, string>> = {
  model_not_found: '/docs#/Models/getModels',
  wrong_endpoint: '/docs#/Models/getModels',
  no_endpoints: '/docs#/Endpoints/listEndpoints',
  constraint_filtered: '/docs#/Endpoints/listEndpoints',
  privacy_restricted: '/docs#/Guardrails/getEffectiveGuardrails',
  region_restricted: '/docs#/Guardrails/getEffectiveGuardrails',
  capacity_exhausted: '/docs#/Generations/getGeneration',
  temporarily_unavailable: '/docs#/Generations/getGeneration',
};

/** Codes of what passes by itself. */
const PASSING: ReadonlySet<AvailabilityCode> = new Set(['capacity_exhausted', 'temporarily_unavailable']);

/** The field of an error that says why a request was not answered. What is not known is left out, as are empty lists. */
export function availabilityField(
  code: AvailabilityCode,
  requestedModels: readonly string[],
  facts: Partial<Pick<Availability, 'retry_after' | 'affected_providers' | 'excluded_by' | 'constraint'>> = {},
): { readonly availability: Availability } {
  const known = Object.entries(facts).filter(([, value]) => !(Array.isArray(value) && value.length === 0));
  return {
    availability: {
      code,
      retryable: PASSING.has(code),
      requested_models: requestedModels,
      docs_url: DOCUMENTATION[code],
      ...Object.fromEntries(known),
    },
  };
}
