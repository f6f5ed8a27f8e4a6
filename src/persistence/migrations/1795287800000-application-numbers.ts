import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Numbers applications within each organization, so that an `app_id` reveals nothing about other organizations, and widens
 * the ids so that they cannot run out. Existing applications keep their id as their number.
 */
export class ApplicationNumbers1795287800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION number_oauth_application CASCADE');
    await runner.query('ALTER TABLE oauth_applications DROP COLUMN number, ALTER COLUMN id TYPE integer');
    await runner.query('ALTER TABLE authorization_codes ALTER COLUMN application_id TYPE integer');
  }
}

const STATEMENTS = [
  'ALTER TABLE oauth_applications ADD COLUMN number bigint, ALTER COLUMN id TYPE bigint',
  'ALTER TABLE authorization_codes ALTER COLUMN application_id TYPE bigint',
  'UPDATE oauth_applications SET number = id',
  'ALTER TABLE oauth_applications ALTER COLUMN number SET NOT NULL',
  `ALTER TABLE oauth_applications
    ADD CONSTRAINT uq_oauth_applications_organization_number UNIQUE (organization_id, number)`,
  // A trigger, because an earlier release that still runs does not know the column. A transaction that has waited for the
  // organization's row sees the number that the other one has assigned, because each statement of a function takes a new
  // snapshot.
  `CREATE FUNCTION number_oauth_application() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM 1 FROM organizations WHERE id = NEW.organization_id FOR NO KEY UPDATE;
      SELECT coalesce(max(number), 0) + 1 INTO NEW.number FROM oauth_applications
        WHERE organization_id = NEW.organization_id;
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER number_application BEFORE INSERT ON oauth_applications
    FOR EACH ROW EXECUTE FUNCTION number_oauth_application()`,
];
