import { Injectable } from '@nestjs/common';
import { columnsOf, entityColumns } from '../../persistence/entity-columns.js';
import { rowsInsert } from '../../persistence/insert-statement.js';
import { isMissingPartition, type MonthPartition, MonthPartitions } from '../../persistence/month-partitions.js';
import { statement } from '../../persistence/statement.js';
import { Statements } from '../../persistence/statements.js';
import { errorCode } from '../../persistence/database-failures.js';
import type { Outcome } from '../../concurrency/batcher.js';
import { chargeCounters, type CounterUse } from '../limits/limit-counters.js';
import { CHARGE_WINDOWS } from '../spend/window-charges.js';
import {
  enqueuedValues,
  type EnqueuedValues,
  enqueueEvents,
  type OutboxEntry,
} from '../observability/delivery/outbox/enqueue-events.js';
import { ADD_USAGE, USED } from '../usage/totals/usage-additions.js';
import { GenerationEntity } from './entities/generation.entity.js';
import { timeOfGeneration } from './generation-time.js';

const ROWS = rowsInsert(GenerationEntity, '$2', { organizationId: '$1' });

/** A record to insert. */
export interface RecordToInsert extends GenerationEntity {
  /** What destinations get of it; absent where none gets any. */
  readonly outbox?: OutboxEntry;
  /** What it has used of limits by condition and group, of which its reservation may hold something; absent where none applied. */
  readonly uses?: readonly CounterUse[];
}

/** A record without its content. */
export type StoredGeneration = Omit<GenerationEntity, 'content'>;

/** The names that belong to a record, as they are now. */
export interface NamesOfGeneration {
  /** SHA-256 in lowercase hex; it and the other two are null for a key that was deleted. */
  readonly keyHash: string | null;
  readonly keyName: string | null;
  readonly keyLabel: string | null;
  readonly userName: string | null;
}

/** A record with the names that belong to it. */
export type NamedGeneration = StoredGeneration & NamesOfGeneration;

/** The names of a record for a select list. */
export const NAMES = `encode(key.hash, 'hex') AS "keyHash", key.name AS "keyName", key.label AS "keyLabel", owner.name AS "userName"`;

/** Where they come from. $1 is the organization. @param record the alias of the records */
export function joinNames(record: string): string {
  return `LEFT JOIN api_keys key ON key.organization_id = $1 AND key.id = ${record}.key_id
    LEFT JOIN users owner ON owner.id = ${record}.user_id`;
}

const SHOWN = entityColumns(GenerationEntity)
  .map(({ property }) => property as keyof GenerationEntity)
  .filter((property) => property !== 'content');

/**
 * Inserts records of one organization, adds their costs to what their keys, workspaces and members have spent, and what they used to
 * the totals of usage, and deletes what was reserved for them, all or nothing. They count toward the day of the request. A key that was
 * deleted meanwhile is not charged. The same id a second time charges nothing.
 *
 * Statements at the same time lock the keys, and then what they have spent, in the same order, so that none waits for another that
 * waits for it. The limit has each key found by its id, and not among all keys of the organization.
 */
export const INSERT_GENERATIONS = statement<never, InsertedValues>('generations_insert', insertGenerations());

/** Inserts records of which some are sent to destinations: it writes them to the outbox as well. */
export const INSERT_BROADCAST_GENERATIONS = statement<never, [...InsertedValues, ...EnqueuedValues]>(
  'generations_insert_broadcast',
  insertGenerations({ outbox: enqueueEvents(4) }),
);

/** Inserts records to some of which limits by condition and group applied: it charges their counters as well. */
export const INSERT_LIMITED_GENERATIONS = statement<never, [...InsertedValues, uses: string]>(
  'generations_insert_limited',
  insertGenerations({ counters: chargeCounters('$4') }),
);

/** Inserts records as {@link INSERT_BROADCAST_GENERATIONS} and {@link INSERT_LIMITED_GENERATIONS} together. */
export const INSERT_LIMITED_BROADCAST_GENERATIONS = statement<
  never,
  [...InsertedValues, uses: string, ...EnqueuedValues]
>(
  'generations_insert_limited_broadcast',
  insertGenerations({ counters: chargeCounters('$4'), outbox: enqueueEvents(5) }),
);

type InsertedValues = [organizationId: string, generations: string, ids: readonly string[]];

/** @param further common table expressions: `outbox` reads `generation`, `counters` what was released besides */
function insertGenerations({
  outbox,
  counters,
}: { readonly outbox?: string; readonly counters?: string } = {}): string {
  return `WITH generation AS (
      ${ROWS.into} ${ROWS.select}
      ON CONFLICT DO NOTHING
      RETURNING id AS generation_id, key_id, user_id, workspace_id, created_at, is_byok, ${USED}
    ),
    ${outbox === undefined ? '' : `${outbox},`}
    usage_addition AS (${ADD_USAGE}),
    charge AS (
      SELECT key_id, user_id, workspace_id, (created_at AT TIME ZONE 'UTC')::date AS day,
        sum(usage_usd) AS amount_usd, sum(byok_usage_usd) AS byok_amount_usd
      FROM generation WHERE usage_usd + byok_usage_usd > 0 GROUP BY 1, 2, 3, 4
    ),
    window_charge AS (${CHARGE_WINDOWS}),
    released AS (
      DELETE FROM spend_reservations WHERE organization_id = $1 AND ctid = ANY (ARRAY(
        SELECT reserved.place FROM unnest($3::text[]) AS recorded (id)
        CROSS JOIN LATERAL (
          SELECT r.ctid AS place FROM spend_reservations r
          WHERE r.organization_id = $1 AND r.generation_id = recorded.id LIMIT 1
        ) AS reserved))${counters === undefined ? '' : '\n      RETURNING holds'}
    ),
    ${counters === undefined ? '' : `${counters},`}
    kept_key AS (
      SELECT kept.id FROM (SELECT DISTINCT key_id FROM charge ORDER BY key_id) AS charged
      CROSS JOIN LATERAL (
        SELECT k.id FROM api_keys k WHERE k.organization_id = $1 AND k.id = charged.key_id LIMIT 1 FOR KEY SHARE
      ) AS kept
    )
    INSERT INTO key_spend AS known (organization_id, key_id, day, amount_usd, byok_amount_usd)
    SELECT $1, kept_key.id, charge.day, sum(charge.amount_usd), sum(charge.byok_amount_usd)
    FROM charge JOIN kept_key ON kept_key.id = charge.key_id GROUP BY 2, 3 ORDER BY 2, 3
    ON CONFLICT ON CONSTRAINT pk_key_spend DO UPDATE SET amount_usd = known.amount_usd + excluded.amount_usd,
      byok_amount_usd = known.byok_amount_usd + excluded.byok_amount_usd`;
}

