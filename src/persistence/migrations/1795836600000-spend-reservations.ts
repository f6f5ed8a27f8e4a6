import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds what requests that are being answered may cost at most (docs/budgets.md#reservations). */
export class SpendReservations1795836600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE live_processes (
      id uuid NOT NULL,
      alive_until timestamptz(3) NOT NULL,
      CONSTRAINT pk_live_processes PRIMARY KEY (id)
    ) WITH (fillfactor = 50)`);
    // Every row lives as long as a request, and the rows of an organization are read with every admission: those that are gone have to be
    // vacuumed soon, however many have been there.
    await runner.query(`CREATE TABLE spend_reservations (
      organization_id text NOT NULL,
      generation_id text NOT NULL,
      process_id uuid NOT NULL,
      key_id uuid NOT NULL,
      user_id text NOT NULL,
      workspace_id uuid,
      created_at timestamptz(3) NOT NULL,
      amount_usd numeric NOT NULL,
      byok_amount_usd numeric NOT NULL,
      request jsonb NOT NULL,
      CONSTRAINT pk_spend_reservations PRIMARY KEY (organization_id, generation_id),
      CONSTRAINT ck_spend_reservations_amounts CHECK (amount_usd >= 0 AND byok_amount_usd >= 0),
      CONSTRAINT ck_spend_reservations_created
        CHECK (created_at = to_timestamp(split_part(generation_id, '-', 2)::double precision)),
      CONSTRAINT fk_spend_reservations_organization FOREIGN KEY (organization_id)
        REFERENCES organizations (id) ON DELETE CASCADE
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE spend_reservations');
    await runner.query('DROP TABLE live_processes');
  }
}
