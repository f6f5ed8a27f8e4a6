import { Injectable } from '@nestjs/common';
import { rowsInsert } from '../../../persistence/insert-statement.js';
import { statement } from '../../../persistence/statement.js';
import { Statements } from '../../../persistence/statements.js';
import { limitName } from '../../spend/limit-refusals.repository.js';
import { windowForecast } from '../../limits/window-forecast.js';
import { LIMITS_OF_ORGANIZATION } from '../../spend/limits-of-organization.js';
import { endOfWindow, type SpendInterval } from '../../spend/spend-interval.js';
import type { AlertKind } from '../alert-kinds.js';
import { AlertNotificationEntity } from '../entities/alert-notification.entity.js';

/** How many occurrences are written at once; more follow in the next round. */
const MOST_AT_ONCE = 500;

/** The share of a window that has to be over before it is forecast that a limit will be met. */
export const FORECAST_AFTER = 0.1;

/** An organization with alerts that notify. */
export interface AlertedOrganization {
  readonly organizationId: string;
  readonly kinds: readonly AlertKind[];
}

/** Organizations with alerts that notify, in the order of their ids, behind one of them. */
export const ALERTED_ORGANIZATIONS = statement<AlertedOrganization, [after: string, most: number]>(
  'alerts_organizations',
  `SELECT organization_id AS "organizationId", array_agg(DISTINCT kind) AS kinds FROM alerts
    WHERE enabled AND organization_id > $1 GROUP BY organization_id ORDER BY organization_id LIMIT $2`,
);

/** What an alert is about has happened, and was not written down yet. */
export interface Occurrence {
  readonly alertId: string;
  readonly subject: string;
  readonly windowStart: Date;
  readonly threshold: number;
  /** Whether a higher threshold of the alert was met as well, of the same subject and window. */
  readonly isPassed: boolean;
}

/** A limit that an alert is about. */
export interface AlertedBudget extends Occurrence {
  readonly scope: 'workspace' | 'key' | 'guardrail';
  readonly holder: 'workspace' | 'key' | 'member';
  readonly holderId: string;
  readonly holderName: string | null;
  /** SHA-256 in lowercase hex, of the key that holds the limit. */
  readonly keyHash: string | null;
  readonly guardrailId: string | null;
  readonly guardrailName: string | null;
  readonly interval: SpendInterval;
  /** US dollars, as decimal text. */
  readonly limitUsd: string;
  readonly spentUsd: string;
  /** Whether it refuses requests: it is spent, or what is left of it was too little for one. */
  readonly isRefusing: boolean;
}

/** A limit that will be met in its window. */
export interface ForecastBudget extends AlertedBudget {
  readonly metAt: Date;
}

/** Whether a member was deactivated within the last hour by a directory. */
const IS_OF_RUN = `m.deactivated_by = 'directory' AND m.deactivated_at > now() - interval '1 hour'`;

/** A SELECT of occurrences without those that are written down. @param found a SELECT of all of them, with `rank` by threshold */
const newOf = (found: string, shown: string): string => `SELECT o."alertId", o.subject, o."windowStart", o.threshold,
      o.rank > 1 AS "isPassed", ${shown}
    FROM (${found}) AS o
    WHERE NOT EXISTS (
      SELECT FROM alert_notifications n WHERE n.organization_id = $1 AND n.alert_id = o."alertId" AND n.subject = o.subject
        AND n.window_start = o."windowStart" AND n.threshold = o.threshold)
    LIMIT ${MOST_AT_ONCE}`;

const SUBJECT_OF_LIMIT = limitName('l');

const WINDOW_START = `l.first_day::timestamp AT TIME ZONE 'UTC'`;

/** Alerts `a` with the limits `l` that they are about, and whether each `refused` a request in its window. */
const ALERTED_BUDGETS = `alerts a JOIN (${LIMITS_OF_ORGANIZATION}) AS l
        ON num_nonnulls(a.workspace_id, a.guardrail_id, a.key_id, a.limit_id) = 0
          OR l.subject = 'workspace' AND l.holder_id = a.workspace_id::text
          OR l.subject = 'key' AND l.holder_id = a.key_id::text OR l.guardrail_id = a.guardrail_id
      CROSS JOIN LATERAL (SELECT EXISTS (
        SELECT FROM limit_refusals r
        WHERE r.organization_id = $1 AND r.limit_name = ${SUBJECT_OF_LIMIT} AND r.first_day = l.first_day) AS is_refusing) AS refused`;

