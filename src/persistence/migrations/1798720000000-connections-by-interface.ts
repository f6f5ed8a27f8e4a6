import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds whether the address of a connection to a provider was chosen by the interface (docs/interface/provider-connections.md). */
export class ConnectionsByInterface1798720000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE provider_connections ADD COLUMN is_from_interface boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE provider_connections DROP COLUMN is_from_interface');
  }
}
