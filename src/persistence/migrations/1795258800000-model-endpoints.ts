import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the endpoints of models, facts about providers, and the current edition of the catalog. */
export class ModelEndpoints1795258800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [...CATALOG_TABLES].reverse()) await runner.query(`DROP TRIGGER renew_edition ON ${table}`);
    await runner.query('DROP FUNCTION renew_catalog_edition()');
    await runner.query('DROP TABLE catalog_edition');
    await runner.query('DROP TABLE model_endpoints');
    await runner.query('ALTER TABLE models DROP COLUMN traits, DROP COLUMN benchmarks');
    await runner.query(`ALTER TABLE providers
      DROP COLUMN datacenters, DROP COLUMN headquarters, DROP COLUMN terms_of_service_url, DROP COLUMN status_page_url,
      DROP COLUMN privacy_policy_url`);
  }
}

/** The tables that the responses about the catalog are built from. */
const CATALOG_TABLES = ['providers', 'models', 'model_names', 'image_endpoints', 'model_endpoints'];

const STATEMENTS = [
  `ALTER TABLE providers
      ADD COLUMN privacy_policy_url text,
      ADD COLUMN status_page_url text,
      ADD COLUMN terms_of_service_url text,
      ADD COLUMN headquarters text,
      ADD COLUMN datacenters text[]`,
  `ALTER TABLE models
      ADD COLUMN benchmarks jsonb,
      ADD COLUMN traits jsonb`,
  `CREATE TABLE model_endpoints (
      model_id text NOT NULL,
      position integer NOT NULL,
      provider_slug text NOT NULL,
      tag text NOT NULL,
      name text NOT NULL,
      context_length integer NOT NULL,
      max_completion_tokens integer,
      max_prompt_tokens integer,
      pricing jsonb NOT NULL,
      quantization text,
      status integer,
      supported_parameters text[] NOT NULL,
      supports_implicit_caching boolean NOT NULL,
      supports_voice_cloning boolean NOT NULL,
      measurements jsonb NOT NULL,
      is_zdr boolean NOT NULL,
      trains_on_requests boolean,
      publishes_prompts boolean,
      CONSTRAINT pk_model_endpoints PRIMARY KEY (model_id, position),
      CONSTRAINT fk_model_endpoints_model FOREIGN KEY (model_id) REFERENCES models (id) ON DELETE CASCADE,
      CONSTRAINT fk_model_endpoints_provider FOREIGN KEY (provider_slug) REFERENCES providers (slug)
    )`,
  'CREATE INDEX ix_model_endpoints_provider ON model_endpoints (provider_slug)',
  // A random name and not a number: after a backup is restored, a counter could reach a value again that a process has
  // cached.
  `CREATE TABLE catalog_edition (
      is_current boolean NOT NULL,
      edition uuid NOT NULL,
      CONSTRAINT pk_catalog_edition PRIMARY KEY (is_current),
      CONSTRAINT ck_catalog_edition_single CHECK (is_current)
    )`,
  'INSERT INTO catalog_edition (is_current, edition) VALUES (true, gen_random_uuid())',
  `CREATE FUNCTION renew_catalog_edition() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE catalog_edition SET edition = gen_random_uuid();
      RETURN NULL;
    END $$`,
  // Every change of the catalog, also a manual one, creates a new edition.
  ...CATALOG_TABLES.map(
    (table) => `CREATE TRIGGER renew_edition AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION renew_catalog_edition()`,
  ),
];
