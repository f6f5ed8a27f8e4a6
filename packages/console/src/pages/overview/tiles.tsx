import type { ReactNode } from 'react';
import { ApiError } from '../../api/client';
import { Failure } from '../../components/failure';
import { count, duration, usd } from '../../components/values';
import { SINCE, type SinceName, useLatencies, useTotals } from './totals';

/** What was used today and this month, at a glance. */
export function Tiles(): ReactNode {
  return (
    <>
      {(Object.keys(SINCE) as SinceName[]).map((name) => (
        <TilesSince key={name} name={name} />
      ))}
    </>
  );
}

/** A query over too many records, which is not wrong, and no reason to be alarmed. */
const TOO_LONG = 408;

function TilesSince({ name }: { readonly name: SinceName }): ReactNode {
  const totals = useTotals(name);
  const latencies = useLatencies(name);
  const { spend, answered, refused, failed } = totals.data ?? {};
  const isTooLong = latencies.error instanceof ApiError && latencies.error.status === TOO_LONG;
  const time = (ms: number | null | undefined): string | undefined => {
    if (isTooLong) return 'too many to say';
    if (ms == null) return ms === null ? 'none' : undefined;
    return duration(ms);
  };
  const asked = answered === undefined ? undefined : answered + refused! + failed!;
  const tiles: readonly (readonly [label: string, value: string | undefined])[] = [
    ['Spent', spend === undefined ? undefined : usd(spend)],
    ['Requests', asked === undefined ? undefined : count(asked)],
    ['Refused', refused === undefined ? undefined : count(refused)],
    ['Failed', failed === undefined ? undefined : count(failed)],
    ['Median to the first token', time(latencies.data?.median)],
    ['95 of 100 within', time(latencies.data?.p95)],
  ];
  return (
    <section className="tiles">
      <h2>{SINCE[name].label}</h2>
      <Failure error={totals.error ?? (isTooLong ? null : latencies.error)} />
      <dl>
        {tiles.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value ?? '…'}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
