import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Bounds the size of the changed fields in an event, so that every page of the audit trail can be returned (docs/adr/0007).
 * Existing events are never changed: for those that are larger, a digest of all changes is stored in another table.
 */
export class BoundedAuditChanges1795302000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(DIGEST_FUNCTION);
    await runner.query(BOUNDED_FUNCTION);
    await runner.query(
      `CREATE FUNCTION bound_audit_changes() RETURNS trigger LANGUAGE plpgsql AS $$${BOUND_AUDIT_CHANGES}$$`,
    );
    // Events smaller than the limit of one value are not inspected.
    await runner.query(`CREATE TRIGGER bound_changes BEFORE INSERT ON audit_events
      FOR EACH ROW WHEN (octet_length(NEW.changes::text) > 16384) EXECUTE FUNCTION bound_audit_changes()`);
    await runner.query(`CREATE TABLE audit_large_changes (
      event_id uuid NOT NULL,
      sha256 bytea NOT NULL,
      bytes integer NOT NULL,
      CONSTRAINT pk_audit_large_changes PRIMARY KEY (event_id)
    )`);
    await runner.query(`INSERT INTO audit_large_changes (event_id, sha256, bytes)
      SELECT id, sha256(convert_to(changes::text, 'UTF8')), octet_length(changes::text)
      FROM audit_events WHERE octet_length(changes::text) > 65536`);
    await runner.query(`CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_large_changes
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_large_changes');
    await runner.query('DROP TRIGGER bound_changes ON audit_events');
    await runner.query('DROP FUNCTION bound_audit_changes');
    await runner.query('DROP FUNCTION bounded_audit_changes');
    await runner.query('DROP FUNCTION audit_digest');
  }
}

/** The body of the trigger function that bounds an event's changes. `gatehouse audit verify` compares it. */
export const BOUND_AUDIT_CHANGES = `
    BEGIN
      NEW.changes := bounded_audit_changes(NEW.changes);
      RETURN NEW;
    END `;

const DIGEST_FUNCTION = `CREATE FUNCTION audit_digest(value jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
      SELECT jsonb_build_object(
          'sha256', encode(sha256(convert_to(value::text, 'UTF8')), 'hex'), 'bytes', octet_length(value::text)
        ) || CASE jsonb_typeof(value)
          WHEN 'array' THEN jsonb_build_object('items', jsonb_array_length(value)) ELSE '{}' END
    $$`;

// Values of more than 16 KiB are replaced first; if the rest still exceeds 64 KiB, smaller ones are replaced as well.
const BOUNDED_FUNCTION = `CREATE FUNCTION bounded_audit_changes(changes jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
    DECLARE
      bounded jsonb;
      maximum integer;
    BEGIN
      IF jsonb_typeof(changes) = 'object' AND NOT EXISTS (
        SELECT FROM jsonb_each(changes) AS fields (name, change) WHERE jsonb_typeof(change) <> 'object'
      ) THEN
        FOREACH maximum IN ARRAY ARRAY[16384, 4096, 512] LOOP
          SELECT jsonb_object_agg(name, (
              SELECT coalesce(jsonb_object_agg(
                CASE WHEN octet_length(value::text) > maximum THEN side || '_digest' ELSE side END,
                CASE WHEN octet_length(value::text) > maximum THEN audit_digest(value) ELSE value END), '{}')
              FROM jsonb_each(change) AS sides (side, value)
            )) INTO bounded
          FROM jsonb_each(changes) AS fields (name, change);
          IF octet_length(bounded::text) <= 65536 THEN
            RETURN bounded;
          END IF;
        END LOOP;
      END IF;
      IF octet_length(changes::text) <= 65536 THEN
        RETURN changes;
      END IF;
      RETURN jsonb_build_object('*', jsonb_build_object('after_digest', audit_digest(changes)));
    END $$`;
