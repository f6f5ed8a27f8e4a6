import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { answered, api } from '../../api/client';
import type { Schema } from '../../api/types';
import { Failure } from '../../components/failure';
import { Badge, count, Time, type Tone, usd } from '../../components/values';
import { type ProviderUsage, REFRESH_MS, useProviderUsage } from './usage';

/** The share of a budget from which it is worth a look. */
const NEARLY_SPENT = 0.8;

/** The share of failures from which a provider is worth a look, of so many requests at least. */
const FAILING = 0.1;
const LEAST_REQUESTS = 10;

/** What destinations of all types have. */
interface StatedDestination {
  readonly id: string;
  readonly name: string | null;
  readonly delivery_state: string;
}

interface Trouble {
  readonly key: string;
  readonly tone: Tone;
  readonly word: string;
  readonly text: ReactNode;
  /** Where more of it is. */
  readonly to: string;
  readonly link: string;
}

/** What is wrong now: budgets that are nearly spent, providers that fail, destinations that get nothing, keys that are suspended. */
export function Troubles(): ReactNode {
  const budgets = useQuery({
    queryKey: ['budgets', 'most used'],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/budgets', { params: { query: { limit: 10 } }, signal })),
    refetchInterval: REFRESH_MS,
  });
  const keys = useQuery({
    queryKey: ['keys', 'suspended'],
    queryFn: ({ signal }) =>
      answered(api.GET('/api/v1/keys', { params: { query: { status: 'suspended' as const, limit: 100 } }, signal })),
    refetchInterval: REFRESH_MS,
  });
  const destinations = useQuery({
    queryKey: ['destinations', 'states'],
    queryFn: ({ signal }) =>
      answered(api.GET('/api/v1/observability/destinations', { params: { query: { limit: 100 } }, signal })),
    refetchInterval: REFRESH_MS,
  });
  const providers = useProviderUsage();
  const all = [budgets, keys, destinations, providers];
  const troubles = [
    ...(budgets.data?.data ?? []).flatMap(troubleOfBudget),
    ...(providers.data ?? []).flatMap(troubleOfProvider),
    ...(destinations.data?.data ?? []).flatMap(troubleOfDestination),
    ...troubleOfKeys(keys.data?.data.length ?? 0),
  ];
  return (
    <>
      {all.map(({ error }, index) => (
        <Failure key={index} error={error} />
      ))}
      {troubles.length === 0 && all.every(({ isSuccess }) => isSuccess) && <p className="empty">Nothing is wrong.</p>}
      {troubles.length > 0 && (
        <ul className="troubles">
          {troubles.map(({ key, tone, word, text, to, link }) => (
            <li key={key}>
              <Badge tone={tone}>{word}</Badge> {text} <Link href={to}>{link}</Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function troubleOfBudget(budget: Schema<'BudgetState'>): Trouble[] {
  const { workspace_id: id, workspace_name: name, interval, limit_usd: limit, left_usd: left } = budget;
  const { forecast_exhausted_at: exhausted } = budget;
  const isNear = limit - left >= limit * NEARLY_SPENT;
  if (!isNear && exhausted === null) return [];
  const met = exhausted !== null && left > 0 && (
    <>
      , and will be met <Time at={exhausted} />
    </>
  );
  return [
    {
      key: `budget ${id} ${interval}`,
      tone: left === 0 ? 'bad' : 'warning',
      word: left === 0 ? 'Budget met' : 'Budget',
      text: (
        <>
          {usd(limit - left)} of {usd(limit)} of the {interval} budget of {name} are used{met}.
        </>
      ),
      to: `/budgets?workspace=${encodeURIComponent(id)}`,
      link: 'Budgets of the workspace',
    },
  ];
}

function troubleOfProvider({ slug, name, answered: good, failed }: ProviderUsage): Trouble[] {
  const asked = good + failed;
  if (asked < LEAST_REQUESTS || failed < asked * FAILING) return [];
  return [
    {
      key: `provider ${slug}`,
      tone: good === 0 ? 'bad' : 'warning',
      word: 'Provider',
      text: `${count(failed)} of ${count(asked)} requests in the last 24 hours ended without an answer of ${name}.`,
      to: `/requests?provider=${encodeURIComponent(slug)}`,
      link: 'Requests',
    },
  ];
}

function troubleOfDestination({ id, name, delivery_state: state }: StatedDestination): Trouble[] {
  if (state === 'active' || state === 'off') return [];
  return [
    {
      key: `destination ${id}`,
      tone: state === 'retrying' ? 'warning' : 'bad',
      word: 'Destination',
      text: `${name ?? 'A destination without a name'} is ${state}.`,
      to: '/requests',
      link: 'Requests that it would get',
    },
  ];
}

function troubleOfKeys(suspended: number): Trouble[] {
  if (suspended === 0) return [];
  return [
    {
      key: 'keys',
      tone: 'warning',
      word: 'Keys',
      text: suspended === 1 ? 'A key is suspended.' : `${count(suspended)} keys are suspended.`,
      to: '/keys',
      link: 'Keys',
    },
  ];
}
