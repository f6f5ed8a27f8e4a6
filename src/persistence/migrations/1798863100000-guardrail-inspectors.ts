import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets guardrails name inspectors (docs/interface/guardrails.md#inspectors). */
export class GuardrailInspectors1798863100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE guardrails ADD COLUMN inspector_ids uuid[]');
    // An inspector that a guardrail names is not deleted; few guardrails name any.
    await runner.query(
      'CREATE INDEX ix_guardrails_inspectors ON guardrails (organization_id) WHERE inspector_ids IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_guardrails_inspectors');
    await runner.query('ALTER TABLE guardrails DROP COLUMN inspector_ids');
  }
}
