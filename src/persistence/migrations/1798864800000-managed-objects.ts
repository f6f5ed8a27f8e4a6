import type { MigrationInterface, QueryRunner } from 'typeorm';

/** In the database, so that it also holds for keys that go with something else, and for replicas of an earlier release. */
const RETIRE_FUNCTION = `CREATE FUNCTION retire_key_hash() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    -- With its organization all that is known of a key goes.
    INSERT INTO retired_key_hashes (organization_id, hash)
      SELECT o.id, OLD.hash FROM organizations o WHERE o.id = OLD.organization_id ON CONFLICT DO NOTHING;
    RETURN NULL;
  END $$`;

/** Adds which objects files configure, and the secrets of keys that are deleted, which are never accepted again (docs/configuration.md). */
export class ManagedObjects1798864800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE managed_objects (
      organization_id text NOT NULL, section text NOT NULL, object_id text NOT NULL, owner text NOT NULL, name text NOT NULL,
      secret_digests jsonb NOT NULL, file text NOT NULL, applied_at timestamptz(3) NOT NULL, drifted_at timestamptz(3),
      CONSTRAINT pk_managed_objects PRIMARY KEY (organization_id, section, object_id),
      CONSTRAINT fk_managed_objects_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE)`);
    await runner.query('CREATE INDEX ix_managed_objects_owner ON managed_objects (organization_id, owner)');
    await runner.query(`CREATE TABLE applied_plans (
      organization_id text NOT NULL, owner text NOT NULL, plan_id text NOT NULL, applied_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_applied_plans PRIMARY KEY (organization_id, owner),
      CONSTRAINT fk_applied_plans_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE)`);
    await runner.query(`CREATE TABLE retired_key_hashes (
      organization_id text NOT NULL, hash bytea NOT NULL,
      CONSTRAINT pk_retired_key_hashes PRIMARY KEY (organization_id, hash),
      CONSTRAINT fk_retired_key_hashes_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE)`);
    await runner.query(RETIRE_FUNCTION);
    await runner.query(`CREATE TRIGGER retire_deleted AFTER DELETE ON api_keys
      FOR EACH ROW EXECUTE FUNCTION retire_key_hash()`);
    await runner.query(`CREATE TRIGGER retire_rotated AFTER UPDATE OF hash ON api_keys
      FOR EACH ROW WHEN (OLD.hash IS DISTINCT FROM NEW.hash) EXECUTE FUNCTION retire_key_hash()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER retire_rotated ON api_keys');
    await runner.query('DROP TRIGGER retire_deleted ON api_keys');
    await runner.query('DROP FUNCTION retire_key_hash()');
    for (const table of ['retired_key_hashes', 'applied_plans', 'managed_objects'])
      await runner.query(`DROP TABLE ${table}`);
  }
}
