import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What models, endpoints and connections can do with requests, as imports and operators state it; null where they state nothing. */
export class ModelCapabilities1795900300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE models ADD capabilities jsonb');
    await runner.query('ALTER TABLE model_endpoints ADD capabilities jsonb');
    await runner.query('ALTER TABLE provider_connections ADD capabilities jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE provider_connections DROP capabilities');
    await runner.query('ALTER TABLE model_endpoints DROP capabilities');
    await runner.query('ALTER TABLE models DROP capabilities');
  }
}
