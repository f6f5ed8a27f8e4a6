import { Injectable } from '@nestjs/common';
import { BackgroundStatements } from './background-statements.js';
import { errorCode, isPostgresError } from './database-failures.js';
import { statement } from './statement.js';
import { Statements } from './statements.js';

/** What has a partition for each month (UTC): records of requests, and their totals of minutes and hours. */
export type PartitionKind = 'generations' | 'usage_minutes' | 'usage_hours';

/** The partition for a month. */
export interface MonthPartition {
  readonly kind: PartitionKind;
  /** Its first day in UTC, as YYYY-MM-DD. */
  readonly month: string;
}

/** A partition that is not there. */
export interface MissingPartition extends MonthPartition {
  /** Whether what comes now is written to it. */
  readonly isPresent: boolean;
}

/** The kinds, and for how long something older than now may still be written: records come a little late, or by a clock that is behind. */
export const PARTITION_KINDS = `(VALUES ('generations', interval '1 day'), ('usage_minutes', interval '8 days'),
  ('usage_hours', interval '93 days')) AS kept (kind, duration)`;

/** SQL: whether the partition of a kind for the month of a day is missing. @param kind and day are expressions */
export function isMissing(kind: string, day: string): string {
  return `to_regclass(format('%I', ${kind} || to_char(${day}, '"_"YYYY_MM'))) IS NULL`;
}

/** The partitions that are not there of those from the first month that is written to up to that in three months: first the present one. */
export const MISSING_PARTITIONS = statement<MissingPartition>(
  'month_partitions_missing',
  `SELECT due.kind, due.month::date::text AS month, due.month = due.present AS "isPresent"
    FROM (
      SELECT kept.kind, date_trunc('month', now() AT TIME ZONE 'UTC') AS present,
        generate_series(date_trunc('month', (now() - kept.duration) AT TIME ZONE 'UTC'),
          date_trunc('month', (now() + interval '3 months') AT TIME ZONE 'UTC'), interval '1 month') AS month
      FROM ${PARTITION_KINDS}
    ) AS due
    WHERE ${isMissing('due.kind', 'due.month')}
    ORDER BY due.month < due.present, due.month, due.kind`,
);

/** Lets replicas make what is missing one after the other, until the end of the transaction, which may take long. */
export const TAKE_TURN = statement<object>(
  'month_partitions_turn',
  `SELECT set_config('idle_in_transaction_session_timeout', '0', true),
      pg_advisory_xact_lock(hashtextextended('month_partitions', 0))`,
);

/** Makes a partition, unless it is there. */
export const MAKE_PARTITION = statement<{ made: boolean }, [kind: PartitionKind, month: string]>(
  'month_partition_make',
  'SELECT make_month_partition($1, $2::date) AS made',
);

/** A partition that could not be made, and why. */
export interface PartitionFailure {
  readonly partition: MissingPartition;
  readonly error: Error;
}

/** What came of making those that are missing. */
export interface PartitionsMade {
  readonly made: number;
  readonly failures: readonly PartitionFailure[];
}

/** The SQLSTATE of a lock that was not to be had in the time in which it is waited for, and how often it is tried then. */
const LOCK_NOT_AVAILABLE = '55P03';
const ATTEMPTS = 5;

/** The SQLSTATE of a row that no partition takes; that of a row that a constraint refuses is the same, with the constraint's name. */
const CHECK_VIOLATION = '23514';

/** The tables, of which nodes of a distributed database have shards. */
const PARTITIONED_TABLE = /^(generations|usage_totals)(_\d+)?$/;

/** Whether a row was refused because the partition for its month is missing. */
export function isMissingPartition(error: unknown): boolean {
  if (errorCode(error) !== CHECK_VIOLATION) return false;
  const { constraint, table } = error as { readonly constraint?: string; readonly table?: string };
  return constraint === undefined && PARTITIONED_TABLE.test(table ?? '');
}

/**
 * Makes partitions, each in a transaction of its own and without the time limit of a request: on a slow machine it takes some tenths of a
 * second (docs/operations.md#partitions).
 */
@Injectable()
export class MonthPartitions {
  /** The partitions that this process is making, by their names. */
  private readonly making = new Map<string, Promise<boolean>>();

  constructor(
    private readonly statements: Statements,
    private readonly background: BackgroundStatements,
  ) {}

  /**
   * Makes the partitions that should be there and are not, those first that are needed first, while no other replica does. One that cannot
   * be made keeps none of the others from being made.
   *
   * @returns how many this process has made, and what failed
   * @throws the error of the database, where it cannot be asked
   */
  async makeMissing(): Promise<PartitionsMade> {
    if ((await this.missing()).length === 0) return { made: 0, failures: [] };
    return this.background.transaction(async (turn) => {
      await turn.rows(TAKE_TURN, []);
      let made = 0;
      const failures: PartitionFailure[] = [];
      for (const partition of await this.missing()) {
        try {
          if (await this.make(partition)) made += 1;
        } catch (error) {
          if (!isPostgresError(error)) throw error;
          failures.push({ partition, error });
        }
      }
      return { made, failures };
    });
  }

  /**
   * Makes a partition, or waits until it is made.
   *
   * @returns whether this process has made it
   * @throws the error of the database
   */
  async make({ kind, month }: MonthPartition): Promise<boolean> {
    const name = `${kind} ${month}`;
    const making = this.making.get(name) ?? this.makeOnce(kind, month).finally(() => this.making.delete(name));
    this.making.set(name, making);
    return making;
  }

  /**
   * Writes rows. If a partition for them is missing, makes those that they need, and writes once more.
   *
   * @param write one statement, which has written nothing when it fails
   * @param needed gives the partitions of the rows
   * @throws the error of the database
   */
  async writing<T>(
    write: () => Promise<T>,
    needed: () => readonly MonthPartition[] | Promise<readonly MonthPartition[]>,
  ): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (!isMissingPartition(error)) throw error;
      for (const partition of await needed()) await this.make(partition);
      return write();
    }
  }

  private async missing(): Promise<MissingPartition[]> {
    return this.statements.rows(MISSING_PARTITIONS, []);
  }

  private async makeOnce(kind: PartitionKind, month: string): Promise<boolean> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.background.transaction(async (tx) => (await tx.first(MAKE_PARTITION, [kind, month]))!.made);
      } catch (error) {
        if (attempt === ATTEMPTS || errorCode(error) !== LOCK_NOT_AVAILABLE) throw error;
      }
    }
  }
}
