import { EncryptionRotationService } from '../../../src/modules/encryption/encryption-rotation.service.js';
import type { Inspector } from '../../../src/modules/inspectors/dto/inspector.dto.js';
import { InspectorsInForce } from '../../../src/modules/inspectors/inspectors-in-force.service.js';
import { TestApplication } from '../../support/application/test-application.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { INSPECTOR_KEY, madeInspector } from '../../support/resources/inspectors.js';
import { inspectorInterface } from './inspector-interface.js';

describe('inspectors', () => {
  const { app, organization, send } = inspectorInterface();

  it('are listed with 200, oldest first, page by page, those of the organization alone', async () => {
    await madeInspector(app, await app.factory.organization());
    const made: Inspector[] = [];
    for (let n = 0; n < 3; n += 1) made.push(await madeInspector(app, organization, { name: `Guard ${n}` }));
    const all = await send<{ data: Inspector[]; total_count: number }>('GET', '/inspectors');
    expect({ status: all.status, body: all.body }).toEqual({ status: 200, body: { data: made, total_count: 3 } });
    const page = await send<object>('GET', '/inspectors?limit=1&offset=1');
    expect(page.body).toEqual({ data: [made[1]], total_count: 3 });
  });

  it('answer GET with 200, also by an id in capitals', async () => {
    const made = await madeInspector(app, organization);
    const { status, body } = await send('GET', `/inspectors/${made.id.toUpperCase()}`);
    expect({ status, body }).toEqual({ status: 200, body: { data: made } });
  });

  it.each(['GET', 'DELETE'])("answer %s with 404 for another organization's and for missing ones", async (method) => {
    const foreign = await madeInspector(app, await app.factory.organization());
    for (const id of [foreign.id, UNKNOWN_UUID, 'x']) {
      const refusal = { status: 404, reason: 'inspector_not_found', userId: organization.userId };
      expectRefusal(await send(method, `/inspectors/${id}`), refusal);
    }
    expect(await app.rows('SELECT FROM inspectors WHERE id = $1', [foreign.id])).toHaveLength(1);
  });

  it('are deleted with 200, once, and that is recorded', async () => {
    const { id } = await madeInspector(app, organization);
    const answers = await Promise.all(Array.from({ length: 4 }, () => send('DELETE', `/inspectors/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
    expect((await auditEventsOf(app, id)).map(({ action }) => action)).toEqual([
      'inspector.create',
      'inspector.delete',
    ]);
  });

  it('answer DELETE with 412 for another state than the caller knows', async () => {
    const { id } = await madeInspector(app, organization);
    expect((await send('DELETE', `/inspectors/${id}`, undefined, { 'if-match': '"other"' })).status).toBe(412);
    expect((await send('GET', `/inspectors/${id}`)).status).toBe(200);
  });

  it('are read with their secrets, in the order of the ids, those of the organization that there are', async () => {
    const [one, two] = [await madeInspector(app, organization), await madeInspector(app, organization)];
    const foreign = await madeInspector(app, await app.factory.organization());
    const inForce = app.application.get(InspectorsInForce);
    const ready = await inForce.byIds(organization.organizationId, [two.id, UNKNOWN_UUID, foreign.id, one.id]);
    expect(ready.map(({ id }) => id)).toEqual([two.id, one.id]);
    expect(ready[0]).toMatchObject({
      organizationId: organization.organizationId,
      window: { characters: 1_024, overlap: 256 },
      secrets: { apiKey: INSPECTOR_KEY, signingSecret: null, headers: {} },
    });
  });

  it('have secrets that follow the keys of the deployment, and cannot be moved to another row or address', async () => {
    const { id } = await madeInspector(app, organization);
    const rotated = await TestApplication.start({
      database: app.database,
      variables: { ENCRYPTION_KEY: `${'22'.repeat(32)},${'11'.repeat(32)}`, ALLOW_PRIVATE_DESTINATIONS: 'true' },
    });
    const report = await rotated.application
      .get(EncryptionRotationService)
      .rotate({ dryRun: false, replaceLostKey: false });
    expect(report.find(({ name }) => name === 'inspectors')!.unreadable).toEqual([]);
    const keyOf = async (): Promise<unknown> => {
      const [ready] = await rotated.application.get(InspectorsInForce).byIds(organization.organizationId, [id]);
      return ready!.secrets?.apiKey;
    };
    expect(await keyOf()).toBe(INSPECTOR_KEY);
    await app.rows(`UPDATE inspectors SET url = 'https://thief.example.com' WHERE id = $1`, [id]);
    expect(await keyOf()).toBeUndefined();
    await rotated.stop();
  });
});
