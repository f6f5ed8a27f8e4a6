import { statement } from '../../persistence/statement.js';
import type { CounterPlace } from './compiled-limit.js';
import { type CombinationValues, LABEL_PREFIX } from './limit-vocabulary.js';

/** How many counters with values that clients invent an organization has at most, and one key of it (docs/interface/limits.md#combinations). */
export const MAXIMUM_COMBINATIONS = { ofOrganization: 1_000_000, ofKey: 100_000 };

/** Stands for all keys of an organization in `limit_populations`. */
export const ALL_KEYS = '00000000-0000-0000-0000-000000000000';

/** What is counted in a place, as decimal text in the measure of the limit. */
export interface CounterState {
  /** Whether there is a row. */
  readonly exists: boolean;
  readonly amount: string;
  readonly byokAmount: string;
  readonly reserved: string;
  readonly reservedWithByok: string;
  /** The amount that applies instead of that of the limit; null for none. */
  readonly exception: string | null;
}

/** What an admission reads of counters, at one moment. */
interface CountersRow {
  /** In the order of the places. */
  readonly counters: readonly CounterState[];
  readonly populations: readonly { readonly keyId: string; readonly combinations: number }[] | null;
}

/**
 * What is counted in some places, each found by its key, and how many counters some keys have made. Exceptions apply until their time on the
 * clock of the database.
 */
export const COUNTER_STATES = statement<
  CountersRow,
  [
    organizationId: string,
    limitIds: readonly string[],
    combinations: readonly string[],
    windowStarts: readonly Date[],
    keyIds: readonly string[],
  ]
>(
  'limit_counter_states',
  `SELECT (
      SELECT json_agg(json_build_object('exists', c.amount IS NOT NULL, 'amount', coalesce(c.amount, 0)::text,
        'byokAmount', coalesce(c.byok_amount, 0)::text, 'reserved', coalesce(c.reserved, 0)::text,
        'reservedWithByok', coalesce(c.reserved_with_byok, 0)::text, 'exception', e.amount::text) ORDER BY place.number)
      FROM unnest($2::uuid[], $3::text[], $4::timestamptz[]) WITH ORDINALITY AS place (limit_id, combination, window_start, number)
      LEFT JOIN LATERAL (
        SELECT found.amount, found.byok_amount, found.reserved, found.reserved_with_byok FROM limit_counters found
        WHERE found.organization_id = $1 AND found.limit_id = place.limit_id AND found.combination = place.combination
          AND found.window_start = place.window_start LIMIT 1) AS c ON true
      LEFT JOIN LATERAL (
        SELECT found.amount FROM limit_exceptions found
        WHERE found.organization_id = $1 AND found.limit_id = place.limit_id AND found.combination = place.combination
          AND (found.until IS NULL OR found.until > now()) LIMIT 1) AS e ON true
    ) AS counters, (
      SELECT json_agg(json_build_object('keyId', p.key_id, 'combinations', p.combinations))
      FROM limit_populations p WHERE p.organization_id = $1 AND p.key_id = ANY ($5::uuid[])
    ) AS populations`,
);

/** The parameters of COUNTER_STATES. @param keyIds those whose counters are counted, too */
export function counterStatesValues(
  organizationId: string,
  places: readonly CounterPlace[],
  keyIds: readonly string[],
): [string, string[], string[], Date[], readonly string[]] {
  return [
    organizationId,
    places.map(({ limitId }) => limitId),
    places.map(({ combination }) => combination),
    places.map(({ windowStart }) => windowStart),
    keyIds,
  ];
}

/** What an admission adds to a counter. Amounts are decimal text. */
export interface CounterAddition extends CounterPlace {
  readonly values: CombinationValues;
  readonly keyId: string;
  readonly reserved: string;
  readonly reservedWithByok: string;
  readonly expiresAt: Date | null;
}

/** Rows in the order of their keys, in which settlements lock them as well: none waits for another that waits for it. */
const IN_ORDER = 'ORDER BY 2, 3, 4';

/**
 * Adds what is reserved to counters, which are made where they are not there. A limit that was deleted meanwhile has none.
 */