/** What is told of a limit `o`. */
const SHOWN_BUDGET = `o.scope, o.holder, o.holder_id AS "holderId", o.guardrail_id AS "guardrailId", o."interval", o.limit_usd::text AS "limitUsd",
      o.spent_usd::text AS "spentUsd", o.is_refusing AS "isRefusing",
      CASE o.holder
        WHEN 'workspace' THEN (SELECT w.name FROM workspaces w WHERE w.organization_id = $1 AND w.id::text = o.holder_id)
        WHEN 'key' THEN (SELECT k.name FROM api_keys k WHERE k.organization_id = $1 AND k.id::text = o.holder_id)
      END AS "holderName",
      (SELECT encode(k.hash, 'hex') FROM api_keys k WHERE k.organization_id = $1 AND o.holder = 'key' AND k.id::text = o.holder_id)
        AS "keyHash",
      (SELECT g.name FROM guardrails g WHERE g.organization_id = $1 AND g.id = o.guardrail_id) AS "guardrailName"`;

/**
 * The limits of an organization of which a share was spent that an alert names. One that has refused a request in its window counts as spent,
 * because what is left of it pays for no such request, and is notified as that also where the alert does not name the whole of it.
 */
export const CROSSED_LIMITS = statement<AlertedBudget, [organizationId: string]>(
  'alerts_crossed_limits',
  newOf(
    `SELECT a.id AS "alertId", ${SUBJECT_OF_LIMIT} AS subject, ${WINDOW_START} AS "windowStart", t.threshold,
        row_number() OVER (PARTITION BY a.id, ${SUBJECT_OF_LIMIT} ORDER BY t.threshold DESC) AS rank,
        l.subject AS scope, l.guardrail_id, l.holder, l.holder_id, l."interval", l.limit_usd, l.spent_usd,
        refused.is_refusing OR l.spent_usd >= l.limit_usd AS is_refusing
      FROM ${ALERTED_BUDGETS}
      CROSS JOIN LATERAL (
        SELECT unnest(a.thresholds) UNION SELECT 1::double precision WHERE refused.is_refusing) AS t (threshold)
      WHERE a.organization_id = $1 AND a.kind = 'budget' AND a.enabled AND l.limit_usd > 0
        AND (l.spent_usd >= l.limit_usd * t.threshold::text::numeric OR refused.is_refusing AND t.threshold <= 1)`,
    SHOWN_BUDGET,
  ),
);

/** The limits of an organization that are not met, and will be in their window at the pace that it had so far. */
export const FORECAST_LIMITS = statement<ForecastBudget, [organizationId: string]>(
  'alerts_forecast_limits',
  newOf(
    `SELECT a.id AS "alertId", ${SUBJECT_OF_LIMIT} AS subject, ${WINDOW_START} AS "windowStart",
        1::double precision AS threshold, 1 AS rank, l.subject AS scope, l.guardrail_id, l.holder, l.holder_id, l."interval", l.limit_usd,
        l.spent_usd, refused.is_refusing, forecast.met_at
      FROM ${ALERTED_BUDGETS}
      CROSS JOIN LATERAL (${windowForecast({
        used: 'l.spent_usd',
        limit: 'l.limit_usd',
        start: WINDOW_START,
        end: endOfWindow('l."interval"', 'l.first_day'),
        leastShare: FORECAST_AFTER,
      })}) AS forecast
      WHERE a.organization_id = $1 AND a.kind = 'budget_forecast' AND a.enabled AND l.spent_usd < l.limit_usd AND forecast.met_at IS NOT NULL`,
    `${SHOWN_BUDGET}, o.met_at AS "metAt"`,
  ),
);

/** A key that expires soon. */
export interface ExpiringKey extends Occurrence {
  readonly keyHash: string;
  readonly keyName: string;
  /** Null is the default workspace, and that of management keys. */
  readonly workspaceId: string | null;
  readonly expiresAt: Date;
}

/** The keys of an organization that expire within as many days as an alert names. Disabled ones are left out. */
export const EXPIRING_KEYS = statement<ExpiringKey, [organizationId: string]>(
  'alerts_expiring_keys',
  newOf(
    `SELECT a.id AS "alertId", 'key/' || k.id AS subject, k.expires_at AS "windowStart", d.days::double precision AS threshold,
        row_number() OVER (PARTITION BY a.id, k.id ORDER BY d.days) AS rank,
        encode(k.hash, 'hex') AS "keyHash", k.name AS "keyName", k.workspace_id AS "workspaceId", k.expires_at AS "expiresAt"
      FROM alerts a JOIN api_keys k ON k.organization_id = $1 AND NOT k.disabled AND k.expires_at > now()
        AND (a.key_id IS NULL OR k.id = a.key_id)
        AND (a.workspace_id IS NULL OR k.workspace_id = a.workspace_id OR k.kind = 'api_key' AND k.workspace_id IS NULL
          AND EXISTS (SELECT FROM workspaces w WHERE w.organization_id = $1 AND w.id = a.workspace_id AND w.is_default))
      CROSS JOIN LATERAL unnest(a.days_before) AS d (days)
      WHERE a.organization_id = $1 AND a.kind = 'key_expiry' AND a.enabled AND k.expires_at <= now() + d.days * interval '24 hours'`,
    'o."keyHash", o."keyName", o."workspaceId", o."expiresAt"',
  ),
);

