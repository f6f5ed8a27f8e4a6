import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answered, api } from '../../api/client';
import { Facts } from '../../components/facts';
import { Failure } from '../../components/failure';
import { Section } from '../../components/page';
import { count, Time } from '../../components/values';
import { DestinationState } from './destination-state';
import type { Destination } from './destination-types';

/** How often the deliveries are asked for while they are looked at, in milliseconds. */
const REFRESH_MS = 10_000;

/** How deliveries to a destination go: what waits, what was taken and given up, and the last failure. */
export function Deliveries({ destination: { id, enabled } }: { readonly destination: Destination }): ReactNode {
  const found = useQuery({
    queryKey: ['deliveries', id],
    queryFn: ({ signal }) =>
      answered(api.GET('/api/v1/observability/destinations/{id}/deliveries', { params: { path: { id } }, signal })),
    refetchInterval: REFRESH_MS,
  });
  const deliveries = found.data?.data;
  if (deliveries === undefined) return <Failure error={found.error} />;
  const { last_failure: failure, last_partial_success: partial } = deliveries;
  const isKept = deliveries.state === 'off' && deliveries.waiting > 0;
  return (
    <Section title="Deliveries">
      <Failure error={found.error} />
      <Facts
        facts={[
          ['State', <DestinationState key="state" state={deliveries.state} enabled={enabled} />],
          ['Delivered', count(deliveries.delivered)],
          ['Waiting', `${count(deliveries.waiting)}${isKept ? ', sent when the destination is on again' : ''}`],
          ['Waiting since', at(deliveries.waiting_since)],
          ['Given up', count(deliveries.dropped)],
          ['Spans not kept', deliveries.rejected_spans > 0 && count(deliveries.rejected_spans)],
          [
            'Not kept',
            partial && (
              <>
                <Time at={partial.delivered_at} />: {partial.message}
              </>
            ),
          ],
          ['Last success', at(deliveries.last_success_at)],
          ['Next try', at(deliveries.next_try_at)],
          ['Filter rules', deliveries.filter_problem],
          [
            'Last failure',
            failure && (
              <>
                <Time at={failure.failed_at} />
                {failure.status !== null && ` (${failure.status})`}: {failure.message}
              </>
            ),
          ],
        ]}
      />
    </Section>
  );
}

function at(time: string | null): ReactNode {
  return time && <Time at={time} />;
}
