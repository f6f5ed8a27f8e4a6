import { Injectable } from '@nestjs/common';
import { statement } from '../../persistence/statement.js';
import { Statements } from '../../persistence/statements.js';

/** Makes the partitions of this month and the next ones, where there are none: of records, and of the totals that they add to. */
export const MAKE_GENERATION_PARTITIONS = statement<{ changed: number }>(
  'generation_partitions_make',
  'SELECT make_generation_partitions() + make_usage_partitions() AS changed',
);

/** Drops the partitions that have nothing but old records, or old totals of a short period. */
export const DROP_GENERATION_PARTITIONS = statement<{ changed: number }, [retentionDays: number]>(
  'generation_partitions_drop',
  'SELECT drop_generation_partitions($1) + drop_usage_partitions() AS changed',
);

/** The partitions of records and totals. One replica changes them at a time; another one finds nothing to do meanwhile. */
@Injectable()
export class GenerationPartitionsRepository {
  constructor(private readonly statements: Statements) {}

  /** @returns how many it has made */
  async make(): Promise<number> {
    return (await this.statements.first(MAKE_GENERATION_PARTITIONS, []))!.changed;
  }

  /** @returns how many it has dropped */
  async drop(retentionDays: number): Promise<number> {
    return (await this.statements.first(DROP_GENERATION_PARTITIONS, [retentionDays]))!.changed;
  }
}
