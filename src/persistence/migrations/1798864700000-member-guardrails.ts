import type { MigrationInterface, QueryRunner } from 'typeorm';
import { countList, ORGANIZATION_SCOPE, stopCountingList } from '../count-list.js';

/**
 * Lets a member have a guardrail for each workspace (docs/interface/guardrails.md#assignments). Releases before this one read one row of a
 * member, in `guardrail_member_assignments`: what they write there is written here too, and applies to all keys of the member. What is
 * assigned from now on stands here alone.
 */
export class MemberGuardrails1798864700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE member_guardrails (
      id uuid NOT NULL,
      organization_id text NOT NULL,
      guardrail_id uuid NOT NULL,
      user_id text NOT NULL,
      workspace_id uuid,
      applies_everywhere boolean NOT NULL,
      assigned_by text,
      created_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_member_guardrails PRIMARY KEY (organization_id, id),
      CONSTRAINT uq_member_guardrails_workspace UNIQUE (organization_id, user_id, workspace_id),
      CONSTRAINT fk_member_guardrails_guardrail FOREIGN KEY (organization_id, guardrail_id)
        REFERENCES guardrails (organization_id, id) ON DELETE CASCADE,
      CONSTRAINT fk_member_guardrails_member FOREIGN KEY (organization_id, user_id)
        REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE
    )`);
    await runner.query(
      'CREATE UNIQUE INDEX uq_member_guardrails_of_none ON member_guardrails (organization_id, user_id) WHERE workspace_id IS NULL',
    );
    await runner.query(
      'CREATE UNIQUE INDEX uq_member_guardrails_earlier ON member_guardrails (organization_id, user_id) WHERE applies_everywhere AND workspace_id IS NOT NULL',
    );
    await runner.query('CREATE INDEX ix_member_guardrails_page ON member_guardrails (organization_id, created_at, id)');
    await runner.query(
      'CREATE INDEX ix_member_guardrails_guardrail ON member_guardrails (organization_id, guardrail_id, created_at, id)',
    );
    await countList(runner, {
      table: 'member_guardrails',
      scope: ORGANIZATION_SCOPE,
      secondScope: "organization_id || '/' || guardrail_id",
    });
    await runner.query(`CREATE CONSTRAINT TRIGGER remove_member_counts AFTER DELETE ON guardrails DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION remove_counts_of_deleted('member_guardrails')`);
    // Blocks writes of older replicas between the copy and the triggers that keep it.
    await runner.query('LOCK TABLE guardrail_member_assignments IN SHARE ROW EXCLUSIVE MODE');
    await runner.query(`INSERT INTO member_guardrails
        (id, organization_id, guardrail_id, user_id, workspace_id, applies_everywhere, assigned_by, created_at)
      SELECT a.id, a.organization_id, a.guardrail_id, a.user_id, g.workspace_id, true, a.assigned_by, a.created_at
      FROM guardrail_member_assignments a JOIN guardrails g ON g.organization_id = a.organization_id AND g.id = a.guardrail_id`);
    await runner.query(`CREATE FUNCTION keep_member_guardrail() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF TG_OP = 'DELETE' THEN
            DELETE FROM member_guardrails WHERE organization_id = OLD.organization_id AND id = OLD.id;
            RETURN NULL;
          END IF;
          DELETE FROM member_guardrails held USING guardrails g
          WHERE g.organization_id = NEW.organization_id AND g.id = NEW.guardrail_id
            AND held.organization_id = NEW.organization_id AND held.user_id = NEW.user_id
            AND held.workspace_id IS NOT DISTINCT FROM g.workspace_id;
          INSERT INTO member_guardrails
            (id, organization_id, guardrail_id, user_id, workspace_id, applies_everywhere, assigned_by, created_at)
          SELECT NEW.id, NEW.organization_id, NEW.guardrail_id, NEW.user_id, g.workspace_id, true, NEW.assigned_by, NEW.created_at
          FROM guardrails g WHERE g.organization_id = NEW.organization_id AND g.id = NEW.guardrail_id;
          RETURN NULL;
        END $$`);
    await runner.query(`CREATE TRIGGER keep_member_guardrail AFTER INSERT OR DELETE ON guardrail_member_assignments
      FOR EACH ROW EXECUTE FUNCTION keep_member_guardrail()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER keep_member_guardrail ON guardrail_member_assignments');
    await runner.query('DROP FUNCTION keep_member_guardrail()');
    await runner.query('DROP TRIGGER remove_member_counts ON guardrails');
    await stopCountingList(runner, 'member_guardrails');
    await runner.query('DROP TABLE member_guardrails');
    await runner.query(`DELETE FROM list_counts WHERE list = 'member_guardrails'`);
  }
}
