import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who did what: events that are only ever added, and a chain of hashes over those of each organization. */
export class AuditEvents1795244400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_links');
    await runner.query('DROP FUNCTION link_audit_event() CASCADE');
    await runner.query('DROP FUNCTION audit_event_hash(bytea, bigint, audit_events)');
    await runner.query('DROP TABLE audit_heads');
    await runner.query('DROP TABLE audit_events');
    await runner.query('DROP FUNCTION refuse_audit_change()');
  }
}

/** No foreign keys: events outlive the objects that they are about. */
const STATEMENTS = [
  `CREATE TABLE audit_events (
      id uuid NOT NULL,
      organization_id text NOT NULL,
      actor_kind text NOT NULL,
      actor_id text,
      credential_id uuid,
      action text NOT NULL,
      target_type text NOT NULL,
      target_id text NOT NULL,
      changes jsonb,
      request_id text,
      address text,
      created_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_audit_events PRIMARY KEY (id)
    )`,
  'CREATE INDEX ix_audit_events_organization ON audit_events (organization_id, created_at, id)',
  `CREATE TABLE audit_links (
      organization_id text NOT NULL,
      sequence bigint NOT NULL,
      event_id uuid NOT NULL,
      hash bytea NOT NULL,
      CONSTRAINT pk_audit_links PRIMARY KEY (organization_id, sequence),
      CONSTRAINT uq_audit_links_event UNIQUE (event_id)
    )`,
  // Every recorded event updates a row here, so pages have free space for the next row version (HOT updates).
  `CREATE TABLE audit_heads (
      organization_id text NOT NULL,
      sequence bigint NOT NULL,
      hash bytea NOT NULL,
      CONSTRAINT pk_audit_heads PRIMARY KEY (organization_id)
    ) WITH (fillfactor = 50)`,
  `CREATE FUNCTION audit_event_hash(previous bytea, sequence bigint, event audit_events) RETURNS bytea
    LANGUAGE sql STABLE AS $$
      SELECT sha256(previous || convert_to(jsonb_build_array(
        sequence, event.id, event.organization_id, event.actor_kind, event.actor_id, event.credential_id, event.action,
        event.target_type, event.target_id, event.changes, event.request_id, event.address,
        (extract(epoch FROM event.created_at) * 1000)::bigint
      )::text, 'UTF8'))
    $$`,
  `CREATE FUNCTION link_audit_event() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      head audit_heads;
    BEGIN
      SELECT * INTO head FROM audit_heads WHERE organization_id = NEW.organization_id FOR UPDATE;
      IF NOT FOUND THEN
        INSERT INTO audit_heads (organization_id, sequence, hash) VALUES (NEW.organization_id, 0, '') ON CONFLICT DO NOTHING;
        SELECT * INTO head FROM audit_heads WHERE organization_id = NEW.organization_id FOR UPDATE;
      END IF;
      head.sequence := head.sequence + 1;
      head.hash := audit_event_hash(head.hash, head.sequence, NEW);
      INSERT INTO audit_links (organization_id, sequence, event_id, hash)
      VALUES (NEW.organization_id, head.sequence, NEW.id, head.hash);
      UPDATE audit_heads SET sequence = head.sequence, hash = head.hash WHERE organization_id = NEW.organization_id;
      RETURN NULL;
    END $$`,
  // Deferred to the commit, after all other locks of the transaction, so that a transaction that waits for a chain never
  // blocks others for long.
  `CREATE CONSTRAINT TRIGGER link_event AFTER INSERT ON audit_events DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION link_audit_event()`,
  `CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'what the audit trail holds is never changed or removed' USING ERRCODE = 'insufficient_privilege';
    END $$`,
  ...['audit_events', 'audit_links'].flatMap((table) => [
    `CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
    // Revoked even from the owner. A superuser is not bound by privileges; the trigger refuses it.
    `REVOKE UPDATE, DELETE, TRUNCATE ON ${table} FROM PUBLIC, CURRENT_USER`,
  ]),
  `CREATE TRIGGER refuse_removal BEFORE DELETE OR TRUNCATE ON audit_heads
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
];
