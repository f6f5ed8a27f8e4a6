import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the records of inference requests (docs/interface/generations.md). */
export class Generations1795660800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // No foreign keys to the key, the user and the workspace: a record outlives them.
    await runner.query(`CREATE TABLE generations (
      organization_id text NOT NULL,
      id text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      key_id uuid NOT NULL,
      user_id text NOT NULL,
      workspace_id uuid,
      status integer NOT NULL,
      model text NOT NULL,
      provider text,
      is_byok boolean NOT NULL,
      cost_usd numeric NOT NULL,
      prompt_tokens bigint,
      completion_tokens bigint,
      details jsonb NOT NULL,
      CONSTRAINT pk_generations PRIMARY KEY (organization_id, id),
      CONSTRAINT ck_generations_cost CHECK (cost_usd >= 0),
      CONSTRAINT fk_generations_organization FOREIGN KEY (organization_id)
        REFERENCES organizations (id) ON DELETE CASCADE
    )`);
    await runner.query('CREATE INDEX ix_generations_created ON generations (created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE generations');
  }
}
