import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  BY_SCOPE,
  type CountedList,
  countList,
  ORGANIZATION_SCOPE,
  stopCountingList,
  WORKSPACE_SCOPE,
} from '../count-list.js';

/**
 * Maintains the number of rows of each list, so that the cost of a page's total does not depend on the length of the list.
 */
export class CountLists1795240800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE list_counts (
      list text NOT NULL,
      scope text NOT NULL,
      slot smallint NOT NULL,
      row_count bigint NOT NULL,
      CONSTRAINT pk_list_counts PRIMARY KEY (list, scope, slot)
    )`);
    for (const list of LISTS) await countList(runner, list, BY_SCOPE);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { table } of [...LISTS].reverse()) await stopCountingList(runner, table);
    await runner.query('DROP TABLE list_counts');
  }
}

const LISTS: readonly CountedList[] = [
  { table: 'organization_members', scope: ORGANIZATION_SCOPE },
  { table: 'workspace_members', scope: WORKSPACE_SCOPE },
  { table: 'guardrails', scope: WORKSPACE_SCOPE },
  { table: 'scim_group_mappings', scope: ORGANIZATION_SCOPE },
];
