import type { Guardrail } from '../../../src/modules/guardrails/dto/guardrail.dto.js';
import type { EffectiveGuardrails } from '../../../src/modules/guardrails/effective-policy/effective-guardrails.dto.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import type { Answer } from '../../support/network/api-client.js';
import { newInspector } from '../../support/resources/inspectors.js';

describe('the inspectors of a guardrail', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = organizationPerTest(app);

  const send = <Body = { data: Guardrail }>(method: string, path: string, json?: object): Promise<Answer<Body>> =>
    app.api.send<Body>(method, path, { key: organization.managementKey, ...(json && { json }) });

  it('are stored with 201, each once, shown where there are any, and recorded', async () => {
    const [one, two] = [await newInspector(app, organization), await newInspector(app, organization)];
    const inspector_ids = [two, one.toUpperCase(), two];
    const { status, body } = await send('POST', '/guardrails', { name: 'G', inspector_ids });
    expect({ status, ids: body.data.inspector_ids }).toEqual({ status: 201, ids: [two, one] });
    const { id } = body.data;
    expect((await send('GET', `/guardrails/${id}`)).body.data.inspector_ids).toEqual([two, one]);
    const list = await send<{ data: Guardrail[] }>('GET', '/guardrails');
    expect(list.body.data.map(({ inspector_ids: shown }) => shown)).toEqual([[two, one]]);
    const removed = await send('PATCH', `/guardrails/${id}`, { inspector_ids: null });
    expect({ status: removed.status, has: 'inspector_ids' in removed.body.data }).toEqual({ status: 200, has: false });
    const [, event] = await auditEventsOf(app, id);
    expect(event!.changes).toEqual({ inspector_ids: { before: [two, one], after: null } });
  });

  it.each<[method: string, path: () => Promise<string>]>([
    ['POST', () => Promise.resolve('/guardrails')],
    ['PATCH', async () => `/guardrails/${(await app.factory.guardrail(organization)).id}`],
  ])('answer %s with 400 for one that there is not, and for one of another organization', async (method, path) => {
    const foreign = await newInspector(app, await app.factory.organization());
    const known = await newInspector(app, organization);
    const answer = await send(method, await path(), { name: 'G', inspector_ids: [known, foreign, UNKNOWN_UUID] });
    expectRefusal(answer, {
      status: 400,
      reason: 'inspector_not_found',
      paths: ['inspector_ids[1]', 'inspector_ids[2]'],
      userId: organization.userId,
    });
  });

  it.each<[fault: string, ids: unknown]>([
    ['more than eight', Array.from({ length: 9 }, () => UNKNOWN_UUID)],
    ['none', []],
    ['no ids', ['x']],
    ['a text', UNKNOWN_UUID],
  ])('answer POST with 400 for %s', async (_, inspector_ids) => {
    expect((await send('POST', '/guardrails', { name: 'G', inspector_ids })).status).toBe(400);
  });

  it('are not deleted with 409 while a guardrail names them, and are with 200 afterwards', async () => {
    const inspector = await newInspector(app, organization);
    const { id } = (await send('POST', '/guardrails', { name: 'G', inspector_ids: [inspector] })).body.data;
    expectRefusal(await send('DELETE', `/inspectors/${inspector}`), {
      status: 409,
      reason: 'inspector_in_use',
      userId: organization.userId,
    });
    expect((await send('PATCH', `/guardrails/${id}`, { inspector_ids: null })).status).toBe(200);
    expect((await send('DELETE', `/inspectors/${inspector}`)).status).toBe(200);
  });

  it('are never left named by a guardrail that is made, with 201 or 400, while they are deleted, with 200 or 409', async () => {
    for (let round = 0; round < 5; round += 1) {
      const inspector = await newInspector(app, organization);
      const creation = { name: 'G', inspector_ids: [inspector] };
      const [made, deleted] = await Promise.all([
        send('POST', '/guardrails', creation),
        send('DELETE', `/inspectors/${inspector}`),
      ]);
      expect([
        [201, 409],
        [400, 200],
      ]).toContainEqual([made.status, deleted.status]);
    }
  });

  it('unite in the effective policy, with the guardrails that name each', async () => {
    const ids = [await newInspector(app, organization), await newInspector(app, organization)].sort();
    const [one, two] = ids as [string, string];
    const key = await app.factory.key(organization);
    const guardrails: string[] = [];
    for (const inspector_ids of [[one, two], [two]]) {
      guardrails.push((await send('POST', '/guardrails', { name: 'G', inspector_ids })).body.data.id);
    }
    const assign = { key_hashes: [key.hash] };
    await send('POST', `/guardrails/${guardrails[0]!}/assignments/keys`, assign);
    const path = `/guardrails/effective?key_hash=${key.hash}`;
    const alone = await send<{ data: EffectiveGuardrails }>('GET', path);
    expect(alone.body.data.inspectors).toEqual(ids.map((id) => ({ id, guardrail_ids: [guardrails[0]] })));
    const both = await send<{ data: EffectiveGuardrails }>('GET', `${path}&with=${guardrails[1]!}`);
    expect(both.body.data.inspectors).toEqual([
      { id: one, guardrail_ids: [guardrails[0]] },
      { id: two, guardrail_ids: [...guardrails].sort() },
    ]);
  });
});
