import { type ReactNode, useMemo } from 'react';
import { type Column, DataTable } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { FilterBar, SelectFilter, useFilters } from '../../components/filters';
import { Page, Section } from '../../components/page';
import { TimeChart } from '../../components/time-chart';
import { count, Time, usd } from '../../components/values';
import { FirstUse } from './first-use';
import { Refusals } from './refusals';
import { Spenders } from './spenders';
import { Tiles } from './tiles';
import { Troubles } from './troubles';
import { type RangeName, RANGES, type UsageStep, useUsage } from './usage-steps';

const COLUMNS: readonly Column<UsageStep>[] = [
  { name: 'From', cell: ({ start }) => <Time at={new Date(start).toISOString()} /> },
  { name: 'Answered', cell: (step) => count(step.answered), isNumber: true },
  { name: 'Refused or failed', cell: (step) => count(step.refused), isNumber: true },
  { name: 'Spent', cell: (step) => usd(step.spend), isNumber: true },
];

/** What was spent and asked, today and over time, by whom, what was refused and why, and what is wrong now. */
export function OverviewPage(): ReactNode {
  const filters = useFilters();
  const asked = filters.get('range');
  const range: RangeName = Object.hasOwn(RANGES, asked) ? (asked as RangeName) : 'day';
  const usage = useUsage(range);
  const steps = usage.data;
  const charts = useMemo(() => {
    if (steps === undefined) return undefined;
    return {
      times: steps.map(({ start }) => start),
      spend: [{ label: 'Spent', values: steps.map(({ spend }) => spend) }],
      requests: [
        { label: 'Answered', values: steps.map((step) => step.answered) },
        { label: 'Refused or failed', values: steps.map(({ refused }) => refused) },
      ],
    };
  }, [steps]);
  const total = (of: (step: UsageStep) => number): number => (steps ?? []).reduce((sum, step) => sum + of(step), 0);
  return (
    <Page title="Overview">
      <FirstUse />
      <Tiles />
      <Section title="What is wrong now">
        <Troubles />
      </Section>
      <Section title="Spend and requests">
        <FilterBar filters={filters}>
          <SelectFilter
            filters={filters}
            name="range"
            label="Time"
            options={Object.entries(RANGES).map(([name, { label }]) => [name === 'day' ? '' : name, label] as const)}
          />
        </FilterBar>
        <Failure error={usage.error} />
        {charts !== undefined && (
          <>
            <p>
              {usd(total(({ spend }) => spend))} spent, {count(total((step) => step.answered))} requests answered,{' '}
              {count(total(({ refused }) => refused))} refused or failed
            </p>
            <div className="beside">
              <div>
                <TimeChart label="Spend over time" times={charts.times} series={charts.spend} format={usd} />
                <TimeChart label="Requests over time" times={charts.times} series={charts.requests} format={count} />
              </div>
              <DataTable
                caption="Spend and requests over time"
                columns={COLUMNS}
                rows={steps?.toReversed()}
                keyOf={({ start }) => String(start)}
                isBusy={usage.isFetching}
                empty="Nothing was asked."
              />
            </div>
          </>
        )}
      </Section>
      <Section title="Refusals and failures">
        <Refusals range={range} />
      </Section>
      <Section title="Who spends the most">
        <Spenders range={range} />
      </Section>
    </Page>
  );
}
