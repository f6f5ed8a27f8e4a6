import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { answered, api } from '../../api/client';
import { useNames } from '../../api/names';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { Facts } from '../../components/facts';
import { Failure } from '../../components/failure';
import { ManagedNote } from '../../components/managed';
import { Page, Section } from '../../components/page';
import { count, Time } from '../../components/values';
import { DestinationState } from './destination-state';

/** How often the deliveries are asked for while they are looked at, in milliseconds. */
const REFRESH_MS = 10_000;

/** One destination, how its deliveries go, and a test of it. */
export function DestinationPage(): ReactNode {
  const { id } = useParams<{ id: string }>();
  const names = useNames();
  const path = { id };
  const destination = useQuery({
    queryKey: ['destinations', id],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/observability/destinations/{id}', { params: { path }, signal })),
  });
  const deliveries = useQuery({
    queryKey: ['deliveries', id],
    queryFn: ({ signal }) =>
      answered(api.GET('/api/v1/observability/destinations/{id}/deliveries', { params: { path }, signal })),
    refetchInterval: REFRESH_MS,
  });
  const test = useChange({
    run: () => answered(api.POST('/api/v1/observability/destinations/{id}/test', { params: { path } })),
    invalidates: ['deliveries'],
    says: ({ data }) => (data.delivered ? 'The receiver has taken the test' : 'The receiver has not taken the test'),
  });
  const shown = destination.data?.data;
  return (
    <Page
      title={shown?.name ?? 'Destination'}
      crumbs={[{ label: 'Destinations', to: '/destinations' }]}
      actions={
        <button type="button" className="primary" aria-disabled={test.isPending} onClick={() => test.mutate()}>
          {test.isPending ? 'Sending …' : 'Send a test'}
        </button>
      }
    >
      <Failure error={destination.error ?? deliveries.error ?? test.error} />
      {test.data !== undefined && <TestResult result={test.data.data} />}
      <ManagedNote section="destinations" id={id} />
      {shown !== undefined && (
        <Facts
          facts={[
            ['Type', shown.type],
            ['Workspace', names.workspace(shown.workspace_id)],
            ['State', shown.enabled ? 'Enabled' : 'Disabled'],
            ['Gets', `${Math.round(shown.sampling_rate * 100)} % of the generations`],
            ['Content', shown.privacy_mode ? 'Never' : 'Where the workspace logs it'],
            ['Changed', <Time key="changed" at={shown.updated_at} />],
          ]}
        />
      )}
      {deliveries.data !== undefined && <Deliveries deliveries={deliveries.data.data} />}
    </Page>
  );
}

function TestResult({ result }: { readonly result: Schema<'DestinationTestResult'> }): ReactNode {
  if (result.delivered) return <p>The receiver has taken the generation of the test.</p>;
  return (
    <div className="failure" role="alert">
      <p>
        The receiver has not taken the generation of the test{result.status !== null && ` (${result.status})`}:{' '}
        {result.message}
      </p>
    </div>
  );
}

function Deliveries({ deliveries }: { readonly deliveries: Schema<'DestinationDeliveries'> }): ReactNode {
  const { last_failure: failure, last_partial_success: partial } = deliveries;
  const isKept = deliveries.state === 'off' && deliveries.waiting > 0;
  return (
    <Section title="Deliveries">
      <Facts
        facts={[
          ['State', <DestinationState key="state" state={deliveries.state} />],
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
