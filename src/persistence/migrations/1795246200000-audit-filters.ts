import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Copies the columns that the audit trail is searched by to the links, which are in the order of the trail, so that one
 * index answers a search in order. `gatehouse audit verify` compares the copies with the events.
 */
export class AuditFilters1795246200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE audit_links
      ADD COLUMN actor text, ADD COLUMN action text, ADD COLUMN target_id text, ADD COLUMN created_at timestamptz(3)`);
    await runner.query('ALTER TABLE audit_links DISABLE TRIGGER refuse_change');
    await runner.query('GRANT UPDATE ON audit_links TO CURRENT_USER');
    await runner.query(`UPDATE audit_links l
      SET actor = coalesce(e.actor_id, e.actor_kind), action = e.action, target_id = e.target_id, created_at = e.created_at
      FROM audit_events e WHERE e.id = l.event_id`);
    await runner.query('REVOKE UPDATE ON audit_links FROM CURRENT_USER');
    await runner.query('ALTER TABLE audit_links ENABLE TRIGGER refuse_change');
    await runner.query(`ALTER TABLE audit_links
      ALTER COLUMN actor SET NOT NULL, ALTER COLUMN action SET NOT NULL,
      ALTER COLUMN target_id SET NOT NULL, ALTER COLUMN created_at SET NOT NULL`);
    for (const [name, column] of Object.entries(INDEXES)) {
      await runner.query(`CREATE INDEX ${name} ON audit_links (organization_id, ${column}, sequence)`);
    }
    await runner.query(
      linkFunction(
        '(organization_id, sequence, event_id, hash, actor, action, target_id, created_at)',
        `(NEW.organization_id, head.sequence, NEW.id, head.hash, coalesce(NEW.actor_id, NEW.actor_kind), NEW.action,
        NEW.target_id, NEW.created_at)`,
      ),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      linkFunction(
        '(organization_id, sequence, event_id, hash)',
        '(NEW.organization_id, head.sequence, NEW.id, head.hash)',
      ),
    );
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX ${name}`);
    await runner.query(`ALTER TABLE audit_links
      DROP COLUMN actor, DROP COLUMN action, DROP COLUMN target_id, DROP COLUMN created_at`);
  }
}

const INDEXES = {
  ix_audit_links_actor: 'actor',
  ix_audit_links_action: 'action',
  ix_audit_links_target: 'target_id',
  ix_audit_links_created: 'created_at',
};

function linkFunction(columns: string, values: string): string {
  return `CREATE OR REPLACE FUNCTION link_audit_event() RETURNS trigger LANGUAGE plpgsql AS $$
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
      INSERT INTO audit_links ${columns}
      VALUES ${values};
      UPDATE audit_heads SET sequence = head.sequence, hash = head.hash WHERE organization_id = NEW.organization_id;
      RETURN NULL;
    END $$`;
}
