import {
  BOUND_AUDIT_CHANGES,
  LINK_AUDIT_EVENT,
  REFUSE_AUDIT_CHANGE,
} from '../../persistence/migrations/baseline/audit.js';

/** A trigger that protects the audit trail. */
interface GuardTrigger {
  readonly table: string;
  readonly name: string;
  /** CREATE TRIGGER, as PostgreSQL writes it. */
  readonly definition: string;
}

/** The triggers of the audit trail, as migrations create them. */
export const GUARD_TRIGGERS: readonly GuardTrigger[] = [
  // Apart from the others: engines that distribute tables keep a trigger for TRUNCATE on the coordinator alone, and all that it is for.
  ...['audit_events', 'audit_links', 'audit_large_changes', 'audit_heads'].map((table) => ({
    table,
    name: 'refuse_truncation',
    definition: `CREATE TRIGGER refuse_truncation BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
  })),
  ...['audit_events', 'audit_links', 'audit_large_changes'].map((table) => ({
    table,
    name: 'refuse_change',
    definition: `CREATE TRIGGER refuse_change BEFORE DELETE OR UPDATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
  })),
  {
    table: 'audit_heads',
    name: 'refuse_removal',
    definition:
      'CREATE TRIGGER refuse_removal BEFORE DELETE ON audit_heads FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()',
  },
  {
    table: 'audit_events',
    name: 'bound_changes',
    definition:
      'CREATE TRIGGER bound_changes BEFORE INSERT ON audit_events FOR EACH ROW WHEN (octet_length(new.changes::text) > 16384) EXECUTE FUNCTION bound_audit_changes()',
  },
  {
    table: 'audit_events',
    name: 'link_event',
    definition:
      'CREATE CONSTRAINT TRIGGER link_event AFTER INSERT ON audit_events DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION link_audit_event()',
  },
];

/** The functions that these triggers execute, with their bodies. */
export const GUARD_FUNCTIONS: Readonly<Record<string, string>> = {
  refuse_audit_change: REFUSE_AUDIT_CHANGE,
  bound_audit_changes: BOUND_AUDIT_CHANGES,
  link_audit_event: LINK_AUDIT_EVENT,
};
