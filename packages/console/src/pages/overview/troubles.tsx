import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { answered, api } from '../../api/client';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import { Failure } from '../../components/failure';
import { ForValues } from '../../components/limit-values';
import { Badge, count, Time, type Tone, usd } from '../../components/values';
import { amountOf, amountSentence, type Limit } from '../limits/limit-words';
import { type Reasons, useReasons } from './reasons';
import { FAILING, type ProvidersUsage, type ProviderUsage, REFRESH_MS, useDayUsage } from './usage-steps';

/** The share of a budget or limit from which it is worth a look. */
const NEARLY_SPENT = 0.8;

/** Of how many requests at least a share of failures says something. */
const LEAST_REQUESTS = 10;

/** How many keys near their limits are named, and the most that a list gives at once. */
const NAMED_KEYS = 5;
const MOST_KEYS = 100;

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

/**
 * What is wrong now: budgets and limits that are nearly or wholly spent or soon met, requests that are refused and why, providers that fail,
 * destinations that get nothing, keys that are suspended. What someone may not read is not asked.
 */
export function Troubles(): ReactNode {
  const may = useMay();
  const budgets = useQuery({
    queryKey: ['budgets', 'most used'],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/budgets', { params: { query: { limit: 10 } }, signal })),
    refetchInterval: REFRESH_MS,
    enabled: may('workspaces_read'),
  });
  const keys = useQuery({
    queryKey: ['keys', 'suspended'],
    queryFn: ({ signal }) =>
      answered(api.GET('/api/v1/keys', { params: { query: { status: 'suspended' as const, limit: 100 } }, signal })),
    refetchInterval: REFRESH_MS,
    enabled: may('keys_read'),
  });
  const spentKeys = useQuery({
    queryKey: ['keys', 'nearly spent'],
    queryFn: ({ signal }) =>
      answered(api.GET('/api/v1/keys', { params: { query: { limit_used: NEARLY_SPENT, limit: MOST_KEYS } }, signal })),
    refetchInterval: REFRESH_MS,
    enabled: may('keys_read'),
  });
  const destinations = useQuery({
    queryKey: ['destinations', 'states'],
    queryFn: ({ signal }) =>
      answered(api.GET('/api/v1/observability/destinations', { params: { query: { limit: 100 } }, signal })),
    refetchInterval: REFRESH_MS,
    enabled: may('destinations_read'),
  });
  const limits = useQuery({
    queryKey: ['limits', 'most used'],
    queryFn: ({ signal }) => mostUsed(signal),
    refetchInterval: REFRESH_MS,
    enabled: may('limits_read'),
  });
  const providers = useDayUsage();
  const reasons = useReasons('day');
  const all = [budgets, keys, spentKeys, destinations, limits, providers, reasons];
  const troubles = [
    ...(budgets.data?.data ?? []).flatMap(troubleOfBudget),
    ...troubleOfSpentKeys(spentKeys.data?.data ?? []),
    ...(limits.data ?? []).flatMap(troubleOfLimit),
    ...troubleOfRefusals(reasons.data, providers.data),
    ...(providers.data?.providers ?? []).flatMap(troubleOfProvider),
    ...(destinations.data?.data ?? []).flatMap(troubleOfDestination),
    ...troubleOfKeys(keys.data?.data.length ?? 0),
  ];
  // The service says the same of many of them when it is unwell.
  const errors = new Map(all.flatMap(({ error }) => (error === null ? [] : [[error.message, error]])));
  return (
    <>
      {[...errors].map(([message, error]) => (
        <Failure key={message} error={error} />
      ))}
      {troubles.length === 0 && all.every(({ isSuccess, fetchStatus }) => isSuccess || fetchStatus === 'idle') && (
        <p className="empty">{errors.size === 0 ? 'Nothing is wrong.' : 'Not everything could be looked at.'}</p>
      )}
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

/** How many limits by condition and group are looked at. */
const LIMITS = 10;

interface UsedLimit {
  readonly limit: Limit;
  readonly use: Schema<'LimitUse'>;
}

/** Of some limits that refuse the combination that has used most. */
async function mostUsed(signal: AbortSignal): Promise<readonly UsedLimit[]> {
  const { data } = await answered(api.GET('/api/v1/limits', { params: { query: { limit: 100 } }, signal }));
  const enforced = data.filter(({ enforcement }) => enforcement === 'enforce').slice(0, LIMITS);
  const uses = await Promise.all(
    enforced.map(async (limit) => {
      const path = { id: limit.id };
      const usage = await answered(
        api.GET('/api/v1/limits/{id}/usage', { params: { path, query: { limit: 1 } }, signal }),
      );
      return usage.data.map((use) => ({ limit, use }));
    }),
  );
  return uses.flat();
}

function troubleOfLimit({ limit, use }: UsedLimit): Trouble[] {
  const { id, name, measure } = limit;
  const { amount, used, reserved, left, values, forecast_met_at: met } = use;
  if (used + reserved < amount * NEARLY_SPENT && met === null) return [];
  return [
    {
      key: `limit ${id}`,
      tone: left === 0 ? 'bad' : 'warning',
      word: left === 0 ? 'Limit met' : 'Limit',
      text: (
        <>
          {amountOf(measure, used + reserved)} of {amountSentence({ ...limit, amount })} of the limit {name} are used
          <ForValues values={values} word="by" />
          <WillBeMet at={left > 0 ? met : null} />.
        </>
      ),
      to: `/limits/${id}`,
      link: 'Limit',
    },
  ];
}

/** When a budget or a limit will be met, if it goes on like this. */
function WillBeMet({ at }: { readonly at: string | null }): ReactNode {
  if (at === null) return null;
  return (
    <>
      , and will be met <Time at={at} />
    </>
  );
}

function troubleOfBudget(budget: Schema<'BudgetState'>): Trouble[] {
  const { workspace_id: id, workspace_name: name, interval, limit_usd: limit, left_usd: left } = budget;
  const { forecast_exhausted_at: exhausted } = budget;
  const isNear = limit - left >= limit * NEARLY_SPENT;
  if (!isNear && exhausted === null) return [];
  return [
    {
      key: `budget ${id} ${interval}`,
      tone: left === 0 ? 'bad' : 'warning',
      word: left === 0 ? 'Budget met' : 'Budget',
      text: (
        <>
          {usd(limit - left)} of {usd(limit)} of the {interval} budget of {name} are used
          <WillBeMet at={left > 0 ? exhausted : null} />.
        </>
      ),
      to: `/budgets?workspace=${encodeURIComponent(id)}`,
      link: 'Budgets of the workspace',
    },
  ];
}

function troubleOfSpentKeys(keys: readonly Schema<'Key'>[]): Trouble[] {
  const shares = keys.map((key) => ({ key, share: 1 - (key.limit_remaining ?? 0) / (key.limit ?? 1) }));
  const named = shares.toSorted((one, other) => other.share - one.share).slice(0, NAMED_KEYS);
  const further = keys.length - named.length;
  return [
    ...named.map(({ key, share }): Trouble => ({
      key: `key ${key.hash}`,
      tone: share >= 1 ? 'bad' : 'warning',
      word: share >= 1 ? 'Limit met' : 'Limit',
      text: `${usd((key.limit ?? 0) * share)} of ${usd(key.limit ?? 0)} of the ${key.limit_reset ?? 'lifetime'} limit of the key ${key.name} are used.`,
      to: `/keys/${key.hash}`,
      link: 'Key',
    })),
    ...(further > 0
      ? [
          {
            key: 'spent keys',
            tone: 'warning' as const,
            word: 'Limits',
            text: `${count(further)}${keys.length === MOST_KEYS ? ' or more' : ''} further keys have used 80 % of their limits.`,
            to: `/keys?used=${NEARLY_SPENT}`,
            link: 'Keys',
          },
        ]
      : []),
  ];
}

/** How many reasons are named. */
const NAMED_REASONS = 5;

function troubleOfRefusals(found: Reasons | undefined, usage: ProvidersUsage | undefined): Trouble[] {
  if (found === undefined || usage === undefined) return [];
  const { asked, refused } = usage;
  if (asked < LEAST_REQUESTS || refused < asked * FAILING) return [];
  return [
    {
      key: 'refusals',
      tone: refused === asked ? 'bad' : 'warning',
      word: 'Refused',
      text: (
        <>
          {count(refused)} of {count(asked)} requests in the last 24 hours were refused or failed:{' '}
          {found.reasons.slice(0, NAMED_REASONS).map(({ reason, requests }, index) => (
            <span key={reason}>
              {index > 0 && ', '}
              {count(requests)} <code>{reason}</code>
            </span>
          ))}
          .
        </>
      ),
      to: '/requests?refused=true',
      link: 'Requests that were refused',
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
      to: `/destinations/${id}`,
      link: 'Destination',
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
