import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the connections of the deployment to providers, and their current edition. */
export class ProviderConnections1795574400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE provider_connections');
    await runner.query('DROP FUNCTION renew_provider_connection_edition()');
    await runner.query('DROP TABLE provider_connection_edition');
  }
}

const STATEMENTS = [
  `CREATE TABLE provider_connections (
      provider text NOT NULL,
      protocol text NOT NULL,
      base_url text NOT NULL,
      encrypted_api_key bytea,
      timeouts jsonb NOT NULL,
      models jsonb NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_provider_connections PRIMARY KEY (provider),
      CONSTRAINT ck_provider_connections_protocol CHECK (protocol IN ('openai', 'anthropic'))
    )`,
  // A random name and not a number, as for the catalog: a restored backup must not reach a name that a process has cached.
  `CREATE TABLE provider_connection_edition (
      is_current boolean NOT NULL,
      edition uuid NOT NULL,
      CONSTRAINT pk_provider_connection_edition PRIMARY KEY (is_current),
      CONSTRAINT ck_provider_connection_edition_single CHECK (is_current)
    )`,
  'INSERT INTO provider_connection_edition (is_current, edition) VALUES (true, gen_random_uuid())',
  `CREATE FUNCTION renew_provider_connection_edition() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE provider_connection_edition SET edition = gen_random_uuid();
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER renew_edition AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON provider_connections
    FOR EACH STATEMENT EXECUTE FUNCTION renew_provider_connection_edition()`,
];
