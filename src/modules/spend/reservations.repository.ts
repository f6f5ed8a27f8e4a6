import { Injectable } from '@nestjs/common';
import { insertRowsStatement } from '../../persistence/insert-statement.js';
import { statement } from '../../persistence/statement.js';
import { Statements, type Transaction } from '../../persistence/statements.js';
import {
  ADMISSION_STATE,
  admissionStateValues,
  type LimitRow,
  type ReservedRow,
  type Spender,
} from './admission-state.repository.js';
import {
  ADD_POPULATIONS,
  DELETE_EXPIRED_COUNTERS,
  COUNTER_STATES,
  type CounterAddition,
  type CounterState,
  counterStatesValues,
  RESERVE_COUNTERS,
} from '../limits/limit-counters.js';
import type { CounterPlaces } from './open-counters.js';
import { type BlockRow, BLOCKS, blocksValues } from './blocks/blocks.repository.js';
import { SpendReservationEntity } from './entities/spend-reservation.entity.js';

/**
 * Lets admissions of an organization follow one another, on all replicas, until the end of the transaction. What they reserve need not
 * survive a crash of the database, because the requests do not wait for that; what is charged does. Says whether the lease of the
 * process has not been ended: it may have been suspended, with its clock, since it last renewed its lease.
 *
 * Bitmap scans are off because only a plain index scan marks dead index entries, which the next scan then skips.
 */
export const LOCK_ADMISSIONS = statement<{ hasLease: boolean }, [organizationId: string, processId: string]>(
  'spend_admissions_lock',
  `SELECT set_config('synchronous_commit', 'off', true), set_config('enable_bitmapscan', 'off', true),
      pg_advisory_xact_lock(hashtextextended('admission ' || $1, 0)),
      EXISTS (SELECT FROM live_processes WHERE id = $2 AND alive_until > '-infinity') AS "hasLease"`,
);

/** Inserts reservations, and raises those that there are. */
export const INSERT_RESERVATIONS = insertRowsStatement('spend_reservations_insert', SpendReservationEntity, [
  'organizationId',
  'generationId',
]);

/** How many counters are deleted at a time whose windows are over: more than a batch of requests makes. */
const MAXIMUM_EXPIRED = 1_000;

/** What is read for a batch of requests. */
interface AskedState {
  readonly spenders: { readonly all: readonly Spender[] };
  /** Without any, nothing is read of counters. */
  readonly places: CounterPlaces;
}

/** What decides about a batch of requests, at one moment. */
export interface ReservingState {
  readonly limits: readonly LimitRow[];
  readonly reserved: readonly ReservedRow[];
  /** In the order of the places. */
  readonly counters: readonly CounterState[];
  readonly populations: readonly { readonly keyId: string; readonly combinations: number }[];
}

/** What is written for a batch of requests. */
export interface Reservations {
  readonly reservations: SpendReservationEntity[];
  readonly additions: readonly CounterAddition[];
  /** Whether a counter is made. */
  readonly hasNewCounters: boolean;
  /** How many counters with values that clients invent are made, by key. */
  readonly populations: ReadonlyMap<string, number>;
  /** Whether every request is admitted as it is. */
  readonly isWhole: boolean;
}

/** A batch of requests about which is decided. */
interface DecidingBatch extends AskedState {
  /** Gets what was read, and gives what to write; called once more for each repetition of the transaction. */
  decide(state: ReservingState): Reservations;
  /** The blocks to give back before anything is decided. */
  blocksInTheWay(state: ReservingState, blocks: readonly BlockRow[]): readonly string[];
}

/**
 * What is reserved for requests that are being answered. Reservations are deleted by INSERT_GENERATIONS, in the statement that records and
 * charges the request.
 */
@Injectable()
export class ReservationsRepository {
  constructor(private readonly statements: Statements) {}

  /**
   * Makes reservations, with what they hold of counters, while no other replica makes any for the organization.
   *
   * @param processId the process that reserves
   * @param asksForBlocks whether blocks may be asked back; nothing is written then
   * @returns the ids of the blocks to give back before the batch is decided; undefined where the process has not got its lease any more, and
   *   nothing is decided
   */
  async reserve(
    organizationId: string,
    processId: string,
    batch: DecidingBatch,
    asksForBlocks: boolean,
  ): Promise<readonly string[] | undefined> {
    return this.statements.transaction(async (tx: Transaction) => {
      const { hasLease } = (await tx.first(LOCK_ADMISSIONS, [organizationId, processId]))!;
      if (!hasLease) return undefined;
      const state = await stateOf(tx, organizationId, batch);
      const decided = batch.decide(state);
      if (asksForBlocks && !decided.isWhole) {
        const blocks = await tx.rows(BLOCKS, blocksValues(organizationId, batch.spenders.all));
        const inTheWay = blocks.length === 0 ? [] : batch.blocksInTheWay(state, blocks);
        if (inTheWay.length > 0) return inTheWay;
      }
      await write(tx, organizationId, decided);
      return [];
    });
  }
}

async function stateOf(
  tx: Transaction,
  organizationId: string,
  { spenders, places: { places, keyIds } }: AskedState,
): Promise<ReservingState> {
  const state = await tx.first(ADMISSION_STATE, admissionStateValues(organizationId, spenders.all));
  const counted =
    places.length === 0
      ? undefined
      : await tx.first(COUNTER_STATES, counterStatesValues(organizationId, places, keyIds));
  return {
    limits: state?.limits ?? [],
    reserved: state?.reserved ?? [],
    counters: counted?.counters ?? [],
    populations: counted?.populations ?? [],
  };
}

async function write(
  tx: Transaction,
  organizationId: string,
  { reservations, additions, populations, hasNewCounters }: Reservations,
): Promise<void> {
  if (reservations.length > 0) await tx.write(INSERT_RESERVATIONS, INSERT_RESERVATIONS.values(reservations));
  if (additions.length > 0) await tx.write(RESERVE_COUNTERS, [organizationId, JSON.stringify(additions)]);
  if (populations.size > 0) {
    await tx.write(ADD_POPULATIONS, [organizationId, [...populations.keys()], [...populations.values()]]);
  }
  if (hasNewCounters) await tx.write(DELETE_EXPIRED_COUNTERS, [organizationId, MAXIMUM_EXPIRED]);
}
