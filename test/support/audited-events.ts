import { DataSource } from 'typeorm';
import { Statements } from '../../src/database/statements.js';
import type { AuditedEvent } from '../../src/modules/audit/audited-event.js';
import { AuditTrail, COMMAND_LINE } from '../../src/modules/audit/audit-trail.js';
import type { TestApplication } from './test-application.js';

/** An event, as far as a test does not care. */
export function anEvent(event: Partial<AuditedEvent> = {}): AuditedEvent {
  return { action: 'thing.change', target: { type: 'thing', id: 'one' }, ...event };
}

/** Records events, each in a transaction of its own, one after the other. */
export async function recordEvents(
  app: TestApplication,
  organizationId: string,
  events: readonly AuditedEvent[],
  actor = COMMAND_LINE,
): Promise<void> {
  const statements = new Statements(app.application.get(DataSource));
  const trail = app.application.get(AuditTrail);
  for (const event of events) {
    await statements.transaction((on) => trail.record(on, organizationId, actor, event));
  }
}
