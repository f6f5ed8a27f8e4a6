import type {
  AlertedBudget,
  DeactivatedMembers,
  ExpiringKey,
  ForecastBudget,
  Occurrence,
  PausedDestination,
} from './alert-evaluation.repository.js';
import type { NewNotification } from './alert-evaluation.repository.js';
import type { AlertedCombination, ForecastCombination } from './limit-evaluation.repository.js';
import type { CombinationValues, LimitMeasure, LimitWindow } from '../../limits/limit-vocabulary.js';
import { windowEndOf } from '../../limits/limit-windows.js';

const DAY_MS = 86_400_000;

/** What a receiver is told of a limit of which a share is spent (docs/interface/alerts.md#webhook). */
export interface BudgetData {
  readonly scope: 'workspace' | 'key' | 'guardrail';
  readonly workspace?: { readonly id: string; readonly name: string | null };
  readonly key?: { readonly hash: string | null; readonly name: string | null };
  readonly guardrail?: { readonly id: string | null; readonly name: string | null };
  readonly member?: { readonly user_id: string };
  readonly interval: string;
  /** ISO 8601; null for the lifetime. */
  readonly window_start: string | null;
  /** US dollars. */
  readonly limit_usd: number;
  readonly spent_usd: number;
  /** What is spent of the limit; 1 is all of it. */
  readonly share: number;
  readonly threshold: number;
  /** Whether it refuses requests: it is spent, or what is left of it was too little for one. */
  readonly refusing: boolean;
}

/** What a receiver is told of a combination of a limit by condition and group. */
export interface LimitData {
  readonly limit: { readonly id: string; readonly name: string };
  /** Empty for further combinations of a key together, and for a limit that has one counter. */
  readonly values: CombinationValues;
  readonly measure: LimitMeasure;
  /** Null for requests at the same time. */
  readonly window: LimitWindow | null;
  /** ISO 8601; null for a window without an end. */
  readonly window_start: string | null;
  /** In the measure of the limit, with the exception that applies. */
  readonly amount: number;
  readonly used: number;
  /** What is used of the amount; 1 is all of it. Null where there is no amount, and for requests at the same time. */
  readonly share: number | null;
  readonly threshold: number;
  /** Whether it refuses requests: it is used up, or what is left of it was too little for one. */
  readonly refusing: boolean;
}

/** When a limit will be met. */
interface Forecast {
  /** ISO 8601, by the pace of the window so far. */
  readonly met_at: string;
}

/** What a receiver is told of a limit that will be met in its window: of a budget, or of a combination. */
export type BudgetForecastData = (BudgetData | LimitData) & Forecast;

/** What a receiver is told of a key that expires. */
export interface KeyExpiryData {
  readonly key: { readonly hash: string; readonly name: string };
  /** Null is the default workspace, and that of management keys. */
  readonly workspace_id: string | null;
  readonly expires_at: string;
  /** The days before the expiry that the alert names. */
  readonly days_before: number;
  /** Whole days that are left. */
  readonly days_left: number;
}

/** What a receiver is told of a destination that has paused. */
export interface DestinationPausedData {
  readonly destination: { readonly id: string; readonly name: string | null; readonly type: string };
  readonly workspace_id: string;
  readonly state: 'paused' | 'gone';
  readonly reason: string | null;
}

/** What a receiver is told of many members whom a directory has deactivated within an hour. */
export interface MembersDeactivatedData {
  readonly deactivated_members: number;
  readonly active_members: number;
  /** When the first of them was deactivated, in ISO 8601: what `gatehouse scim reactivate --deactivated-since` takes. */
  readonly since: string;
}

/** The notification of a limit of which a share is spent. */
export function budgetNotification(found: AlertedBudget): NewNotification {
  return notificationOf(found, budgetDataOf(found));
}

/** The notification of a limit that will be met. */
export function forecastNotification(found: ForecastBudget): NewNotification {
  return notificationOf(found, { ...budgetDataOf(found), ...forecastOf(found) } satisfies BudgetForecastData);
}

function budgetDataOf(found: AlertedBudget): BudgetData {
  const { holder, holderId, holderName, keyHash, guardrailId, guardrailName, interval } = found;
  const [limit, spent] = [Number(found.limitUsd), Number(found.spentUsd)];
  return {
    scope: found.scope,
    ...(holder === 'workspace' && { workspace: { id: holderId, name: holderName } }),
    ...(holder === 'key' && { key: { hash: keyHash, name: holderName } }),
    ...(found.scope === 'guardrail' && { guardrail: { id: guardrailId, name: guardrailName } }),
    ...(holder === 'member' && { member: { user_id: holderId } }),
    interval,
    window_start: interval === 'lifetime' ? null : found.windowStart.toISOString(),
    limit_usd: limit,
    spent_usd: spent,
    share: shareOf(spent, limit),
    threshold: found.threshold,
    refusing: found.isRefusing,
  };
}

/** The notification of a combination of which a share is used, or that refuses. */
export function limitNotification(found: AlertedCombination): NewNotification {
  return notificationOf(found, limitDataOf(found));
}

/** The notification of a combination that will be met. */
export function combinationForecastNotification(found: ForecastCombination): NewNotification {
  return notificationOf(found, { ...limitDataOf(found), ...forecastOf(found) } satisfies BudgetForecastData);
}

function limitDataOf(found: AlertedCombination): LimitData {
  const { limitId, limitName, values, measure, window, windowStart, amount, threshold, isRefusing } = found;
  const used = Number(found.used);
  return {
    limit: { id: limitId, name: limitName },
    values,
    measure,
    window,
    window_start: windowEndOf(window, windowStart) === null ? null : windowStart.toISOString(),
    amount,
    used,
    share: amount === 0 || measure === 'concurrent' ? null : shareOf(used, amount),
    threshold,
    refusing: isRefusing,
  };
}

function forecastOf({ metAt }: { readonly metAt: Date }): Forecast {
  return { met_at: metAt.toISOString() };
}

/** The notification of a key that expires. @param now milliseconds of Unix time */
export function keyExpiryNotification(found: ExpiringKey, now = Date.now()): NewNotification {
  return notificationOf(found, {
    key: { hash: found.keyHash, name: found.keyName },
    workspace_id: found.workspaceId,
    expires_at: found.expiresAt.toISOString(),
    days_before: found.threshold,
    days_left: Math.max(0, Math.floor((found.expiresAt.getTime() - now) / DAY_MS)),
  } satisfies KeyExpiryData);
}

/** The notification of a destination that has paused. */
export function destinationPausedNotification(found: PausedDestination): NewNotification {
  return notificationOf(found, {
    destination: { id: found.destinationId, name: found.destinationName, type: found.destinationType },
    workspace_id: found.workspaceId,
    state: found.state,
    reason: found.reason,
  } satisfies DestinationPausedData);
}

/** The notification of many members who were deactivated within an hour. */
export function membersDeactivatedNotification(found: DeactivatedMembers): NewNotification {
  return notificationOf(found, {
    deactivated_members: found.deactivated,
    active_members: found.active,
    since: found.since.toISOString(),
  } satisfies MembersDeactivatedData);
}

function shareOf(used: number, amount: number): number {
  return Number((used / amount).toFixed(4));
}

/** One that is passed over is written down without data, and not sent. */
function notificationOf(
  { alertId, subject, windowStart, threshold, isPassed }: Occurrence,
  data: object,
): NewNotification {
  return { alertId, subject, windowStart, threshold, data: isPassed ? null : data };
}
