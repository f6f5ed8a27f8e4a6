import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Numbers applications by organization, so that an `app_id` says nothing of other organizations, and makes ids that no
 * number of codes can use up. Applications that are there keep the number that was their id.
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
  // A trigger, because an earlier release that still runs does not know the column. Whoever waits for the organization's row
  // sees the number that the other has taken: each statement of a function has a snapshot of its own.
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
