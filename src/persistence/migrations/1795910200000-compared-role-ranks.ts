import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ROLE_RANK_FUNCTIONS } from './1795311600000-role-ranks.js';

/**
 * Has the functions of role ranks compare roles by conditions of their own, in place of `CASE role WHEN`: Citus writes a statement anew for a
 * node, and wrote the latter with a truth value where a role belongs, so that no change of a mapping reached the memberships.
 */
export class ComparedRoleRanks1795910200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of COMPARING) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of ROLE_RANK_FUNCTIONS) await runner.query(replacing(statement));
  }
}

function replacing(statement: string): string {
  return statement.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION');
}

const COMPARING = ROLE_RANK_FUNCTIONS.map((statement) =>
  replacing(statement).replace('CASE $1', 'CASE').replaceAll('WHEN ', 'WHEN $1 = '),
);
