import { runsAsOwner } from './runs-as-owner.js';

/** The body of the trigger function that bounds an event's changes. `gatehouse audit verify` compares it. */
export const BOUND_AUDIT_CHANGES = `
    BEGIN
      NEW.changes := bounded_audit_changes(NEW.changes);
      RETURN NEW;
    END `;

/** The body of the trigger function that refuses changes of the trail. `gatehouse audit verify` compares it. */
export const REFUSE_AUDIT_CHANGE = `
    BEGIN
      RAISE EXCEPTION 'what the audit trail holds is never changed or removed' USING ERRCODE = 'insufficient_privilege';
    END `;

/**
 * The body of the trigger function that adds an event to its chain. `gatehouse audit verify` compares it. On a node of a distributed database,
 * NEW has the type of the part of the table that is there.
 */
export const LINK_AUDIT_EVENT = `
    DECLARE
      head audit_heads;
    BEGIN
      SELECT * INTO head FROM audit_heads WHERE organization_id = NEW.organization_id FOR UPDATE;
      IF NOT FOUND THEN
        INSERT INTO audit_heads (organization_id, sequence, hash) VALUES (NEW.organization_id, 0, '') ON CONFLICT DO NOTHING;
        SELECT * INTO head FROM audit_heads WHERE organization_id = NEW.organization_id FOR UPDATE;
      END IF;
      head.sequence := head.sequence + 1;
      head.hash := audit_event_hash(head.hash, head.sequence, ROW(NEW.*)::audit_events);
      INSERT INTO audit_links (organization_id, sequence, event_id, hash, actor, action, target_id, created_at)
      VALUES (NEW.organization_id, head.sequence, NEW.id, head.hash, coalesce(NEW.actor_id, NEW.actor_kind), NEW.action,
        NEW.target_id, NEW.created_at);
      UPDATE audit_heads SET sequence = head.sequence, hash = head.hash WHERE organization_id = NEW.organization_id;
      RETURN NULL;
    END `;

