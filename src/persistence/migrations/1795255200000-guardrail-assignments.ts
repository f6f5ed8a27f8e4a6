import type { MigrationInterface, QueryRunner } from 'typeorm';
import { BY_SCOPE, type CountedList, countList, ORGANIZATION_SCOPE, stopCountingList } from '../count-list.js';
import { defaultGuardrailIdOf } from '../identifiers.js';

/** Adds the guardrail assignments of keys and members, and the ids of the default guardrails of workspaces. */
export class GuardrailAssignments1795255200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await addDefaultGuardrailIds(runner);
    for (const statement of STATEMENTS) await runner.query(statement);
    for (const list of LISTS) await countList(runner, list, BY_SCOPE);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { table } of [...LISTS].reverse()) {
      await stopCountingList(runner, table);
      await runner.query('DELETE FROM list_counts WHERE list = $1', [table]);
      await runner.query(`DROP TABLE ${table}`);
    }
    await runner.query('ALTER TABLE guardrails DROP CONSTRAINT uq_guardrails_organization_id');
    await runner.query('ALTER TABLE api_keys DROP CONSTRAINT uq_api_keys_organization_id');
    await runner.query('ALTER TABLE workspaces DROP COLUMN default_guardrail_id');
  }
}

const GUARDRAIL_SCOPE = "organization_id || '/' || guardrail_id";

const LISTS: readonly CountedList[] = ['guardrail_key_assignments', 'guardrail_member_assignments'].map((table) => ({
  table,
  scope: ORGANIZATION_SCOPE,
  secondScope: GUARDRAIL_SCOPE,
}));

const STATEMENTS = [
  'ALTER TABLE api_keys ADD CONSTRAINT uq_api_keys_organization_id UNIQUE (organization_id, id)',
  'ALTER TABLE guardrails ADD CONSTRAINT uq_guardrails_organization_id UNIQUE (organization_id, id)',
  `CREATE TABLE guardrail_key_assignments (
      id uuid NOT NULL,
      organization_id text NOT NULL,
      guardrail_id uuid NOT NULL,
      key_id uuid NOT NULL,
      assigned_by text,
      created_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_guardrail_key_assignments PRIMARY KEY (id),
      CONSTRAINT uq_guardrail_key_assignments_key UNIQUE (organization_id, key_id),
      CONSTRAINT fk_guardrail_key_assignments_guardrail
        FOREIGN KEY (organization_id, guardrail_id) REFERENCES guardrails (organization_id, id) ON DELETE CASCADE,
      CONSTRAINT fk_guardrail_key_assignments_key
        FOREIGN KEY (organization_id, key_id) REFERENCES api_keys (organization_id, id) ON DELETE CASCADE
    )`,
  `CREATE TABLE guardrail_member_assignments (
      id uuid NOT NULL,
      organization_id text NOT NULL,
      guardrail_id uuid NOT NULL,
      user_id text NOT NULL,
      assigned_by text,
      created_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_guardrail_member_assignments PRIMARY KEY (id),
      CONSTRAINT uq_guardrail_member_assignments_member UNIQUE (organization_id, user_id),
      CONSTRAINT fk_guardrail_member_assignments_guardrail
        FOREIGN KEY (organization_id, guardrail_id) REFERENCES guardrails (organization_id, id) ON DELETE CASCADE,
      CONSTRAINT fk_guardrail_member_assignments_member
        FOREIGN KEY (organization_id, user_id) REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE
    )`,
  ...LISTS.flatMap(({ table }) => [
    `CREATE INDEX ix_${table}_page ON ${table} (organization_id, created_at, id)`,
    `CREATE INDEX ix_${table}_guardrail ON ${table} (organization_id, guardrail_id, created_at, id)`,
  ]),
];

/** Computed here, because PostgreSQL without extensions has no SHA-1 for UUIDv5. */
async function addDefaultGuardrailIds(runner: QueryRunner): Promise<void> {
  await runner.query('ALTER TABLE workspaces ADD COLUMN default_guardrail_id uuid');
  const ids = ((await runner.query('SELECT id FROM workspaces')) as { id: string }[]).map(({ id }) => id);
  await runner.query(
    `UPDATE workspaces w SET default_guardrail_id = made.default_guardrail_id
     FROM unnest($1::uuid[], $2::uuid[]) AS made (id, default_guardrail_id) WHERE w.id = made.id`,
    [ids, ids.map(defaultGuardrailIdOf)],
  );
  await runner.query('ALTER TABLE workspaces ALTER COLUMN default_guardrail_id SET NOT NULL');
  await runner.query(
    'ALTER TABLE workspaces ADD CONSTRAINT uq_workspaces_default_guardrail UNIQUE (default_guardrail_id)',
  );
}