/** A destination that has paused. */
export interface PausedDestination extends Occurrence {
  readonly destinationId: string;
  readonly destinationName: string | null;
  readonly destinationType: string;
  readonly workspaceId: string;
  readonly state: 'paused' | 'gone';
  /** The last error, without secrets. */
  readonly reason: string | null;
}

// A pause begins after the last success, or after the change of the destination by which it was tried again.
/** The destinations of an organization that have paused. Disabled ones are left out. */
export const PAUSED_DESTINATIONS = statement<PausedDestination, [organizationId: string]>(
  'alerts_paused_destinations',
  newOf(
    `SELECT a.id AS "alertId", 'destination/' || d.id AS subject, greatest(d.updated_at, q.last_success_at) AS "windowStart",
        0::double precision AS threshold, 1 AS rank, d.id AS "destinationId", d.name AS "destinationName", d.type AS "destinationType",
        d.workspace_id AS "workspaceId", q.state, q.last_error AS reason
      FROM alerts a JOIN observability_destinations d ON d.organization_id = $1 AND d.enabled
        AND (a.workspace_id IS NULL OR d.workspace_id = a.workspace_id)
      JOIN broadcast_queues q ON q.organization_id = $1 AND q.destination_id = d.id AND q.state IN ('paused', 'gone')
      WHERE a.organization_id = $1 AND a.kind = 'destination_paused' AND a.enabled`,
    'o."destinationId", o."destinationName", o."destinationType", o."workspaceId", o.state, o.reason',
  ),
);

/** Many members whom a directory has deactivated within an hour. */
export interface DeactivatedMembers extends Occurrence {
  /** When the first of them was. */
  readonly since: Date;
  readonly deactivated: number;
  readonly active: number;
}

// More than a fifth of the members, or twenty (docs/interface/scim-provisioning.md#many-at-once). Once in an hour of the clock.
/** The members of an organization whom its directory has deactivated within an hour, where they are many. */
export const DEACTIVATED_MEMBERS = statement<DeactivatedMembers, [organizationId: string]>(
  'alerts_deactivated_members',
  newOf(
    `SELECT a.id AS "alertId", 'members' AS subject, date_trunc('hour', run.since, 'UTC') AS "windowStart",
        0::double precision AS threshold, 1 AS rank, run.since, run.deactivated, run.active
      FROM alerts a CROSS JOIN (
        SELECT min(m.deactivated_at) FILTER (WHERE ${IS_OF_RUN}) AS since,
          (count(*) FILTER (WHERE ${IS_OF_RUN}))::integer AS deactivated,
          (count(*) FILTER (WHERE m.deactivated_at IS NULL))::integer AS active
        FROM organization_members m WHERE m.organization_id = $1 AND m.kind = 'person') AS run
      WHERE a.organization_id = $1 AND a.kind = 'members_deactivated' AND a.enabled
        AND (run.deactivated >= 20 OR run.deactivated > 0.2 * (run.active + run.deactivated))`,
    'o.since, o.deactivated, o.active',
  ),
);

const NOTIFICATIONS = rowsInsert(AlertNotificationEntity, '$2', { createdAt: 'now()' });

/**
 * Writes notifications down, each once whichever process finds it, and what is to be sent of those that were not there: to the webhook of the alert
 * and to its addresses that have confirmed. The rows are in the order of their keys, so that two replicas do not wait for each other.
 */
