import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the forms of addresses and the credentials of clouds to connections (docs/cloud-providers.md). */
export class CloudConnections1798600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const PROTOCOL = 'ALTER TABLE provider_connections DROP CONSTRAINT ck_provider_connections_protocol';

const UP = [
  'ALTER TABLE provider_connections ADD COLUMN preset text, ADD COLUMN address jsonb, ADD COLUMN credential jsonb',
  PROTOCOL,
  `ALTER TABLE provider_connections ADD CONSTRAINT ck_provider_connections_protocol
    CHECK (protocol IN ('openai', 'openai-responses', 'anthropic', 'gemini', 'converse'))`,
];

const DOWN = [
  "DELETE FROM provider_connections WHERE protocol IN ('gemini', 'converse') OR address IS NOT NULL OR credential IS NOT NULL",
  PROTOCOL,
  `ALTER TABLE provider_connections ADD CONSTRAINT ck_provider_connections_protocol
    CHECK (protocol IN ('openai', 'openai-responses', 'anthropic'))`,
  'ALTER TABLE provider_connections DROP COLUMN preset, DROP COLUMN address, DROP COLUMN credential',
];
