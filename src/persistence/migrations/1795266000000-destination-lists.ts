import type { MigrationInterface, QueryRunner } from 'typeorm';
import { BY_SCOPE, countList, stopCountingList, WORKSPACE_SCOPE } from '../count-list.js';

const TABLE = 'observability_destinations';

/** Maintains the number of destinations of each workspace. */
export class DestinationLists1795266000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await countList(runner, { table: TABLE, scope: WORKSPACE_SCOPE }, BY_SCOPE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await stopCountingList(runner, TABLE);
    await runner.query('DELETE FROM list_counts WHERE list = $1', [TABLE]);
  }
}
