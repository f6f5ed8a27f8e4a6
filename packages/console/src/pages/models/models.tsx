import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { answered, api } from '../../api/client';
import type { Schema } from '../../api/types';
import { type Column, DataTable } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { FilterBar, Pager, SuggestFilter, TextFilter, useFilters } from '../../components/filters';
import { PROVIDERS } from '../../components/suggestions';
import { Page } from '../../components/page';
import { count, usd } from '../../components/values';
import { ModelParts } from '../own-models/model-parts';
import { EndpointsHealth, useProvidersHealth } from '../providers/health';

type Model = Schema<'Model'>;

/** A model, and those of its endpoints of which something is known now. */
interface Row {
  readonly model: Model;
  readonly endpoints: readonly Schema<'ProviderEndpointHealth'>[];
}

const LIMIT = 100;

/** Prices of the catalog are those of one token; people compare those of a million. */
const PER_MILLION = 1_000_000;

const COLUMNS: readonly Column<Row>[] = [
  {
    name: 'Model',
    cell: ({ model: { id, name } }) => (
      <>
        {name}
        <code className="label">{id}</code>
      </>
    ),
  },
  { name: 'Takes', cell: ({ model: { architecture } }) => architecture.input_modalities.join(', ') },
  { name: 'Gives', cell: ({ model: { architecture } }) => architecture.output_modalities.join(', ') },
  { name: 'Context', cell: ({ model: { context_length: tokens } }) => tokens && count(tokens), isNumber: true },
  { name: 'Prompt, a million tokens', cell: ({ model: { pricing } }) => priceOf(pricing.prompt), isNumber: true },
  { name: 'Answer, a million tokens', cell: ({ model: { pricing } }) => priceOf(pricing.completion), isNumber: true },
  {
    name: 'Now',
    cell: ({ endpoints }) => <EndpointsHealth endpoints={endpoints} nameOf={({ endpoint }) => endpoint} />,
  },
  {
    name: 'Requests',
    cell: ({ model: { id, name } }) => (
      <Link href={`/requests?model=${encodeURIComponent(id)}`} aria-label={`Requests with ${name}`}>
        Requests
      </Link>
    ),
  },
];

/** The models of the catalog with their prices, and how their endpoints answer now. */
export function ModelsPage(): ReactNode {
  const filters = useFilters();
  const offset = Number(filters.get('offset'));
  const set = Object.fromEntries(
    (['q', 'providers'] as const).filter((name) => filters.get(name) !== '').map((name) => [name, filters.get(name)]),
  );
  const query = { offset, limit: LIMIT, ...set };
  const models = useQuery({
    queryKey: ['models', query],
    queryFn: async ({ signal }) => {
      const list = await answered(api.GET('/api/v1/models', { params: { query }, signal }));
      // The other form is that of another library's clients, who ask for it with a header.
      return list as Schema<'ListModelsResponse'>;
    },
    placeholderData: keepPreviousData,
  });
  const health = useProvidersHealth();
  const endpoints = (health.data?.providers ?? []).flatMap((provider) => provider.endpoints);
  const rows = models.data?.data.map((model): Row => ({
    model,
    endpoints: endpoints.filter((endpoint) => endpoint.model === model.id),
  }));
  return (
    <Page title="Models">
      <ModelParts />
      <FilterBar filters={filters}>
        <TextFilter filters={filters} name="q" label="Search" />
        <SuggestFilter filters={filters} name="providers" label="Provider" suggestions={PROVIDERS} />
      </FilterBar>
      <Failure error={models.error ?? health.error} />
      <DataTable
        caption="Models"
        columns={COLUMNS}
        rows={rows}
        keyOf={({ model }) => model.id}
        isPart={offset > 0 || models.data?.data.length === LIMIT}
        isBusy={models.isFetching}
        empty={filters.isSet ? 'No model matches the filters.' : 'The catalog has no models yet.'}
      />
      <Pager
        offset={offset}
        limit={LIMIT}
        shown={models.data?.data.length ?? 0}
        onMove={(to) => filters.set({ offset: to === 0 ? '' : String(to) })}
      />
    </Page>
  );
}

/** @param price US dollars a token, as decimal text */
function priceOf(price: string): string {
  return usd(Number(price) * PER_MILLION);
}
