import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets organizations say who may allow applications a key, and up to which limit (docs/interface/consent.md#settings). */
export class ConsentSettings1798600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE organizations
        ADD COLUMN consent_by text NOT NULL DEFAULT 'members',
        ADD COLUMN consent_maximum_limit double precision,
        ADD CONSTRAINT ck_organizations_consent_by CHECK (consent_by IN ('members', 'administrators'))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organizations DROP COLUMN consent_maximum_limit, DROP COLUMN consent_by');
  }
}
