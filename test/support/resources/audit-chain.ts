import { DataSource } from 'typeorm';
import { Statements } from '../../../src/persistence/statements.js';
import type { AuditedEvent } from '../../../src/modules/audit/audited-event.js';
import { AuditTrail, COMMAND_LINE } from '../../../src/modules/audit/audit-trail.js';
import type { TestApplication } from '../application/test-application.js';

/** An event, as far as a test does not care. */
export function anEvent(event: Partial<AuditedEvent> = {}): AuditedEvent {
  return { action: 'thing.change', targetId: 'one', ...event };
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
    await statements.transaction((tx) => trail.record(tx, organizationId, actor, event));
  }
}

/** How many events the chain has that {@link recordChains} makes. */
export const CHAIN_LENGTH = 6;

/** Makes an organization with a chain of events, whose targets are numbered from 1, and one beside it. @returns its id */
export async function recordChains(app: TestApplication): Promise<string> {
  const { organizationId } = await app.factory.unrecordedOrganization();
  const { organizationId: other } = await app.factory.unrecordedOrganization();
  const events = Array.from({ length: CHAIN_LENGTH }, (_, index) => anEvent({ targetId: `${index + 1}` }));
  await recordEvents(app, organizationId, events);
  await recordEvents(app, other, [anEvent()]);
  return organizationId;
}
