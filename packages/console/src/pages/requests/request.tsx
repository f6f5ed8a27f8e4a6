import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation, useParams, useSearch } from 'wouter';
import { api, answered } from '../../api/client';
import { useNames } from '../../api/names';
import type { Schema } from '../../api/types';
import { Facts } from '../../components/facts';
import { Failure } from '../../components/failure';
import { useFilters } from '../../components/filters';
import { Page, Section } from '../../components/page';
import { Steps } from '../../components/steps';
import { count, duration, Labels, Time, usd } from '../../components/values';
import { stepsOf } from './decision';
import { useRequests } from './list';
import { RequestContent } from './request-content';
import { RequestStatus } from './request-status';

/** One request: how it was decided, step by step, what it used and cost, and the way to the next of the same list. */
export function RequestPage(): ReactNode {
  const { id } = useParams<{ id: string }>();
  const search = useSearch();
  const below = search === '' ? '' : `?${search}`;
  const found = useQuery({
    queryKey: ['request', id],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/generation', { params: { query: { id } }, signal })),
  });
  const record = found.data?.data;
  return (
    <Page title="Request" crumbs={[{ label: 'Requests', to: `/requests${below}` }]} actions={<Neighbours id={id} />}>
      <Failure error={found.error} />
      {record !== undefined && (
        <>
          <p role="status">
            <RequestStatus status={record.status} refusal={record.refusal} /> <code>{record.id}</code>
          </p>
          <Section title="Decision">
            <Steps steps={stepsOf(record)} />
          </Section>
          <Section title="Usage">
            <Usage record={record} />
          </Section>
          {/* Another record has another content, which is not asked for by going on. */}
          <RequestContent key={id} id={id} />
        </>
      )}
    </Page>
  );
}

/** The records before and behind this one in the list with the same filters. */
function Neighbours({ id }: { readonly id: string }): ReactNode {
  const search = useSearch();
  const [, navigate] = useLocation();
  const requests = useRequests(useFilters());
  const [isMoving, setMoving] = useState(false);
  const ids = requests.data?.pages.flatMap(({ data }) => data.map((row) => row.id)) ?? [];
  const place = ids.indexOf(id);
  const goTo = (other: string | undefined): void => {
    if (other !== undefined) navigate(`/requests/${encodeURIComponent(other)}${search === '' ? '' : `?${search}`}`);
  };
  const goOn = async (): Promise<void> => {
    if (place < ids.length - 1) {
      goTo(ids[place + 1]);
      return;
    }
    setMoving(true);
    const { data } = await requests.fetchNextPage();
    setMoving(false);
    goTo(data?.pages.flatMap(({ data: rows }) => rows.map((row) => row.id))[place + 1]);
  };
  if (place === -1) return null;
  return (
    <>
      <button type="button" disabled={place === 0} onClick={() => goTo(ids[place - 1])}>
        Previous
      </button>
      <button
        type="button"
        disabled={place === ids.length - 1 && !requests.hasNextPage}
        aria-disabled={isMoving}
        onClick={() => void goOn()}
      >
        Next
      </button>
    </>
  );
}

function Usage({ record }: { readonly record: Schema<'Generation'> }): ReactNode {
  const names = useNames();
  const search = useSearch();
  const optional = (value: number | null | undefined): string | null => (value == null ? null : count(value));
  return (
    <Facts
      facts={[
        ['Time', <Time at={record.created_at} />],
        ['Key', record.key_hash === null ? null : <Link href={`/keys/${record.key_hash}`}>{record.key_name}</Link>],
        [
          'More of this key',
          record.key_hash === null ? null : (
            <Link
              href={`/requests?${new URLSearchParams([...new URLSearchParams(search), ['key_hash', record.key_hash]])}`}
            >
              Only its requests
            </Link>
          ),
        ],
        ['Member', record.user_name ?? record.user_id],
        ['Workspace', names.workspace(record.workspace_id)],
        ['Model', record.model],
        ['Provider', record.provider_name],
        ['Tokens of the prompt', optional(record.tokens_prompt)],
        ['of these cached', optional(record.native_tokens_cached)],
        ['Tokens of the answer', optional(record.tokens_completion)],
        ['of these reasoning', optional(record.native_tokens_reasoning)],
        ['Cost', usd(record.total_cost)],
        ['Cost at the provider', record.upstream_inference_cost == null ? null : usd(record.upstream_inference_cost)],
        ['Until the first token', record.latency == null ? null : duration(record.latency)],
        ['In all', record.generation_time == null ? null : duration(record.generation_time)],
        ['End user', record.external_user],
        ['Labels', record.labels === undefined ? null : <Labels labels={record.labels} />],
        ['Client', record.user_agent],
        ['Session', record.session_id],
        ['Request id', record.request_id],
      ]}
    />
  );
}