export const RESERVE_COUNTERS = statement<never, [organizationId: string, additions: string]>(
  'limit_counters_reserve',
  `WITH known_limit AS MATERIALIZED (
      SELECT l.id FROM limits l WHERE l.organization_id = $1 AND l.id = ANY (ARRAY(
        SELECT (one->>'limitId')::uuid FROM jsonb_array_elements($2::jsonb) AS one)) FOR KEY SHARE
    )
    INSERT INTO limit_counters AS known (organization_id, limit_id, combination, window_start, "values", key_id, amount, byok_amount,
      reserved, reserved_with_byok, last_used_at, expires_at)
    SELECT $1, one."limitId", one.combination, one."windowStart", one."values", one."keyId", 0, 0, one.reserved, one."reservedWithByok",
      now(), one."expiresAt"
    FROM jsonb_to_recordset($2::jsonb) AS one ("limitId" uuid, combination text, "windowStart" timestamptz, "values" jsonb, "keyId" uuid,
      reserved numeric, "reservedWithByok" numeric, "expiresAt" timestamptz)
    JOIN known_limit ON known_limit.id = one."limitId"
    ${IN_ORDER}
    ON CONFLICT ON CONSTRAINT pk_limit_counters DO UPDATE SET reserved = known.reserved + excluded.reserved,
      reserved_with_byok = known.reserved_with_byok + excluded.reserved_with_byok, last_used_at = excluded.last_used_at,
      expires_at = excluded.expires_at`,
);

/** Counts counters that were made. */
export const ADD_POPULATIONS = statement<
  never,
  [organizationId: string, keyIds: readonly string[], numbers: readonly number[]]
>(
  'limit_populations_add',
  `INSERT INTO limit_populations AS known (organization_id, key_id, combinations)
    SELECT $1, made.key_id, made.number FROM unnest($2::uuid[], $3::bigint[]) AS made (key_id, number) ORDER BY 2
    ON CONFLICT ON CONSTRAINT pk_limit_populations DO UPDATE SET combinations = known.combinations + excluded.combinations`,
);

/** Whether clients invent the values that a limit `l` groups by, as `CompiledLimit` says it. */
const HAS_INVENTED_COMBINATIONS = `EXISTS (
        SELECT FROM unnest(l.group_by) AS key WHERE key IN ('user', 'session') OR starts_with(key, '${LABEL_PREFIX}'))`;

/** An UPDATE that counts counters no more, by the rows `gone` with their `key_id`. */
const LESS_POPULATIONS = `UPDATE limit_populations p SET combinations = greatest(0, p.combinations - less.number)
    FROM (
      SELECT side.key_id, count(*) AS number FROM gone CROSS JOIN LATERAL (VALUES (gone.key_id), ('${ALL_KEYS}'::uuid)) AS side (key_id)
      WHERE gone.is_invented GROUP BY 1
    ) AS less
    WHERE p.organization_id = $1 AND p.key_id = less.key_id`;

/**
 * Deletes some counters of an organization whose time is over, for which nothing is reserved. Those that are being changed wait for the next
 * time.
 */
export const DELETE_EXPIRED_COUNTERS = statement<never, [organizationId: string, most: number]>(
  'limit_counters_delete_expired',
  `WITH expired AS MATERIALIZED (
      SELECT c.limit_id, c.combination, c.window_start FROM limit_counters c
      WHERE c.organization_id = $1 AND c.expires_at < now() AND c.reserved_with_byok = 0
      ORDER BY c.expires_at LIMIT $2::bigint FOR UPDATE SKIP LOCKED
    ),
    deleted AS (
      DELETE FROM limit_counters c USING expired
      WHERE c.organization_id = $1 AND c.limit_id = expired.limit_id AND c.combination = expired.combination
        AND c.window_start = expired.window_start
      RETURNING c.key_id, c.limit_id
    ),
    gone AS (
      SELECT deleted.key_id, ${HAS_INVENTED_COMBINATIONS} AS is_invented
      FROM deleted JOIN limits l ON l.organization_id = $1 AND l.id = deleted.limit_id
    )
    ${LESS_POPULATIONS}`,
);

