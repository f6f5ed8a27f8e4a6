import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answered, api } from '../../api/client';
import type { Schema } from '../../api/types';
import { Failure } from '../../components/failure';
import { useFilters } from '../../components/filters';
import { pageQuery, SearchedTable } from '../../components/lists';
import { Section } from '../../components/page';
import { Meter, Time } from '../../components/values';
import { amountOf, Combination, combinationText, type Limit } from './limit-words';

const LIMIT = 50;

/** What the combinations of a limit have used in the present window, those first that have used most. */
export function LimitUsage({ limit }: { readonly limit: Limit }): ReactNode {
  const filters = useFilters();
  const { id, measure } = limit;
  const query = pageQuery(filters, LIMIT, '-used');
  const usage = useQuery({
    queryKey: ['limits', id, 'usage', query],
    queryFn: ({ signal }) =>
      answered(api.GET('/api/v1/limits/{id}/usage', { params: { path: { id }, query }, signal })),
    placeholderData: keepPreviousData,
  });
  return (
    <Section title="Used">
      <Failure error={usage.error} />
      <SearchedTable
        caption="Used"
        filters={filters}
        query={query}
        list={usage}
        keyOf={({ values }) => JSON.stringify(values)}
        empty="No request has counted in the present window."
        columns={[
          { name: 'Of', cell: ({ values }) => <Combination limit={limit} values={values} /> },
          { name: 'Used', sortAs: 'used', cell: (use) => <Used limit={limit} use={use} /> },
          { name: 'Reserved', cell: ({ reserved }) => amountOf(measure, reserved), isNumber: true },
          { name: 'Left', sortAs: 'left', cell: ({ left }) => amountOf(measure, left), isNumber: true },
          {
            name: 'Resets',
            cell: ({ resets_at: at }) => (at === null ? <span className="quiet">never</span> : <Time at={at} />),
          },
          { name: 'Last request', sortAs: 'last_used_at', cell: ({ last_used_at: at }) => <Time at={at} /> },
        ]}
      />
    </Section>
  );
}

interface UsedProps {
  readonly limit: Limit;
  readonly use: Schema<'LimitUse'>;
}

/** What is used of the amount; what is reserved counts in the bar, because it is refused to others. */
function Used({ limit, use: { amount, used, reserved, values } }: UsedProps): ReactNode {
  const { measure } = limit;
  return (
    <span className="spend">
      {amountOf(measure, used)} of {amountOf(measure, amount)}
      <Meter used={used + reserved} limit={amount} label={`Used by ${combinationText({ limit, values })}`} />
    </span>
  );
}
