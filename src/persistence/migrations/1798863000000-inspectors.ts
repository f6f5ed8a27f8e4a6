import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type CountedList, countList, ORGANIZATION_SCOPE, stopCountingList } from '../count-list.js';

const LIST: CountedList = { table: 'inspectors', scope: ORGANIZATION_SCOPE };

/** Adds servers that judge texts of an organization (docs/interface/inspectors.md). */
export class Inspectors1798863000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE inspectors (
      organization_id text NOT NULL, id uuid NOT NULL, name text NOT NULL, protocol text NOT NULL, url text, settings jsonb NOT NULL,
      applies_to text[] NOT NULL, mode text NOT NULL, on_failure text NOT NULL, timeout_ms integer NOT NULL,
      window_characters integer, window_overlap integer, secret_masks jsonb NOT NULL, encrypted_secrets bytea,
      created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_inspectors PRIMARY KEY (organization_id, id),
      CONSTRAINT ck_inspectors_mode CHECK (mode IN ('enforce', 'observe')),
      CONSTRAINT ck_inspectors_on_failure CHECK (on_failure IN ('block', 'pass')),
      CONSTRAINT ck_inspectors_window CHECK ((window_characters IS NULL) = (window_overlap IS NULL)),
      CONSTRAINT fk_inspectors_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE)`);
    await runner.query('CREATE INDEX ix_inspectors_page ON inspectors (organization_id, created_at, id)');
    await countList(runner, LIST);
  }

  async down(runner: QueryRunner): Promise<void> {
    await stopCountingList(runner, LIST.table);
    await runner.query('DROP TABLE inspectors');
  }
}
