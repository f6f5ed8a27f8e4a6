import { Injectable } from '@nestjs/common';
import { rowsInsert } from '../../../persistence/insert-statement.js';
import { statement } from '../../../persistence/statement.js';
import { Statements } from '../../../persistence/statements.js';
import { isBlockIn } from '../../limits/block-names.js';
import { chargeCounters, type LimitHold } from '../../limits/limit-counters.js';
import type { ReservedRow, Spender } from '../admission-state.repository.js';
import { SpendReservationEntity } from '../entities/spend-reservation.entity.js';
import { firstDaysOf } from '../limits-of-key.js';

/** A block as it is stored. */
export interface BlockRow extends ReservedRow {
  readonly id: string;
  readonly holds: readonly LimitHold[] | null;
}

/** What is left of a block. */
export interface BlockRest extends Pick<SpendReservationEntity, 'amountUsd' | 'byokAmountUsd' | 'holds'> {
  readonly id: string;
}

/** A reservation that a block pays for. */
export interface PaidReservation {
  readonly blockId: string;
  readonly row: SpendReservationEntity;
}

/** Commits without waiting for the disk, as every reservation does (docs/budgets.md#reservations). */
const WITHOUT_FLUSH = `quick AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true) AS setting)`;

const ROWS = rowsInsert(SpendReservationEntity, '$5');

type TakeValues = [
  organizationId: string,
  processId: string,
  generationIds: readonly string[],
  blockIds: readonly string[],
  rows: string,
  rests: readonly string[],
  amounts: readonly string[],
  byokAmounts: readonly string[],
  holds: readonly (string | null)[],
];

/**
 * Makes reservations of what blocks hold. What is reserved stays the same in sum, so no other process has to be kept from anything
 * meanwhile. A block that is gone pays for nothing, and none does after the lease of the process has been ended.
 *
 * The index finds rows in the order of their ids. So two statements lock blocks in the same order, and neither waits for what the other holds.
 */
export const TAKE_FROM_BLOCKS = statement<Pick<SpendReservationEntity, 'generationId'>, TakeValues>(
  'spend_blocks_take',
  `WITH ${WITHOUT_FLUSH},
    taken AS (
      UPDATE spend_reservations b SET amount_usd = rest.amount, byok_amount_usd = rest.byok_amount, holds = rest.holds
      FROM quick CROSS JOIN unnest($6::text[], $7::numeric[], $8::numeric[], $9::jsonb[]) AS rest (id, amount, byok_amount, holds)
      WHERE b.organization_id = $1 AND b.generation_id = ANY ($6::text[]) AND b.generation_id = rest.id
        AND EXISTS (SELECT FROM live_processes p WHERE p.id = $2 AND p.alive_until > '-infinity')
      RETURNING b.generation_id
    )
    ${ROWS.into} ${ROWS.select}
    WHERE "generation_id" = ANY (ARRAY(
      SELECT pair.generation_id FROM unnest($3::text[], $4::text[]) AS pair (generation_id, block_id)
      JOIN taken ON taken.generation_id = pair.block_id))
    RETURNING generation_id AS "generationId"`,
);

/** Deletes blocks of any process, and releases what they hold of counters. */
export const RELEASE_BLOCKS = statement<never, [organizationId: string, ids: readonly string[]]>(
  'spend_blocks_release',
  `WITH ${WITHOUT_FLUSH},
    generation AS (SELECT NULL::text AS generation_id WHERE false),
    released AS (
      DELETE FROM spend_reservations r USING quick WHERE r.organization_id = $1 AND r.generation_id = ANY ($2::text[]) RETURNING r.holds
    ),
    ${chargeCounters(`'[]'`)}
    SELECT FROM released`,
);

type BlocksValues = [
  organizationId: string,
  keyIds: readonly string[],
  workspaceIds: readonly (string | null)[],
  userIds: readonly string[],
];

/** The blocks of an organization that may count towards limits of spenders, or hold something of counters. */
export const BLOCKS = statement<BlockRow, BlocksValues>(
  'spend_blocks',
  `SELECT r.generation_id AS id, r.key_id AS "keyId", r.user_id AS "userId", r.workspace_id AS "workspaceId",
      ${firstDaysOf(`(r.created_at AT TIME ZONE 'UTC')::date`)} AS "firstDays", r.amount_usd::text AS "amountUsd",
      r.byok_amount_usd::text AS "withByokUsd", r.holds
    FROM spend_reservations r WHERE r.organization_id = $1 AND ${isBlockIn('r')}
      AND (r.workspace_id = ANY ($3) OR r.key_id = ANY ($2) OR r.user_id = ANY ($4) OR r.holds IS NOT NULL)`,
);

/** The parameters of BLOCKS. */
export function blocksValues(organizationId: string, spenders: readonly Spender[]): BlocksValues {
  return [
    organizationId,
    spenders.map(({ keyId }) => keyId),
    spenders.map(({ workspaceId }) => workspaceId),
    spenders.map(({ userId }) => userId),
  ];
}

/** The blocks of some processes. */
export const BLOCKS_OF_PROCESSES = statement<
  Pick<SpendReservationEntity, 'organizationId' | 'generationId'>,
  [processIds: readonly string[]]
>(
  'spend_blocks_of_processes',
  `SELECT r.organization_id AS "organizationId", r.generation_id AS "generationId" FROM spend_reservations r
    WHERE r.process_id = ANY ($1::uuid[]) AND ${isBlockIn('r')}`,
);

/** The rows of blocks. They are made with the reservations of requests. */
@Injectable()
export class BlocksRepository {
  constructor(private readonly statements: Statements) {}

  /**
   * Makes reservations that blocks of a process pay for.
   *
   * @param rests what is then left of the blocks, which only that process makes less
   * @returns the ids of those that were made; of a block that is gone none is
   */
  async take(
    organizationId: string,
    processId: string,
    rests: readonly BlockRest[],
    paid: readonly PaidReservation[],
  ): Promise<ReadonlySet<string>> {
    const made = await this.statements.rows(TAKE_FROM_BLOCKS, [
      organizationId,
      processId,
      paid.map(({ row }) => row.generationId),
      paid.map(({ blockId }) => blockId),
      ROWS.values(paid.map(({ row }) => row)),
      rests.map(({ id }) => id),
      rests.map(({ amountUsd }) => amountUsd),
      rests.map(({ byokAmountUsd }) => byokAmountUsd),
      rests.map(({ holds }) => holds && JSON.stringify(holds)),
    ]);
    return new Set(made.map(({ generationId }) => generationId));
  }

  /** Gives back what blocks hold. Those that are gone are left out. */
  async release(organizationId: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.statements.write(RELEASE_BLOCKS, [organizationId, ids]);
  }

  async ofProcesses(
    processIds: readonly string[],
  ): Promise<readonly Pick<SpendReservationEntity, 'organizationId' | 'generationId'>[]> {
    return this.statements.rows(BLOCKS_OF_PROCESSES, [processIds]);
  }
}
