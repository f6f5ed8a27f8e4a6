import type { TestApplication } from '../application/test-application.js';

/** What the audit trail holds of something that was done. */
export interface RecordedEvent {
  readonly action: string;
  readonly target_type: string;
  readonly target_id: string;
  readonly actor_kind: string;
  readonly actor_id: string | null;
  readonly changes: Readonly<Record<string, { before?: unknown; after?: unknown }>> | null;
}

/** What was done to something, from the first on. @param targetId as the interface names it */
export function auditEventsOf(app: TestApplication, targetId: string): Promise<RecordedEvent[]> {
  return app.rows<RecordedEvent>(
    `SELECT e.action, e.target_type, e.target_id, e.actor_kind, e.actor_id, e.changes
     FROM audit_events e JOIN audit_links l ON l.event_id = e.id WHERE e.target_id = $1 ORDER BY l.sequence`,
    [targetId],
  );
}
