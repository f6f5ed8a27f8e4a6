import { type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import { DataTable } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { TimeChart, type TimeSeries } from '../../components/time-chart';
import { count } from '../../components/values';
import { type Reason, useReasons } from './reasons';
import type { RangeName } from './usage-steps';

/** How many reasons have a line of their own; further ones share one. */
const LINES = 4;

/** Refusals and failures by reason over a time. */
export function Refusals({ range }: { readonly range: RangeName }): ReactNode {
  const found = useReasons(range);
  const { data } = found;
  const lines = useMemo(() => (data === undefined ? [] : linesOf(data.reasons)), [data]);
  return (
    <>
      <Failure error={found.error} />
      {data?.reasons.length === 0 && <p className="empty">No request was refused, and none failed.</p>}
      {data !== undefined && data.reasons.length > 0 && (
        <div className="beside">
          <TimeChart
            label="Refusals and failures by reason over time"
            times={data.times}
            series={lines}
            format={count}
          />
          <DataTable
            caption="Reasons"
            columns={[
              { name: 'Reason', cell: ({ reason }: Reason) => <code>{reason}</code> },
              {
                name: 'Requests',
                cell: ({ reason, requests }) => (
                  <Link
                    href={`/requests?${new URLSearchParams({ refusal: reason, since: data.since })}`}
                    aria-label={`${count(requests)} requests because of ${reason}`}
                  >
                    {count(requests)}
                  </Link>
                ),
                isNumber: true,
              },
            ]}
            rows={data.reasons}
            keyOf={({ reason }) => reason}
            isBusy={found.isFetching}
            empty=""
          />
        </div>
      )}
    </>
  );
}

function linesOf(reasons: readonly Reason[]): TimeSeries[] {
  const own = reasons.slice(0, reasons.length > LINES + 1 ? LINES : LINES + 1);
  const rest = reasons.slice(own.length);
  const lines = own.map(({ reason, steps }) => ({ label: reason, values: steps }));
  if (rest.length === 0) return lines;
  const values = rest[0]!.steps.map((_, place) => rest.reduce((sum, { steps }) => sum + steps[place]!, 0));
  return [...lines, { label: 'others', values }];
}
