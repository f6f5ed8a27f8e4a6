import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the users that organizations register (docs/interface/external-users.md). */
export class ExternalUsers1798710000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE external_users (
      organization_id text NOT NULL,
      id uuid NOT NULL,
      external_user text NOT NULL,
      is_active boolean NOT NULL,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_external_users PRIMARY KEY (organization_id, id),
      CONSTRAINT uq_external_users_external_user UNIQUE (organization_id, external_user),
      CONSTRAINT fk_external_users_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    )`);
    await runner.query(
      'CREATE INDEX ix_external_users_page ON external_users (organization_id, created_at, id, is_active)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE external_users');
  }
}
