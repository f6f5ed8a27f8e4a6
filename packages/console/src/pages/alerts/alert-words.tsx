import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useKeys, useWorkspaces } from '../../api/names';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import { GUARDRAILS, LIMITS, useSuggestions, webhooksOf } from '../../components/suggestions';
import { Badge } from '../../components/values';

export type Alert = Schema<'Alert'>;
export type AlertKind = Schema<'AlertKind'>;

/** What an alert can be narrowed to, and where that is shown. */
export const SCOPES = {
  workspace_id: { label: 'Workspace', path: '/workspaces' },
  guardrail_id: { label: 'Guardrail', path: '/guardrails' },
  key_hash: { label: 'Key', path: '/keys' },
  limit_id: { label: 'Limit', path: '/limits' },
} as const;

export type ScopeField = keyof typeof SCOPES;

/** What alerts are about, and what those of each kind can be narrowed to (docs/interface/alerts.md#kinds). */
export const KINDS: Readonly<Record<AlertKind, { readonly label: string; readonly scopes: readonly ScopeField[] }>> = {
  budget: { label: 'Budgets and limits of keys', scopes: ['workspace_id', 'guardrail_id', 'key_hash'] },
  budget_forecast: {
    label: 'Limits that will be met',
    scopes: ['workspace_id', 'guardrail_id', 'key_hash', 'limit_id'],
  },
  limit: { label: 'Limits by condition and group', scopes: ['workspace_id', 'limit_id'] },
  key_expiry: { label: 'Keys that expire', scopes: ['workspace_id', 'key_hash'] },
  destination_paused: { label: 'Destinations that pause', scopes: ['workspace_id'] },
  members_deactivated: { label: 'Many members deactivated at once', scopes: [] },
};

/** What an alert is narrowed to: the field, and the id or hash; undefined for all. */
export function scopeOf(alert: Alert): { readonly field: ScopeField; readonly id: string } | undefined {
  for (const field of Object.keys(SCOPES) as ScopeField[]) {
    const id = alert[field] ?? null;
    if (id !== null) return { field, id };
  }
  return undefined;
}

/** How many characters of an id are shown of what has no name that is known. */
const SHORT = 8;

/** Says what alerts are about, by name. Names are asked for only where an alert has such a subject: one list of each sort for all alerts. */
export function useSubjects(alerts: readonly Alert[]): (alert: Alert) => ReactNode {
  const may = useMay();
  const isAbout = (field: ScopeField): boolean => alerts.some((alert) => scopeOf(alert)?.field === field);
  const workspaces = useWorkspaces();
  const keys = useKeys(isAbout('key_hash') && may('keys_read'));
  const guardrails = useSuggestions(GUARDRAILS, '', isAbout('guardrail_id') && may('guardrails_read'));
  const limits = useSuggestions(LIMITS, '', isAbout('limit_id') && may('limits_read'));
  const named = {
    workspace_id: workspaces.map(({ id, name }) => [id, name] as const),
    guardrail_id: guardrails,
    key_hash: keys.map(({ hash, name }) => [hash, name] as const),
    limit_id: limits,
  };
  return (alert) => {
    const scope = scopeOf(alert);
    if (scope === undefined) return <span className="quiet">all</span>;
    const { label, path } = SCOPES[scope.field];
    const [, name] = named[scope.field].find(([id]) => id === scope.id) ?? [];
    return (
      <>
        {label} <Link href={`${path}/${scope.id}`}>{name ?? scope.id.slice(0, SHORT)}</Link>
      </>
    );
  };
}

/** Says whom alerts tell. The names of webhooks are asked for only where an alert has one, and are known of those of the default workspace. */
export function useReceivers(alerts: readonly Alert[]): (alert: Alert) => ReactNode {
  const may = useMay();
  const hasWebhook = alerts.some(({ destination_id: id }) => id !== null);
  const webhooks = useSuggestions(webhooksOf(''), '', hasWebhook && may('destinations_read'));
  return ({ destination_id: id, recipients }) => {
    const confirmed = recipients.filter(({ confirmed_at: at }) => at !== null).length;
    return (
      <>
        {id !== null && (
          <Link href={`/destinations/${id}`}>{webhooks.find(([other]) => other === id)?.[1] ?? 'Webhook'}</Link>
        )}
        {id !== null && recipients.length > 0 && ', '}
        {recipients.length > 0 && `${confirmed} of ${recipients.length} addresses confirmed`}
      </>
    );
  };
}

/** When an alert of its kind notifies, as a sentence. */
export function stagesSentence({ kind, thresholds, days_before: days }: Alert): string {
  if (thresholds !== null) return `at ${thresholds.map(percent).join(', ')}`;
  if (days !== null) return `${days.join(', ')} days before`;
  return kind === 'limit' ? 'at the shares that the limit names' : 'when it happens';
}

function percent(share: number): string {
  // 1.1 of the limit is 110.00000000000001 in percent.
  return `${Number((share * 100).toFixed(6))} %`;
}

/** Whether an alert tells anybody, as a word. */
export function AlertState({ alert }: { readonly alert: Alert }): ReactNode {
  if (!alert.enabled) return <Badge>disabled</Badge>;
  const isHeard = alert.destination_id !== null || alert.recipients.some(({ confirmed_at: at }) => at !== null);
  return isHeard ? <Badge tone="good">on</Badge> : <Badge tone="warning">nobody is told</Badge>;
}
