import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answered, api } from '../../api/client';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import { Badge, Time } from '../../components/values';

type Endpoint = Schema<'ProviderEndpointHealth'>;

/** How often health is asked anew while it is looked at, in milliseconds. */
const REFRESH_MS = 15_000;

const SAID = {
  normal: { tone: 'good', text: 'Well' },
  degraded: { tone: 'warning', text: 'Degraded' },
  down: { tone: 'bad', text: 'Down' },
} as const;

/** How well providers answer now, as the process that answers sees it; nothing for those who may not see usage. */
export function useProvidersHealth(): UseQueryResult<Schema<'ProvidersHealth'>> {
  const may = useMay();
  return useQuery({
    queryKey: ['providers', 'health'],
    queryFn: async ({ signal }) => (await answered(api.GET('/api/v1/providers/health', { signal }))).data,
    enabled: may('usage_read'),
    refetchInterval: REFRESH_MS,
  });
}

/** A condition in a word. */
export function Condition({ condition }: Pick<Endpoint, 'condition'>): ReactNode {
  const { tone, text } = SAID[condition];
  return <Badge tone={tone}>{text}</Badge>;
}

interface EndpointsProps {
  readonly endpoints: readonly Endpoint[];
  readonly nameOf: (endpoint: Endpoint) => string;
}

/** Endpoints with their conditions and what the organization last got of each, on demand. */
export function EndpointsHealth({ endpoints, nameOf }: EndpointsProps): ReactNode {
  if (endpoints.length === 0) return null;
  return (
    <details>
      <summary>
        {endpoints.length} {endpoints.length === 1 ? 'endpoint' : 'endpoints'}
      </summary>
      <ul>
        {endpoints.map((endpoint) => (
          <li key={`${endpoint.model} ${endpoint.endpoint}`}>
            <code>{nameOf(endpoint)}</code> <Condition condition={endpoint.condition} />
            {endpoint.failed_attempts > 0 && ` ${endpoint.failed_attempts} failed in 5 minutes`}
            {endpoint.last_failure_at !== null && (
              <>
                , last failure <Time at={endpoint.last_failure_at} />
              </>
            )}
            {endpoint.last_success_at !== null && (
              <>
                , last success <Time at={endpoint.last_success_at} />
              </>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
