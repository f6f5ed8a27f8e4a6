import { newUuid } from '../../../src/persistence/identifiers.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { TestApplication } from '../application/test-application.js';

/**
 * Ends the replay that an operation has begun: an organization has one at a time, and one over nothing may not have ended before the next.
 * Those of {@link newReplay} stay.
 */
export async function endReplay(app: TestApplication, { organizationId }: NewOrganization): Promise<void> {
  await app.rows(
    `DELETE FROM replay_jobs WHERE organization_id = $1 AND state = 'running' AND guardrail_id IS DISTINCT FROM id`,
    [organizationId],
  );
}

/** Makes a replay, by default one that seems to run in some process, in place of the one that does. @returns its id */
export async function newReplay(
  app: TestApplication,
  organization: NewOrganization,
  state: 'running' | 'failed' = 'running',
): Promise<string> {
  const id = newUuid();
  if (state === 'running') {
    const running = `DELETE FROM replay_jobs WHERE organization_id = $1 AND state = 'running'`;
    await app.rows(running, [organization.organizationId]);
  }
  await app.rows(
    `INSERT INTO replay_jobs (organization_id, id, guardrail_id, "from", "to", sample, state, read_count, created_at, alive_until)
      VALUES ($1, $2, $2, '2026-01-01', '2026-01-02', 1, $3, 0, now(), now() + interval '1 hour')`,
    [organization.organizationId, id, state],
  );
  return id;
}