/** The audit trail (docs/adr/0007). */
export const AUDIT = [
  `CREATE TABLE audit_events (
      id uuid NOT NULL,
      organization_id text NOT NULL,
      actor_kind text NOT NULL,
      actor_id text,
      credential_id uuid,
      action text NOT NULL,
      target_type text NOT NULL,
      target_id text NOT NULL,
      changes jsonb,
      request_id text,
      address text,
      created_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_audit_events PRIMARY KEY (organization_id, id)
    )`,
  'CREATE INDEX ix_audit_events_organization ON audit_events (organization_id, created_at, id)',
  `CREATE TABLE audit_links (
      organization_id text NOT NULL,
      sequence bigint NOT NULL,
      event_id uuid NOT NULL,
      hash bytea NOT NULL,
      actor text NOT NULL,
      action text NOT NULL,
      target_id text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_audit_links PRIMARY KEY (organization_id, sequence),
      CONSTRAINT uq_audit_links_event UNIQUE (organization_id, event_id)
    )`,
  'CREATE INDEX ix_audit_links_action ON audit_links (organization_id, action, sequence)',
  'CREATE INDEX ix_audit_links_actor ON audit_links (organization_id, actor, sequence)',
  'CREATE INDEX ix_audit_links_created ON audit_links (organization_id, created_at, sequence)',
  'CREATE INDEX ix_audit_links_target ON audit_links (organization_id, target_id, sequence)',
  // Every recorded event updates a row here, so pages have free space for the next row version (HOT updates).
  `CREATE TABLE audit_heads (
      organization_id text NOT NULL,
      sequence bigint NOT NULL,
      hash bytea NOT NULL,
      CONSTRAINT pk_audit_heads PRIMARY KEY (organization_id)
    ) WITH (fillfactor = 50)`,
  `CREATE TABLE audit_large_changes (
      event_id uuid NOT NULL,
      sha256 bytea NOT NULL,
      bytes integer NOT NULL,
      organization_id text NOT NULL,
      CONSTRAINT pk_audit_large_changes PRIMARY KEY (organization_id, event_id)
    )`,
  `CREATE TABLE audit_head_log (
      id smallint NOT NULL,
      logged_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_audit_head_log PRIMARY KEY (id)
    )`,
  `INSERT INTO audit_head_log (id, logged_at) VALUES (1, '-infinity')`,
  `CREATE FUNCTION audit_digest(value jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
      SELECT jsonb_build_object(
          'sha256', encode(sha256(convert_to(value::text, 'UTF8')), 'hex'), 'bytes', octet_length(value::text)
        ) || CASE jsonb_typeof(value)
          WHEN 'array' THEN jsonb_build_object('items', jsonb_array_length(value)) ELSE '{}' END
    $$`,
  // Values of more than 16 KiB are replaced first; if the rest still exceeds 64 KiB, smaller ones are replaced as well.
  `CREATE FUNCTION bounded_audit_changes(changes jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
    DECLARE
      bounded jsonb;
      maximum integer;
    BEGIN
      IF jsonb_typeof(changes) = 'object' AND NOT EXISTS (
        SELECT FROM jsonb_each(changes) AS fields (name, change) WHERE jsonb_typeof(change) <> 'object'
      ) THEN
        FOREACH maximum IN ARRAY ARRAY[16384, 4096, 512] LOOP
          SELECT jsonb_object_agg(name, (
              SELECT coalesce(jsonb_object_agg(
                CASE WHEN octet_length(value::text) > maximum THEN side || '_digest' ELSE side END,
                CASE WHEN octet_length(value::text) > maximum THEN audit_digest(value) ELSE value END), '{}')
              FROM jsonb_each(change) AS sides (side, value)
            )) INTO bounded
          FROM jsonb_each(changes) AS fields (name, change);
          IF octet_length(bounded::text) <= 65536 THEN
            RETURN bounded;
          END IF;
        END LOOP;
      END IF;
      IF octet_length(changes::text) <= 65536 THEN
        RETURN changes;
      END IF;
      RETURN jsonb_build_object('*', jsonb_build_object('after_digest', audit_digest(changes)));
    END $$`,
  `CREATE FUNCTION audit_event_hash(previous bytea, sequence bigint, event audit_events) RETURNS bytea LANGUAGE sql STABLE AS $$
      SELECT sha256(previous || convert_to(jsonb_build_array(
        sequence, event.id, event.organization_id, event.actor_kind, event.actor_id, event.credential_id, event.action,
        event.target_type, event.target_id, event.changes, event.request_id, event.address,
        (extract(epoch FROM event.created_at) * 1000)::bigint
      )::text, 'UTF8'))
    $$`,
  `CREATE FUNCTION bound_audit_changes() RETURNS trigger LANGUAGE plpgsql AS $$${BOUND_AUDIT_CHANGES}$$`,
  // Events smaller than the limit of one value are not inspected.
  `CREATE TRIGGER bound_changes BEFORE INSERT ON audit_events
      FOR EACH ROW WHEN (octet_length(NEW.changes::text) > 16384) EXECUTE FUNCTION bound_audit_changes()`,
  `CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$${REFUSE_AUDIT_CHANGE}$$`,
  ...['audit_events', 'audit_links', 'audit_large_changes'].map(
    (table) =>
      `CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
  ),
  'CREATE TRIGGER refuse_removal BEFORE DELETE ON audit_heads FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()',
  // For TRUNCATE alone: engines that distribute tables keep such a trigger on the coordinator, and all that it is for.
  ...['audit_events', 'audit_links', 'audit_large_changes', 'audit_heads'].map(
    (table) =>
      `CREATE TRIGGER refuse_truncation BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
  ),
  `CREATE FUNCTION link_audit_event() RETURNS trigger LANGUAGE plpgsql AS $$${LINK_AUDIT_EVENT}$$`,
  ...runsAsOwner(['link_audit_event()']),
  // Deferred to the commit, after all other locks of the transaction, so that a transaction that waits for a chain never blocks others for
  // long.
  'CREATE CONSTRAINT TRIGGER link_event AFTER INSERT ON audit_events DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION link_audit_event()',
  // Revoked even from the owner. A superuser is not bound by privileges; the trigger refuses it.
  'REVOKE UPDATE, DELETE, TRUNCATE ON audit_events FROM PUBLIC, CURRENT_USER',
  'REVOKE UPDATE, DELETE, TRUNCATE ON audit_links FROM PUBLIC, CURRENT_USER',
];
