import type { MigrationInterface, QueryRunner } from 'typeorm';
import { countList, ORGANIZATION_SCOPE, stopCountingList } from '../count-list.js';

/**
 * Adds alerts (docs/interface/alerts.md). No foreign key with the organization in it can be set to null where tables are distributed
 * (docs/scaling.md), so a trigger has alerts forget destinations that are deleted.
 */
export class Alerts1797000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
    await countList(runner, { table: 'alerts', scope: ORGANIZATION_SCOPE });
  }

  async down(runner: QueryRunner): Promise<void> {
    await stopCountingList(runner, 'alerts');
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `CREATE TABLE alerts (
    organization_id text NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    workspace_id uuid,
    guardrail_id uuid,
    key_id uuid,
    thresholds double precision[],
    days_before integer[],
    enabled boolean NOT NULL,
    destination_id uuid,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_alerts PRIMARY KEY (organization_id, id),
    CONSTRAINT ck_alerts_kind CHECK (kind IN ('budget', 'key_expiry', 'destination_paused')),
    CONSTRAINT ck_alerts_scope CHECK (num_nonnulls(workspace_id, guardrail_id, key_id) <= 1),
    CONSTRAINT ck_alerts_thresholds CHECK ((kind = 'budget') = (thresholds IS NOT NULL)),
    CONSTRAINT ck_alerts_days_before CHECK ((kind = 'key_expiry') = (days_before IS NOT NULL)),
    CONSTRAINT fk_alerts_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
    CONSTRAINT fk_alerts_workspace FOREIGN KEY (organization_id, workspace_id)
      REFERENCES workspaces (organization_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_alerts_guardrail FOREIGN KEY (organization_id, guardrail_id)
      REFERENCES guardrails (organization_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_alerts_key FOREIGN KEY (organization_id, key_id) REFERENCES api_keys (organization_id, id) ON DELETE CASCADE
  )`,
  'CREATE INDEX ix_alerts_page ON alerts (organization_id, created_at, id)',
  'CREATE INDEX ix_alerts_workspace ON alerts (organization_id, workspace_id)',
  'CREATE INDEX ix_alerts_guardrail ON alerts (organization_id, guardrail_id)',
  'CREATE INDEX ix_alerts_key ON alerts (organization_id, key_id)',
  'CREATE INDEX ix_alerts_destination ON alerts (organization_id, destination_id)',
  `CREATE FUNCTION forget_alert_destinations() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      organization text;
      destinations uuid[];
    BEGIN
      FOR organization IN SELECT DISTINCT organization_id FROM deleted ORDER BY organization_id LOOP
        destinations := ARRAY(SELECT id FROM deleted WHERE organization_id = organization);
        UPDATE alerts SET destination_id = NULL
          WHERE organization_id = organization AND destination_id = ANY (destinations);
      END LOOP;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER forget_alert_destinations AFTER DELETE ON observability_destinations REFERENCING OLD TABLE AS deleted
    FOR EACH STATEMENT EXECUTE FUNCTION forget_alert_destinations()`,
  `CREATE TABLE alert_recipients (
    organization_id text NOT NULL,
    alert_id uuid NOT NULL,
    email text NOT NULL,
    token_hash bytea,
    token_expires_at timestamptz(3),
    confirmed_at timestamptz(3),
    confirmation_due_at timestamptz(3),
    tries integer NOT NULL DEFAULT 0,
    CONSTRAINT pk_alert_recipients PRIMARY KEY (organization_id, alert_id, email),
    CONSTRAINT fk_alert_recipients_alert FOREIGN KEY (organization_id, alert_id)
      REFERENCES alerts (organization_id, id) ON DELETE CASCADE
  )`,
  'CREATE INDEX ix_alert_recipients_token ON alert_recipients (organization_id, token_hash)',
  `CREATE INDEX ix_alert_recipients_due ON alert_recipients (organization_id, confirmation_due_at)
    WHERE confirmation_due_at IS NOT NULL`,
  `CREATE TABLE alert_confirmation_mails (
    organization_id text NOT NULL,
    id uuid NOT NULL,
    email text NOT NULL,
    requested_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_alert_confirmation_mails PRIMARY KEY (organization_id, id),
    CONSTRAINT fk_alert_confirmation_mails_org FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX ix_alert_confirmation_mails_requested ON alert_confirmation_mails (organization_id, requested_at)',
  `CREATE TABLE alert_notifications (
    organization_id text NOT NULL,
    alert_id uuid NOT NULL,
    subject text NOT NULL,
    window_start timestamptz(3) NOT NULL,
    threshold double precision NOT NULL,
    data jsonb,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_alert_notifications PRIMARY KEY (organization_id, alert_id, subject, window_start, threshold),
    CONSTRAINT fk_alert_notifications_alert FOREIGN KEY (organization_id, alert_id)
      REFERENCES alerts (organization_id, id) ON DELETE CASCADE
  )`,
  `CREATE TABLE alert_deliveries (
    organization_id text NOT NULL,
    alert_id uuid NOT NULL,
    subject text NOT NULL,
    window_start timestamptz(3) NOT NULL,
    threshold double precision NOT NULL,
    receiver text NOT NULL,
    state text NOT NULL DEFAULT 'pending',
    tries integer NOT NULL DEFAULT 0,
    next_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_alert_deliveries PRIMARY KEY (organization_id, alert_id, subject, window_start, threshold, receiver),
    CONSTRAINT ck_alert_deliveries_state CHECK (state IN ('pending', 'sent', 'failed')),
    CONSTRAINT ck_alert_deliveries_next CHECK ((state = 'pending') = (next_at IS NOT NULL)),
    CONSTRAINT fk_alert_deliveries_notification FOREIGN KEY (organization_id, alert_id, subject, window_start, threshold)
      REFERENCES alert_notifications (organization_id, alert_id, subject, window_start, threshold) ON DELETE CASCADE
  )`,
  'CREATE INDEX ix_alert_deliveries_due ON alert_deliveries (organization_id, next_at) WHERE next_at IS NOT NULL',
];

const DOWN = [
  'DROP TABLE alert_deliveries',
  'DROP TABLE alert_notifications',
  'DROP TABLE alert_confirmation_mails',
  'DROP TABLE alert_recipients',
  'DROP TRIGGER forget_alert_destinations ON observability_destinations',
  'DROP FUNCTION forget_alert_destinations()',
  'DROP TABLE alerts',
];