/** Counts the counters of a limit no more, which is to be deleted with them. */
export const LEAVE_POPULATIONS = statement<never, [organizationId: string, limitId: string]>(
  'limit_populations_leave',
  `WITH gone AS (
      SELECT c.key_id, ${HAS_INVENTED_COMBINATIONS} AS is_invented
      FROM limit_counters c JOIN limits l ON l.organization_id = $1 AND l.id = c.limit_id
      WHERE c.organization_id = $1 AND c.limit_id = $2::uuid
    )
    ${LESS_POPULATIONS}`,
);

/** What a request has used of a counter, which its record charges. Amounts are decimal text in the measure of the limit. */
export interface CounterUse {
  readonly limitId: string;
  readonly combination: string;
  /** In ISO 8601. */
  readonly windowStart: string;
  /** Through provider keys of the deployment. */
  readonly amount: string;
  /** Through the organization's own provider keys. */
  readonly byokAmount: string;
}

/**
 * Common table expressions that charge counters with what records have used, and release what deleted reservations held, for a statement
 * whose first parameter is the organization. `generation` must be a name for the records that were inserted, with `generation_id`, and
 * `released` one for the deleted reservations, with `holds`.
 *
 * @param uses the parameter with {@link CounterUse}s in JSON, each with its `generationId`
 */
export function chargeCounters(uses: string): string {
  return `counter_change AS (
      SELECT one.limit_id, one.combination, one.window_start, sum(one.amount) AS amount, sum(one.byok_amount) AS byok_amount,
        sum(one.reserved) AS reserved, sum(one.reserved_with_byok) AS reserved_with_byok
      FROM (
        SELECT use."limitId" AS limit_id, use.combination, use."windowStart" AS window_start, use.amount, use."byokAmount" AS byok_amount,
          0 AS reserved, 0 AS reserved_with_byok
        FROM jsonb_to_recordset(${uses}::jsonb) AS use ("generationId" text, "limitId" uuid, combination text, "windowStart" timestamptz,
          amount numeric, "byokAmount" numeric)
        JOIN generation ON generation.generation_id = use."generationId"
        UNION ALL
        SELECT held."limitId", held.combination, held."windowStart", 0, 0, held.amount, greatest(held.amount, held."byokAmount")
        FROM released CROSS JOIN LATERAL jsonb_to_recordset(coalesce(released.holds, '[]')) AS held ("limitId" uuid, combination text,
          "windowStart" timestamptz, amount numeric, "byokAmount" numeric)
      ) AS one GROUP BY 1, 2, 3
    ),
    locked_counter AS MATERIALIZED (
      SELECT c.organization_id, c.limit_id, c.combination, c.window_start FROM counter_change AS change
      JOIN limit_counters c ON c.organization_id = $1 AND c.limit_id = change.limit_id AND c.combination = change.combination
        AND c.window_start = change.window_start
      ${IN_ORDER} FOR UPDATE OF c
    ),
    charged_counter AS (
      UPDATE limit_counters c SET amount = c.amount + change.amount, byok_amount = c.byok_amount + change.byok_amount,
        reserved = greatest(0, c.reserved - change.reserved),
        reserved_with_byok = greatest(0, c.reserved - change.reserved, c.reserved_with_byok - change.reserved_with_byok)
      FROM locked_counter AS locked JOIN counter_change AS change USING (limit_id, combination, window_start)
      WHERE c.organization_id = $1 AND c.limit_id = locked.limit_id AND c.combination = locked.combination
        AND c.window_start = locked.window_start
    )`;
}

/** What a request that is being answered has reserved of one counter of a limit. Amounts are decimal text in the measure of the limit. */
export interface LimitHold {
  readonly limitId: string;
  /** As `combinationOf` names it. */
  readonly combination: string;
  /** When the window began, in ISO 8601. */
  readonly windowStart: string;
  /** The amount if a provider key of the deployment is used. */
  readonly amount: string;
  /** The amount if a provider key of the organization's own is used. */
  readonly byokAmount: string;
  /** Set where nothing of it is used in the end: it counts only while the request is being answered. */
  readonly isReleased?: true;
}
