import { Injectable } from '@nestjs/common';
import { BackgroundStatements } from '../../persistence/background-statements.js';
import { statement } from '../../persistence/statement.js';

/** Drops the partitions that have nothing but old records. */
export const DROP_GENERATION_PARTITIONS = statement<{ dropped: number }, [retentionDays: number]>(
  'generation_partitions_drop',
  'SELECT drop_generation_partitions($1) AS dropped',
);

/** Drops the partitions that have nothing but old totals of a short period. */
export const DROP_USAGE_PARTITIONS = statement<{ dropped: number }>(
  'usage_partitions_drop',
  'SELECT drop_usage_partitions() AS dropped',
);

/** The old partitions of records and totals. One replica drops them at a time; another one finds nothing to do meanwhile. */
@Injectable()
export class GenerationPartitionsRepository {
  constructor(private readonly background: BackgroundStatements) {}

  /** @returns how many it has dropped */
  async drop(retentionDays: number): Promise<number> {
    const ofRecords = await this.background.transaction((tx) => tx.first(DROP_GENERATION_PARTITIONS, [retentionDays]));
    const ofTotals = await this.background.transaction((tx) => tx.first(DROP_USAGE_PARTITIONS, []));
    return ofRecords!.dropped + ofTotals!.dropped;
  }
}
