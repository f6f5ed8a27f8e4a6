import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Makes keys fit for tables that are spread over nodes (docs/scaling.md): the ids of applications come from a sequence, which only the
 * coordinator counts, and not from an identity, of which each node would have one; and a trigger, not a foreign key, has codes forget the
 * key that they were exchanged for when it is deleted, because no foreign key with the organization in it can be set to null there.
 */
export class DistributedKeys1795910100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

/** The next id is one that no application has. */
const SET_SEQUENCE = `SELECT setval('oauth_applications_id_seq', coalesce(max(id), 0) + 1, false) FROM oauth_applications`;

const UP = [
  'ALTER TABLE oauth_applications ALTER COLUMN id DROP IDENTITY',
  'CREATE SEQUENCE oauth_applications_id_seq AS bigint OWNED BY oauth_applications.id',
  SET_SEQUENCE,
  `ALTER TABLE oauth_applications ALTER COLUMN id SET DEFAULT nextval('oauth_applications_id_seq')`,
  // A service that runs meanwhile inserts applications with a role that has no privilege for the new sequence yet.
  `DO $$
    DECLARE
      role regrole;
    BEGIN
      FOR role IN SELECT grantee::regrole FROM pg_class, aclexplode(relacl)
        WHERE oid = 'oauth_applications'::regclass AND privilege_type = 'INSERT' AND grantee <> 0
      LOOP
        EXECUTE format('GRANT USAGE ON SEQUENCE oauth_applications_id_seq TO %s', role);
      END LOOP;
    END $$`,
  'ALTER TABLE authorization_codes DROP CONSTRAINT fk_authorization_codes_issued_key',
  `CREATE FUNCTION forget_issued_keys() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      organization text;
      keys uuid[];
    BEGIN
      FOR organization IN SELECT DISTINCT organization_id FROM deleted ORDER BY organization_id LOOP
        keys := ARRAY(SELECT id FROM deleted WHERE organization_id = organization);
        UPDATE authorization_codes SET issued_key_id = NULL
          WHERE organization_id = organization AND issued_key_id = ANY (keys);
      END LOOP;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER forget_issued_keys AFTER DELETE ON api_keys REFERENCING OLD TABLE AS deleted
    FOR EACH STATEMENT EXECUTE FUNCTION forget_issued_keys()`,
];

const DOWN = [
  'DROP FUNCTION forget_issued_keys() CASCADE',
  `UPDATE authorization_codes code SET issued_key_id = NULL WHERE issued_key_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM api_keys key WHERE key.organization_id = code.organization_id AND key.id = code.issued_key_id)`,
  `ALTER TABLE authorization_codes ADD CONSTRAINT fk_authorization_codes_issued_key FOREIGN KEY (organization_id, issued_key_id)
    REFERENCES api_keys (organization_id, id) ON DELETE SET NULL (issued_key_id)`,
  'ALTER TABLE oauth_applications ALTER COLUMN id DROP DEFAULT',
  'DROP SEQUENCE oauth_applications_id_seq',
  'ALTER TABLE oauth_applications ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY',
  SET_SEQUENCE,
];
