import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Connections to providers that speak the Responses interface. */
export class ResponsesDialect1795900800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await allow(runner, ['openai', 'openai-responses', 'anthropic']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DELETE FROM provider_connections WHERE protocol = 'openai-responses'");
    await allow(runner, ['openai', 'anthropic']);
  }
}

async function allow(runner: QueryRunner, protocols: readonly string[]): Promise<void> {
  const list = protocols.map((protocol) => `'${protocol}'`).join(', ');
  await runner.query(`
    ALTER TABLE provider_connections
      DROP CONSTRAINT ck_provider_connections_protocol,
      ADD CONSTRAINT ck_provider_connections_protocol CHECK (protocol IN (${list}))
  `);
}