export const WRITE_NOTIFICATIONS = statement<never, [organizationId: string, rows: string]>(
  'alerts_write_notifications',
  `WITH made AS (
      ${NOTIFICATIONS.into} SELECT made.* FROM (${NOTIFICATIONS.select}) AS made
      WHERE made.organization_id = $1
      ORDER BY alert_id, subject, window_start, threshold
      ON CONFLICT (organization_id, alert_id, subject, window_start, threshold) DO NOTHING
      RETURNING alert_id, subject, window_start, threshold, data, created_at
    )
    INSERT INTO alert_deliveries (organization_id, alert_id, subject, window_start, threshold, receiver, state, tries, next_at, created_at)
    SELECT $1, made.alert_id, made.subject, made.window_start, made.threshold, receivers.receiver, 'pending', 0, made.created_at,
      made.created_at
    FROM made CROSS JOIN LATERAL (
      SELECT 'webhook' AS receiver FROM alerts a
      WHERE a.organization_id = $1 AND a.id = made.alert_id AND a.destination_id IS NOT NULL
      UNION ALL
      SELECT r.email FROM alert_recipients r
      WHERE r.organization_id = $1 AND r.alert_id = made.alert_id AND r.confirmed_at IS NOT NULL) AS receivers
    WHERE made.data IS NOT NULL`,
);

/** Forgets notifications of windows that have ended long ago, with their deliveries. The lifetime never ends. */
export const FORGET_NOTIFICATIONS = statement<never, [organizationId: string]>(
  'alerts_forget_notifications',
  `DELETE FROM alert_notifications WHERE organization_id = $1 AND created_at < now() - interval '62 days'
    AND window_start < now() - interval '62 days' AND window_start <> timestamptz '1970-01-01T00:00:00Z'
    AND subject NOT LIKE 'destination/%'`,
);

/** Forgets refusals of windows that have ended long ago. What was notified of the lifetime stays written down. */
export const FORGET_LIMIT_REFUSALS = statement<never, [organizationId: string]>(
  'alerts_forget_limit_refusals',
  "DELETE FROM limit_refusals WHERE organization_id = $1 AND refused_at < now() - interval '32 days'",
);

/** Forgets confirmation mails that count no more. */
export const FORGET_CONFIRMATION_MAILS = statement<never, [organizationId: string]>(
  'alerts_forget_confirmation_mails',
  `DELETE FROM alert_confirmation_mails WHERE organization_id = $1 AND requested_at < now() - interval '25 hours'`,
);

/** A notification to write down. */
export type NewNotification = Omit<AlertNotificationEntity, 'createdAt' | 'organizationId'>;

/** What alerts are about, and what has been written down of it. */
@Injectable()
export class AlertEvaluationRepository {
  constructor(private readonly statements: Statements) {}

  /** Organizations with alerts that notify, behind one of them. @param most of them */
  async organizations(after: string, most: number): Promise<AlertedOrganization[]> {
    return this.statements.bulk.rows(ALERTED_ORGANIZATIONS, [after, most]);
  }

  /** Limits of which a share is spent, as far as they are not written down: some of them. */
  async crossedLimits(organizationId: string): Promise<AlertedBudget[]> {
    return this.statements.bulk.rows(CROSSED_LIMITS, [organizationId]);
  }

  /** Limits that will be met in their window, as far as they are not written down: some of them. */
  async forecastLimits(organizationId: string): Promise<ForecastBudget[]> {
    return this.statements.bulk.rows(FORECAST_LIMITS, [organizationId]);
  }

  /** Keys that expire soon, as far as they are not written down: some of them. */
  async expiringKeys(organizationId: string): Promise<ExpiringKey[]> {
    return this.statements.bulk.rows(EXPIRING_KEYS, [organizationId]);
  }

  /** Members whom a directory has deactivated, as far as they are not written down. */
  async deactivatedMembers(organizationId: string): Promise<DeactivatedMembers[]> {
    return this.statements.bulk.rows(DEACTIVATED_MEMBERS, [organizationId]);
  }

  /** Destinations that have paused, as far as they are not written down: some of them. */
  async pausedDestinations(organizationId: string): Promise<PausedDestination[]> {
    return this.statements.bulk.rows(PAUSED_DESTINATIONS, [organizationId]);
  }

  /** Writes notifications down that are not there yet, with what is to be sent of them. @returns how much is to be sent */
  async write(organizationId: string, notifications: readonly NewNotification[]): Promise<number> {
    const createdAt = new Date(0);
    const rows = notifications.map((notification) => ({ ...notification, organizationId, createdAt }));
    return this.statements.bulk.write(WRITE_NOTIFICATIONS, [organizationId, NOTIFICATIONS.values(rows)]);
  }

  /** Forgets what an organization needs no more. */
  async forgetOld(organizationId: string): Promise<void> {
    await this.statements.bulk.write(FORGET_NOTIFICATIONS, [organizationId]);
    await this.statements.bulk.write(FORGET_LIMIT_REFUSALS, [organizationId]);
    await this.statements.bulk.write(FORGET_CONFIRMATION_MAILS, [organizationId]);
  }
}
