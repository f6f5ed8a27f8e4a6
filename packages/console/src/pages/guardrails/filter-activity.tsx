import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { analyticsRows, lastDays, numberOf } from '../../api/analytics';
import { type Column, DataTable } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { Section } from '../../components/page';
import { count } from '../../components/values';

/** The most rows that the table has. */
const LIMIT = 100;

/** What filters and inspectors do, in words. */
const ACTIONS: Readonly<Record<string, string>> = {
  block: 'Blocked',
  redact: 'Redacted or changed',
  flag: 'Only noted',
  fail: 'Failed',
};

/** What filters and inspectors look at, in words. */
const PLACES: Readonly<Record<string, string>> = {
  request: 'Requests',
  tool_result: 'Results of tools',
  response: 'Answers',
  tool_call: 'Arguments of tools',
};

/** What one filter or inspector did with one part. */
interface Activity {
  readonly filter: string;
  readonly action: string;
  readonly place: string;
  readonly matches: number;
  readonly requests: number;
}

const COLUMNS: readonly Column<Activity>[] = [
  { name: 'Filter or inspector', cell: ({ filter }) => filter },
  { name: 'What it did', cell: ({ action }) => ACTIONS[action] ?? action },
  { name: 'With', cell: ({ place }) => PLACES[place] ?? place },
  { name: 'Times', cell: ({ matches }) => count(matches), isNumber: true },
  { name: 'Requests', cell: ({ requests }) => count(requests), isNumber: true },
];

interface FilterActivityProps {
  /** The id of the inspector whose doings are shown; absent for those of all, and of filters. */
  readonly inspector?: string;
}

/** What filters and inspectors have done in the last 7 days, the most frequent first. */
export function FilterActivity({ inspector }: FilterActivityProps): ReactNode {
  const activity = useQuery({
    queryKey: ['filter-activity', inspector],
    queryFn: async ({ signal }) => {
      const rows = await analyticsRows(
        {
          metrics: ['filter_matches', 'filtered_requests'],
          dimensions: ['filter', 'filter_action', 'filter_place'],
          time_range: lastDays(7),
          limit: LIMIT,
          ...(inspector !== undefined && {
            filters: [{ field: 'inspector', operator: 'eq' as const, value: inspector }],
          }),
        },
        signal,
      );
      return rows.map((row): Activity => ({
        filter: String(row['filter']),
        action: String(row['filter_action']),
        place: String(row['filter_place']),
        matches: numberOf(row['filter_matches']),
        requests: numberOf(row['filtered_requests']),
      }));
    },
  });
  return (
    <Section title={inspector === undefined ? 'What filters did in the last 7 days' : 'What it did in the last 7 days'}>
      <Failure error={activity.error} />
      <DataTable
        caption="What filters did"
        columns={COLUMNS}
        rows={activity.data}
        keyOf={({ filter, action, place }) => `${filter} ${action} ${place}`}
        isBusy={activity.isFetching}
        empty="Nothing was found."
      />
    </Section>
  );
}
