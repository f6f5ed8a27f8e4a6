import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the state of members (docs/interface/members.md), their kind, and what their organization calls them: a user may belong to several
 * organizations, and none of them may write what the others read. What an older replica adds is active, and named by its user.
 */
export class MemberStates1798100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `ALTER TABLE organization_members
    ADD COLUMN name text,
    ADD COLUMN email text,
    ADD COLUMN email_key text,
    ADD COLUMN given_name text,
    ADD COLUMN family_name text,
    ADD COLUMN kind text NOT NULL DEFAULT 'person',
    ADD COLUMN deactivated_at timestamptz(3),
    ADD COLUMN deactivated_by text,
    ADD COLUMN ended_at timestamptz(3),
    ADD CONSTRAINT ck_organization_members_kind CHECK (kind IN ('person', 'service')),
    ADD CONSTRAINT ck_organization_members_deactivated_by CHECK (deactivated_by IN ('directory', 'administrator')),
    ADD CONSTRAINT ck_organization_members_deactivated CHECK ((deactivated_at IS NULL) = (deactivated_by IS NULL)),
    ADD CONSTRAINT ck_organization_members_ended CHECK (ended_at IS NULL OR deactivated_at IS NOT NULL)`,
  `UPDATE organization_members m SET name = u.name, email = u.email, email_key = lower(u.email) FROM users u WHERE u.id = m.user_id`,
  `CREATE INDEX ix_organization_members_deactivated ON organization_members (organization_id, user_id)
    WHERE deactivated_at IS NOT NULL`,
  'CREATE INDEX ix_organization_members_email ON organization_members (organization_id, email_key)',
  `ALTER TABLE organizations
    ADD COLUMN keys_of_deactivated_members text NOT NULL DEFAULT 'suspend',
    ADD CONSTRAINT ck_organizations_keys_of_deactivated_members
      CHECK (keys_of_deactivated_members IN ('suspend', 'keep_api_keys'))`,
];

const DOWN = [
  'ALTER TABLE organizations DROP COLUMN keys_of_deactivated_members',
  'DROP INDEX ix_organization_members_email',
  'DROP INDEX ix_organization_members_deactivated',
  `ALTER TABLE organization_members
    DROP COLUMN ended_at,
    DROP COLUMN deactivated_by,
    DROP COLUMN deactivated_at,
    DROP COLUMN kind,
    DROP COLUMN family_name,
    DROP COLUMN given_name,
    DROP COLUMN email_key,
    DROP COLUMN email,
    DROP COLUMN name`,
];
