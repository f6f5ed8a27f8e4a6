import { useQuery } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { Link } from 'wouter';
import { answered, api } from '../../api/client';
import { ReplayLimitRequest } from '../../api/descriptions';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { DataTable } from '../../components/data-table';
import { Facts } from '../../components/facts';
import { Failure } from '../../components/failure';
import { NumberField, requestFields, TextField } from '../../components/fields';
import { toLocalInput, useFilters } from '../../components/filters';
import { Section } from '../../components/page';
import { Badge, count, type Tone, usd } from '../../components/values';

type Replay = Schema<'Replay'>;

/** Which records are replayed. */
export type ReplayedRecords = Pick<Schema<'ReplayGuardrailRequest'>, 'from' | 'to' | 'sample'>;

/** How often a running replay is asked for, in milliseconds. */
const PROGRESS_MS = 1_000;

/** How far back records are replayed at first, in milliseconds. */
const WEEK_MS = 7 * 86_400_000;

interface ReplaySectionProps {
  readonly begin: (records: ReplayedRecords) => Promise<{ readonly data: Replay }>;
  /** What is replayed, and what a share of the records leaves out. */
  readonly hint: string;
}

/** Which recorded requests a guardrail or a limit would have refused. The replay is in the address, so that it is there again. */
export function ReplaySection({ begin, hint }: ReplaySectionProps): ReactNode {
  const may = useMay();
  const filters = useFilters();
  const [now] = useState(() => Date.now());
  const [from, setFrom] = useState(() => toLocalInput(new Date(now - WEEK_MS).toISOString()));
  const [to, setTo] = useState(() => toLocalInput(new Date(now).toISOString()));
  const [percent, setPercent] = useState<number | null>(100);
  const run = useChange({
    run: () =>
      begin({ from: new Date(from).toISOString(), to: new Date(to).toISOString(), sample: (percent ?? 100) / 100 }),
    invalidates: ['replays'],
    says: 'The replay has begun.',
    then: ({ data }) => filters.set({ replay: data.id }),
  });
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!run.isPending) run.mutate();
  };
  const of = requestFields(ReplayLimitRequest, run.error);
  const replay = filters.get('replay');
  // Who may not read what was used could begin one, and would never see what it has found.
  if (!may('usage_read')) return null;
  return (
    <Section title="What would it have done?">
      <p className="quiet">{hint}</p>
      <form onSubmit={send}>
        <div className="pairs">
          <TextField
            label="Records from"
            type="datetime-local"
            isRequired
            value={from}
            {...of('from')}
            onChange={setFrom}
          />
          <TextField label="Records to" type="datetime-local" isRequired value={to} {...of('to')} onChange={setTo} />
          <NumberField
            label="Sample in percent"
            max={100}
            step="any"
            value={percent}
            {...of('sample')}
            onChange={setPercent}
          />
        </div>
        <Failure error={run.error} />
        <button type="submit" aria-disabled={run.isPending}>
          Replay
        </button>
      </form>
      {replay !== '' && <Progress key={replay} id={replay} />}
    </Section>
  );
}

const STATES: Readonly<Record<Replay['state'], readonly [label: string, tone: Tone]>> = {
  running: ['Running', 'neutral'],
  finished: ['Finished', 'good'],
  failed: ['Failed: begin it again', 'bad'],
  cancelled: ['Cancelled', 'warning'],
};

/** How far a replay is, and at its end what it has found. */
function Progress({ id }: { readonly id: string }): ReactNode {
  const may = useMay();
  const params = { path: { id } };
  const found = useQuery({
    queryKey: ['replays', id],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/replays/{id}', { params, signal })),
    refetchInterval: ({ state }) => (state.data?.data.state === 'running' ? PROGRESS_MS : false),
  });
  const cancel = useChange({
    run: () => answered(api.DELETE('/api/v1/replays/{id}', { params })),
    invalidates: ['replays'],
    says: 'The replay was cancelled.',
  });
  const replay = found.data?.data;
  if (replay === undefined) return <Failure error={found.error} />;
  const [label, tone] = STATES[replay.state];
  return (
    <>
      <p role="status">
        <Badge tone={tone}>{label}</Badge> {count(replay.read_count)} records were looked at.{' '}
        {replay.state === 'running' && may('usage_write') && (
          <button type="button" aria-disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel the replay
          </button>
        )}
      </p>
      <Failure error={found.error ?? cancel.error} />
      {replay.result !== null && <Findings result={replay.result} />}
    </>
  );
}

function Findings({ result }: { readonly result: Schema<'ReplayFindings'> }): ReactNode {
  const { refused_count: refused, undecided_count: undecided, contents_read: contents } = result;
  return (
    <>
      <Facts
        facts={[
          ['Would have been refused', count(refused)],
          ['They cost', refused > 0 ? usd(result.refused_cost_usd) : null],
          ['Not decided in full', undecided > 0 ? count(undecided) : null],
          ['Contents read', contents > 0 ? count(contents) : null],
        ]}
      />
      {result.rules.length > 0 && (
        <>
          <h3>By rule</h3>
          <DataTable
            caption="By rule"
            rows={result.rules}
            keyOf={({ outcome, reason }) => `${outcome} ${reason}`}
            empty={null}
            columns={[
              { name: 'Rule', cell: ({ reason }) => <code>{reason}</code> },
              { name: 'Requests would have been', cell: ({ outcome }) => OUTCOMES[outcome] },
              { name: 'Requests', cell: (rule) => count(rule.count), isNumber: true },
              { name: 'Cost', cell: (rule) => usd(rule.cost_usd), isNumber: true },
            ]}
          />
        </>
      )}
      {result.keys.length > 0 && (
        <>
          <h3>Keys with most refused requests</h3>
          <DataTable
            caption="Keys with most refused requests"
            // Those that were deleted are known by their places alone.
            rows={result.keys.map((key, place) => ({ ...key, place }))}
            keyOf={({ place }) => String(place)}
            empty={null}
            columns={[
              {
                name: 'Key',
                cell: ({ key_hash: hash, key_name: name }) =>
                  hash === null ? <span className="quiet">deleted</span> : <Link href={`/keys/${hash}`}>{name}</Link>,
              },
              { name: 'Requests', cell: (key) => count(key.count), isNumber: true },
              { name: 'Cost', cell: (key) => usd(key.cost_usd), isNumber: true },
            ]}
          />
        </>
      )}
      {result.examples.length > 0 && (
        <details>
          <summary>Requests that would have been refused: {result.examples.length} of them</summary>
          <ul>
            {result.examples.map(({ generation_id: id, reason }) => (
              <li key={id}>
                <Link href={`/requests/${encodeURIComponent(id)}`}>{id}</Link> (<code>{reason}</code>)
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

const OUTCOMES = {
  refused: 'refused',
  excluded: 'sent to other endpoints',
  redacted: 'redacted',
} as const;
