import { sharedApplication } from '../../support/application/shared-application.js';
import type { Alert } from '../../../src/modules/alerts/dto/alert.dto.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import type { Answer } from '../../support/network/api-client.js';
import { newAlert } from '../../support/resources/alerts.js';

describe('alerts', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = organizationPerTest(app);

  const send = <Body>(method: string, path: string): Promise<Answer<Body>> =>
    app.api.send<Body>(method, path, { key: organization.managementKey });

  const get = async (id: string): Promise<Alert> => (await send<{ data: Alert }>('GET', `/alerts/${id}`)).body.data;

  it('are listed with 200, oldest first, page by page, those of the organization alone', async () => {
    await newAlert(app, await app.factory.organization());
    const ids = [];
    for (let n = 0; n < 3; n += 1) ids.push(await newAlert(app, organization, { name: `Alert ${n}` }));
    const all = await send<{ data: Alert[]; total_count: number }>('GET', '/alerts');
    expect(all.status).toBe(200);
    expect(all.body.data.map(({ id }) => id)).toEqual(ids);
    const page = await send<{ data: Alert[]; total_count: number }>('GET', '/alerts?limit=1&offset=1');
    expect(page.body).toEqual({ data: [await get(ids[1]!)], total_count: 3 });
    const empty = await send<unknown>('GET', '/alerts?offset=9');
    expect(empty.body).toEqual({ data: [], total_count: 3 });
  });

  it('are read with 200, with the present hash of a key that was rotated', async () => {
    const { hash, id } = await app.factory.key(organization);
    const alertId = await newAlert(app, organization, { key_hash: hash });
    expect((await get(alertId)).key_hash).toBe(hash);
    await app.rows('UPDATE api_keys SET hash = sha256(hash) WHERE id = $1', [id]);
    expect((await get(alertId)).key_hash).not.toBe(hash);
  });

  it.each(['GET', 'DELETE'])("answer %s with 404 for another organization's and for missing ones", async (method) => {
    const foreign = await newAlert(app, await app.factory.organization());
    for (const id of [foreign, UNKNOWN_UUID, 'x', `${foreign}0`]) {
      const refusal = { status: 404, reason: 'alert_not_found', userId: organization.userId };
      expectRefusal(await send(method, `/alerts/${id}`), refusal);
    }
    expect(await app.rows('SELECT FROM alerts WHERE id = $1', [foreign])).toHaveLength(1);
  });

  it('are deleted with 200, once, with what they have notified, and that is recorded', async () => {
    const id = await newAlert(app, organization);
    await app.rows(
      `INSERT INTO alert_notifications (organization_id, alert_id, subject, window_start, threshold, created_at)
       VALUES ($1, $2, 'x', now(), 1, now())`,
      [organization.organizationId, id],
    );
    const answers = await Promise.all(Array.from({ length: 5 }, () => send('DELETE', `/alerts/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
    expect(await app.rows('SELECT FROM alert_notifications WHERE alert_id = $1', [id])).toEqual([]);
    expect((await auditEventsOf(app, id)).map(({ action }) => action)).toEqual(['alert.create', 'alert.delete']);
    expect((await send<{ total_count: number }>('GET', '/alerts')).body.total_count).toBe(0);
  });

  it('go with their workspace, guardrail or key, and forget a destination, when a deletion of it answers 200', async () => {
    const workspaceId = await app.factory.workspace(organization);
    const { id: guardrailId } = await app.factory.guardrail(organization);
    const { hash } = await app.factory.key(organization);
    await newAlert(app, organization, { workspace_id: workspaceId });
    await newAlert(app, organization, { guardrail_id: guardrailId });
    await newAlert(app, organization, { key_hash: hash });
    const kept = await newAlert(app, organization);
    const { destination_id: destinationId } = await get(kept);
    for (const path of [`/workspaces/${workspaceId}`, `/guardrails/${guardrailId}`, `/keys/${hash}`]) {
      expect([path, (await send('DELETE', path)).status]).toEqual([path, 200]);
    }
    expect((await send('DELETE', `/observability/destinations/${destinationId}`)).status).toBe(200);
    const { body } = await send<{ data: Alert[] }>('GET', '/alerts');
    expect(body.data).toMatchObject([{ id: kept, destination_id: null }]);
  });
});
