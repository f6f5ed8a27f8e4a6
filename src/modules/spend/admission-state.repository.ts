import { statement } from '../../persistence/statement.js';
import { keySpendAt } from './key-totals.js';
import { firstDaysOf, limitsOfKey, type LimitSubject } from './limits-of-key.js';
import type { SpendInterval } from './spend-interval.js';

/** Whose limits apply to a request, and in which windows. */
export interface Spender {
  readonly keyId: string;
  readonly userId: string;
  readonly workspaceId: string | null;
  /** The day of the request in UTC, as YYYY-MM-DD. */
  readonly day: string;
}

/** Whose spend counts toward a limit. */
type Holder = 'workspace' | 'key' | 'member';

/** A limit of a spender, and what is spent. */
export interface LimitRow {
  /** Whose limit it is: the number of the spender, from 1. */
  readonly spender: number;
  readonly subject: LimitSubject;
  readonly guardrailId: string | null;
  readonly holder: Holder;
  readonly holderId: string;
  readonly interval: SpendInterval;
  /** Of the window, as YYYY-MM-DD. */
  readonly firstDay: string;
  /** US dollars, as decimal text like the other amounts. */
  readonly limitUsd: string;
  readonly spentUsd: string;
  readonly includesByok: boolean;
  /** The name of the guardrail, if it only observes; null for a limit that refuses. */
  readonly observer: string | null;
}

/** What is reserved by a key in a workspace, for requests of one day. */
export interface ReservedRow {
  readonly keyId: string;
  readonly userId: string;
  readonly workspaceId: string | null;
  /** The first days of the windows that the day is in. */
  readonly firstDays: Readonly<Record<SpendInterval, string>>;
  readonly amountUsd: string;
  /** The reserved amount if usage through the organization's own provider keys counts. */
  readonly withByokUsd: string;
}

/** The ids of workspaces; null if the organization has no default workspace any more. */
type WorkspaceIds = readonly (string | null)[];

/** What decides about admissions, at one moment. */
export interface AdmissionState {
  /** The broadest first; null for none. */
  readonly limits: readonly LimitRow[] | null;
  readonly reserved: readonly ReservedRow[] | null;
}

/** The spenders, by their numbers. */
type AdmissionStateValues = [
  organizationId: string,
  keyIds: readonly string[],
  workspaceIds: WorkspaceIds,
  days: readonly string[],
  userIds: readonly string[],
];

/**
 * The limits of spenders with what is spent, and what is reserved beside it. One statement, because between two a request could be
 * settled, whose cost would be in both or in neither.
 */
export const ADMISSION_STATE = statement<AdmissionState, AdmissionStateValues>(
  'spend_admission_state',
  `SELECT (
      SELECT json_agg(json_build_object(
        'spender', spender.number, 'subject', l.subject, 'guardrailId', l.guardrail_id, 'holder', l.holder, 'holderId', l.holder_id,
        'interval', l."interval", 'firstDay', l.first_day, 'limitUsd', l.limit_usd::text, 'spentUsd', l.spent_usd::text,
        'includesByok', l.includes_byok, 'observer', l.observer) ORDER BY l.rank)
      FROM unnest($2::uuid[], $3::uuid[], $4::date[]) WITH ORDINALITY AS spender (key_id, workspace_id, day, number)
      LEFT JOIN LATERAL (
        SELECT found.id, found.user_id, found.limit_usd, found.limit_reset, found.include_byok_in_limit FROM api_keys found
        WHERE found.organization_id = $1 AND found.id = spender.key_id LIMIT 1) AS k ON true
      LEFT JOIN LATERAL (
        SELECT found.id, found.include_byok_in_budgets, found.default_guardrail_id FROM workspaces found
        WHERE found.organization_id = $1 AND found.id = spender.workspace_id LIMIT 1) AS w ON true
      CROSS JOIN LATERAL (${limitsOfKey({ day: 'spender.day', keySpend: keySpendAt('spender.day') })}) AS l
    ) AS limits, (
      SELECT json_agg(json_build_object(
        'keyId', r.key_id, 'userId', r.user_id, 'workspaceId', r.workspace_id, 'firstDays', ${firstDaysOf('r.day')},
        'amountUsd', r.amount_usd::text, 'withByokUsd', r.with_byok_usd::text))
      FROM (
        SELECT key_id, user_id, workspace_id, (created_at AT TIME ZONE 'UTC')::date AS day, sum(amount_usd) AS amount_usd,
          sum(greatest(amount_usd, byok_amount_usd)) AS with_byok_usd
        FROM spend_reservations
        WHERE organization_id = $1 AND (workspace_id = ANY ($3) OR key_id = ANY ($2) OR user_id = ANY ($5))
        GROUP BY 1, 2, 3, 4) AS r
    ) AS reserved`,
);

/** The parameters of ADMISSION_STATE. @param spenders the spenders, which the statement numbers by their positions from 1 */
export function admissionStateValues(organizationId: string, spenders: readonly Spender[]): AdmissionStateValues {
  return [
    organizationId,
    spenders.map(({ keyId }) => keyId),
    spenders.map(({ workspaceId }) => workspaceId),
    spenders.map(({ day }) => day),
    spenders.map(({ userId }) => userId),
  ];
}

/** The day in UTC that a request counts in. @param createdAt when it came */
export function dayOf(createdAt: Date): string {
  return createdAt.toISOString().slice(0, 10);
}
