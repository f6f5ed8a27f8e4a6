import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets a role that does not own the tables record events: the trigger that links them runs with the privileges of the owner,
 * so that no other role needs privileges to write links and heads (docs/adr/0007).
 */
export class ProtectedAuditTrail1795302100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE OR REPLACE FUNCTION link_audit_event() RETURNS trigger LANGUAGE plpgsql AS $$${LINK_AUDIT_EVENT}$$`,
    );
    await runner.query(
      `CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$${REFUSE_AUDIT_CHANGE}$$`,
    );
    // Temporary tables of the caller come last in the search path, so that none of them shadows a table of the trail.
    await runner.query(`DO $$ BEGIN
      EXECUTE format('ALTER FUNCTION link_audit_event() SECURITY DEFINER SET search_path = pg_catalog, %I, pg_temp', current_schema());
    END $$`);
    // A role with EXECUTE could attach the function to a table of its own and make it write arbitrary links.
    await runner.query('REVOKE EXECUTE ON FUNCTION link_audit_event() FROM PUBLIC');
    // Records the creation of organizations that earlier releases did not record: from now on a missing chain is a fault.
    await runner.query(`INSERT INTO audit_events (id, organization_id, actor_kind, action, target_type, target_id, created_at)
      SELECT gen_random_uuid(), id, 'command_line', 'organization.start_trail', 'organization', id, date_trunc('milliseconds', now())
      FROM organizations
      WHERE NOT EXISTS (SELECT FROM audit_heads head WHERE head.organization_id = organizations.id)
        AND NOT EXISTS (SELECT FROM audit_events event WHERE event.organization_id = organizations.id)`);
    await runner.query(`CREATE TABLE audit_head_log (
      id smallint NOT NULL,
      logged_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_audit_head_log PRIMARY KEY (id)
    )`);
    await runner.query(`INSERT INTO audit_head_log (id, logged_at) VALUES (1, '-infinity')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_head_log');
    await runner.query('GRANT EXECUTE ON FUNCTION link_audit_event() TO PUBLIC');
    await runner.query('ALTER FUNCTION link_audit_event() SECURITY INVOKER RESET search_path');
  }
}

/** The body of the trigger function that refuses changes of the trail. `gatehouse audit verify` compares it. */
export const REFUSE_AUDIT_CHANGE = `
    BEGIN
      RAISE EXCEPTION 'what the audit trail holds is never changed or removed' USING ERRCODE = 'insufficient_privilege';
    END `;

/** The body of the trigger function that adds an event to its chain. `gatehouse audit verify` compares it. */
export const LINK_AUDIT_EVENT = `
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
      INSERT INTO audit_links (organization_id, sequence, event_id, hash, actor, action, target_id, created_at)
      VALUES (NEW.organization_id, head.sequence, NEW.id, head.hash, coalesce(NEW.actor_id, NEW.actor_kind), NEW.action,
        NEW.target_id, NEW.created_at);
      UPDATE audit_heads SET sequence = head.sequence, hash = head.hash WHERE organization_id = NEW.organization_id;
      RETURN NULL;
    END `;
