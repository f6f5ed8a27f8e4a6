import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the outbox of generations for observability destinations (docs/adr/0019-broadcast-outbox.md). */
export class BroadcastOutbox1796000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Rows live for seconds: what has gone is to be vacuumed before it makes the table large.
    const shortLived = 'autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000';
    await runner.query(`CREATE TABLE broadcast_events (
      organization_id text NOT NULL,
      generation_id text NOT NULL,
      key_id uuid NOT NULL,
      enqueued_at timestamptz(3) NOT NULL,
      bytes integer NOT NULL,
      payload bytea NOT NULL,
      content bytea,
      CONSTRAINT pk_broadcast_events PRIMARY KEY (organization_id, generation_id),
      CONSTRAINT fk_broadcast_events_organization FOREIGN KEY (organization_id)
        REFERENCES organizations (id) ON DELETE CASCADE
    ) WITH (${shortLived})`);
    // Encrypted bytes do not get smaller.
    await runner.query(`ALTER TABLE broadcast_events ALTER COLUMN payload SET STORAGE EXTERNAL,
      ALTER COLUMN content SET STORAGE EXTERNAL`);
    await runner.query('CREATE INDEX ix_broadcast_events_enqueued ON broadcast_events (enqueued_at)');
    await runner.query(`CREATE TABLE broadcast_deliveries (
      organization_id text NOT NULL,
      generation_id text NOT NULL,
      destination_id uuid NOT NULL,
      enqueued_at timestamptz(3) NOT NULL,
      gets_content boolean NOT NULL,
      tries smallint NOT NULL DEFAULT '0',
      CONSTRAINT pk_broadcast_deliveries PRIMARY KEY (organization_id, generation_id, destination_id),
      CONSTRAINT fk_broadcast_deliveries_organization FOREIGN KEY (organization_id)
        REFERENCES organizations (id) ON DELETE CASCADE
    ) WITH (${shortLived})`);
    await runner.query(
      'CREATE INDEX ix_broadcast_deliveries_queue ON broadcast_deliveries (organization_id, destination_id, enqueued_at, generation_id)',
    );
    // Without a foreign key to the destination: the queue of a deleted one is emptied in the background.
    await runner.query(`CREATE TABLE broadcast_queues (
      organization_id text NOT NULL,
      destination_id uuid NOT NULL,
      state text NOT NULL DEFAULT 'active',
      next_at timestamptz(3) NOT NULL,
      lease_id uuid,
      lease_until timestamptz(3),
      failures integer NOT NULL DEFAULT 0,
      encoding text,
      drop_before timestamptz(3),
      last_status integer,
      last_error text,
      last_error_at timestamptz(3),
      last_success_at timestamptz(3),
      delivered bigint NOT NULL DEFAULT '0',
      dropped bigint NOT NULL DEFAULT '0',
      CONSTRAINT pk_broadcast_queues PRIMARY KEY (organization_id, destination_id),
      CONSTRAINT ck_broadcast_queues_state CHECK (state IN ('active', 'retrying', 'paused', 'gone')),
      CONSTRAINT ck_broadcast_queues_encoding CHECK (encoding IN ('json', 'protobuf')),
      CONSTRAINT fk_broadcast_queues_organization FOREIGN KEY (organization_id)
        REFERENCES organizations (id) ON DELETE CASCADE
    ) WITH (fillfactor = 70)`);
    await runner.query(`INSERT INTO broadcast_queues (organization_id, destination_id, next_at)
      SELECT organization_id, id, now() FROM observability_destinations`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE broadcast_queues');
    await runner.query('DROP TABLE broadcast_deliveries');
    await runner.query('DROP TABLE broadcast_events');
  }
}
