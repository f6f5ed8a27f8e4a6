import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets a claim of an identity provider say which groups a person is in (docs/interface/sign-in.md#groups-from-claims). */
export class GroupClaims1798610000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sign_in_connections ADD COLUMN group_claim text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sign_in_connections DROP COLUMN group_claim');
  }
}