/** A record by its id with its names, from the partition of the time that the id states. */
export const GENERATION_BY_ID = statement<NamedGeneration, [organizationId: string, id: string, createdAt: Date]>(
  'generation_by_id',
  `SELECT ${columnsOf(GenerationEntity, 'g', SHOWN)}, ${NAMES} FROM generations g ${joinNames('g')}
    WHERE g.organization_id = $1 AND g.id = $2 AND g.created_at = $3`,
);

/** A record with its content, from the partition of the time that the id states. */
export const GENERATION_WITH_CONTENT = statement<
  GenerationEntity,
  [organizationId: string, id: string, createdAt: Date]
>(
  'generation_with_content',
  `SELECT ${columnsOf(GenerationEntity, 'g')} FROM generations g
    WHERE g.organization_id = $1 AND g.id = $2 AND g.created_at = $3`,
);

/** The rows of generations. */
@Injectable()
export class GenerationsRepository {
  constructor(
    private readonly statements: Statements,
    private readonly partitions: MonthPartitions,
  ) {}

  /**
   * Inserts records and charges their costs to their keys, with one statement. When PostgreSQL refuses one of them, the others are
   * inserted without it; where a partition for them is missing, it is made.
   *
   * @returns for each record whether it was inserted, in their order
   * @throws DatabaseUnreachable, and other errors that are not about a record
   */
  async insert(organizationId: string, generations: readonly RecordToInsert[]): Promise<readonly Outcome<void>[]> {
    try {
      await this.partitions.writing(
        () => this.write(organizationId, generations),
        () => partitionsOf(generations),
      );
      return generations.map(() => ({ status: 'fulfilled', value: undefined }));
    } catch (error) {
      if (!isRefusedRow(error)) throw error;
      if (generations.length === 1) return [{ status: 'rejected', reason: error }];
      const middle = Math.ceil(generations.length / 2);
      // One after the other, because they charge the same keys.
      const first = await this.insert(organizationId, generations.slice(0, middle));
      return [...first, ...(await this.insert(organizationId, generations.slice(middle)))];
    }
  }

  async find(organizationId: string, id: string): Promise<NamedGeneration | undefined> {
    const createdAt = timeOfGeneration(id);
    return createdAt && this.statements.first(GENERATION_BY_ID, [organizationId, id, createdAt]);
  }

  async findWithContent(organizationId: string, id: string): Promise<GenerationEntity | undefined> {
    const createdAt = timeOfGeneration(id);
    return createdAt && this.statements.first(GENERATION_WITH_CONTENT, [organizationId, id, createdAt]);
  }

  private async write(organizationId: string, generations: readonly RecordToInsert[]): Promise<void> {
    // Another replica may record the same requests, of one that is gone: in the same order, neither waits for what the other holds.
    const ordered = generations.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const ids = ordered.map(({ id }) => id);
    const values = [organizationId, ROWS.values(ordered), ids] as const;
    const isSent = ordered.some(({ outbox }) => outbox !== undefined);
    if (ordered.some(({ uses }) => uses !== undefined)) {
      const limited = [...values, usesOf(ordered)] as const;
      if (isSent) {
        await this.statements.write(INSERT_LIMITED_BROADCAST_GENERATIONS, [...limited, ...enqueuedValues(ordered)]);
      } else await this.statements.write(INSERT_LIMITED_GENERATIONS, [...limited]);
    } else if (isSent) {
      await this.statements.write(INSERT_BROADCAST_GENERATIONS, [...values, ...enqueuedValues(ordered)]);
    } else await this.statements.write(INSERT_GENERATIONS, [...values]);
  }
}

/** What records have used of counters, for one parameter. */
function usesOf(generations: readonly RecordToInsert[]): string {
  return JSON.stringify(generations.flatMap(({ id, uses = [] }) => uses.map((use) => ({ generationId: id, ...use }))));
}

function partitionsOf(generations: readonly RecordToInsert[]): MonthPartition[] {
  const months = new Set(
    generations.map(({ createdAt }) => `${createdAt.toISOString().slice(0, 'YYYY-MM'.length)}-01`),
  );
  return [...months].map((month) => ({ kind: 'generations', month }));
}

/** Classes of SQLSTATE that say that PostgreSQL does not take a row: its values, its constraints. */
const REFUSED_ROW = /^2[23]/;

/** Whether PostgreSQL does not take a record, however often it is tried. */
export function isRefusedRow(error: unknown): boolean {
  return REFUSED_ROW.test(errorCode(error) ?? '') && !isMissingPartition(error);
}
