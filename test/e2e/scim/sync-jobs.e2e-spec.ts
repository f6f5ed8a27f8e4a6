import { sharedApplication } from '../../support/application/shared-application.js';
import { SyncJobsWorker } from '../../../src/modules/scim/sync-jobs/sync-jobs.worker.js';
import type { ScimSyncJobResponse } from '../../../src/modules/scim/dto/scim-sync-job.dto.js';
import { ScimFixture } from '../../support/resources/scim.js';
import { until } from '../../support/time/until.js';

describe('createScimSyncJob', () => {
  const app = sharedApplication({ topic: 'suite' });

  const job = async ({ organization }: ScimFixture, id: string): Promise<ScimSyncJobResponse['data']> =>
    (await app.api.get<ScimSyncJobResponse>(`/scim/sync-jobs/${id}`, { key: organization.managementKey })).body.data;

  it('answers 202 with a job that visits each group, and repairs memberships that have been changed behind the triggers', async () => {
    const fixture = await ScimFixture.make(app);
    const [one, other] = (await fixture.users(2)) as [string, string];
    const [workspaceId, groupId] = [await fixture.workspace(), await fixture.group([one])];
    await fixture.group([other]);
    await fixture.map(groupId, workspaceId);
    await app.rows('DELETE FROM workspace_members WHERE workspace_id = $1 AND user_id = $2', [workspaceId, one]);
    await app.rows(
      `INSERT INTO workspace_members (id, organization_id, workspace_id, user_id, role, scim_role, created_at)
       VALUES (gen_random_uuid(), $1, $2, $3, 'admin', 'admin', now())`,
      [fixture.organization.organizationId, workspaceId, other],
    );

    const { status, body } = await app.api.post<ScimSyncJobResponse>('/scim/sync-jobs', {
      key: fixture.organization.managementKey,
    });
    expect([status, body.data.error_message]).toEqual([202, null]);
    await until(async () => (await job(fixture, body.data.id)).finished_at !== null);

    expect(await job(fixture, body.data.id)).toMatchObject({
      status: 'succeeded',
      synced_groups: 2,
      deleted_groups: 0,
    });
    expect(await fixture.memberships(workspaceId)).toEqual(fixture.mapped([one]));
  });

  it('answers 202 with the job that has not ended, which another process takes over when its lease is over', async () => {
    const fixture = await ScimFixture.make(app);
    const { organizationId, managementKey: key } = fixture.organization;
    await app.rows(
      `INSERT INTO scim_sync_jobs (organization_id, id, status, started_at, leased_until, created_at)
       VALUES ($1, gen_random_uuid(), 'running', now(), now() + interval '1 hour', now())`,
      [organizationId],
    );
    const first = await app.api.post<ScimSyncJobResponse>('/scim/sync-jobs', { key });
    const second = await app.api.post<ScimSyncJobResponse>('/scim/sync-jobs', { key });

    expect([first.status, second.status, first.body]).toEqual([202, 202, second.body]);
    await app.rows("UPDATE scim_sync_jobs SET leased_until = now() - interval '1 s' WHERE organization_id = $1", [
      organizationId,
    ]);
    await until(async () => {
      await app.application.get(SyncJobsWorker).work();
      return (await job(fixture, first.body.data.id)).status === 'succeeded';
    });
  });

  it('answers 404 without SCIM, and 404 for a job that the organization does not have', async () => {
    const { managementKey: key } = await app.factory.organization();
    const fixture = await ScimFixture.make(app);

    expect((await app.api.post('/scim/sync-jobs', { key })).status).toBe(404);
    const unknown = '/scim/sync-jobs/019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f63';
    expect((await app.api.get(unknown, { key: fixture.organization.managementKey })).status).toBe(404);
  });
});
