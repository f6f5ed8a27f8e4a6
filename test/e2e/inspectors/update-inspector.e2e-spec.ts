import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { INSPECTOR_KEY, INSPECTOR_SIGNING_SECRET, madeInspector } from '../../support/resources/inspectors.js';
import { inspectorInterface, sharedGuard } from './inspector-interface.js';

const HEADERS = { 'x-tenant': 'tenant-0123456789' };

describe('updateInspector', () => {
  const { app, organization, send } = inspectorInterface();
  const guard = sharedGuard();

  const made = (): Promise<{ readonly id: string }> =>
    madeInspector(app, organization, {
      url: guard.server.baseUrl,
      signing_secret: INSPECTOR_SIGNING_SECRET,
      headers: HEADERS,
    });

  const shownSecrets = async (id: string): Promise<unknown> => {
    const answer = await send('POST', `/inspectors/${id}/test`, { texts: ['Hello'] });
    expect(answer.status).toBe(200);
    const { headers } = guard.server.received.at(-1)!;
    return [headers['x-api-key'], headers['x-tenant'], headers['webhook-signature'] !== undefined];
  };

  it('answers 200 with what has changed, and records that', async () => {
    const { id } = await made();
    const change = { name: 'New', applies_to: ['response'], mode: 'observe', window: 'whole', timeout_ms: 1_000 };
    const { status, body } = await send('PATCH', `/inspectors/${id}`, change);
    expect({ status, data: body.data }).toMatchObject({ status: 200, data: change });
    const [, event] = await auditEventsOf(app, id);
    expect(event).toMatchObject({ action: 'inspector.update' });
    expect(Object.keys(event!.changes!).sort()).toEqual(Object.keys(change).sort());
    expect(await shownSecrets(id)).toEqual([INSPECTOR_KEY, HEADERS['x-tenant'], true]);
  });

  it('answers 200 for what it has answered itself, and changes nothing', async () => {
    const { id } = await made();
    const before = await send('GET', `/inspectors/${id}`);
    const { id: _, protocol: _protocol, created_at: _created, updated_at: _updated, ...fields } = before.body.data;
    const answer = await send('PATCH', `/inspectors/${id}`, fields);
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: before.text });
    expect(await auditEventsOf(app, id)).toHaveLength(1);
    expect(await shownSecrets(id)).toEqual([INSPECTOR_KEY, HEADERS['x-tenant'], true]);
  });

  it('answers 200 for another secret with the same mask, and records that it is another one', async () => {
    const { id } = await made();
    const other = `${INSPECTOR_KEY.slice(0, 4)}-another-${INSPECTOR_KEY.slice(-4)}`;
    expect((await send('PATCH', `/inspectors/${id}`, { api_key: other })).status).toBe(200);
    expect(await shownSecrets(id)).toEqual([other, HEADERS['x-tenant'], true]);
    const [, event] = await auditEventsOf(app, id);
    expect(event!.changes).toEqual({ secrets_replaced: { before: false, after: true } });
  });

  it('answers 200 for null, which removes secrets, and keeps the others at another path', async () => {
    const { id } = await made();
    const change = { url: `${guard.server.baseUrl}/other`, api_key: null, headers: { 'X-Tenant': 'tena...6789' } };
    const { status, body } = await send('PATCH', `/inspectors/${id}`, change);
    expect({ status, data: body.data }).toMatchObject({
      status: 200,
      data: { api_key: null, signing_secret: 'whse...dHM=', headers: { 'X-Tenant': 'tena...6789' } },
    });
    expect(await shownSecrets(id)).toEqual([undefined, HEADERS['x-tenant'], true]);
    expect(guard.server.received.at(-1)!.path).toBe('/v1/other/beta/litellm_basic_guardrail_api');
  });

  it('answers 400 for another origin without the secrets, and 200 with them', async () => {
    const { id } = await made();
    const url = 'https://elsewhere.example.com';
    const refused = await send('PATCH', `/inspectors/${id}`, { url });
    expectRefusal(refused, {
      status: 400,
      reason: 'credentials_required_for_new_origin',
      paths: ['api_key', 'signing_secret', 'headers.x-tenant'],
      userId: organization.userId,
    });
    const masked = { url, api_key: 'insp...0123', signing_secret: null, headers: null };
    expect((await send('PATCH', `/inspectors/${id}`, masked)).status).toBe(400);
    const given = { url, api_key: INSPECTOR_KEY, signing_secret: null, headers: null };
    expect((await send('PATCH', `/inspectors/${id}`, given)).status).toBe(200);
  });

  it.each<[fault: string, change: object, paths: string[]]>([
    ['a mask of another secret', { api_key: 'abcd...wxyz' }, ['api_key']],
    ['a mask of a header that it has not', { headers: { other: 'tena...6789' } }, ['headers.other']],
    ['an address that must not be', { url: 'https://169.254.169.254' }, ['url']],
    ['no address', { url: null }, ['url']],
    ['an unknown setting', { settings: { nothing: 1 } }, ['settings.nothing']],
    ['another protocol', { protocol: 'texts' }, ['protocol']],
    ['an odd secret', { signing_secret: 'secret' }, ['signing_secret']],
    ['an odd key', { api_key: 'a b' }, ['api_key']],
    ['an odd window', { window: 1 }, ['window']],
    ['an odd name', { name: '' }, ['name']],
  ])('answers 400 for %s', async (_, change, paths) => {
    const { id } = await made();
    const before = (await send('GET', `/inspectors/${id}`)).text;
    const answer = await send('PATCH', `/inspectors/${id}`, change);
    expect(answer.status).toBe(400);
    const { error } = answer.body as unknown as { error: { metadata: { issues: { path: string }[] } } };
    expect(error.metadata.issues.map(({ path }) => path)).toEqual(paths);
    expect((await send('GET', `/inspectors/${id}`)).text).toBe(before);
  });

  it('answers 412 for another state than the caller knows, and 200 for that', async () => {
    const { id } = await made();
    const tag = (await send('GET', `/inspectors/${id}`)).headers.get('etag')!;
    expect((await send('PATCH', `/inspectors/${id}`, { name: 'One' }, { 'if-match': tag })).status).toBe(200);
    expect((await send('PATCH', `/inspectors/${id}`, { name: 'Two' }, { 'if-match': tag })).status).toBe(412);
  });

  it.each([UNKNOWN_UUID, 'x'])('answers 404 for %s, and for one of another organization', async (id) => {
    const foreign = await madeInspector(app, await app.factory.organization());
    for (const missing of [id, foreign.id]) {
      expectRefusal(await send('PATCH', `/inspectors/${missing}`, { name: 'Intruder' }), {
        status: 404,
        reason: 'inspector_not_found',
        userId: organization.userId,
      });
    }
  });

  it('answers 200 for new secrets of one whose stored ones cannot be decrypted, which fails until then', async () => {
    const { id } = await made();
    await app.rows(`UPDATE inspectors SET encrypted_secrets = '\\x02' WHERE id = $1`, [id]);
    const failed = await send<{ data: object }>('POST', `/inspectors/${id}/test`, { texts: ['Hello'] });
    expect({ status: failed.status, data: failed.body.data }).toMatchObject({
      status: 200,
      data: { outcome: 'failed', failure: 'the secrets of the inspector cannot be decrypted' },
    });
    expect((await send('PATCH', `/inspectors/${id}`, { name: 'Same secrets' })).status).toBe(200);
    const { status, body } = await send('PATCH', `/inspectors/${id}`, { api_key: 'a-new-key-0123' });
    expect({ status, data: body.data }).toMatchObject({
      status: 200,
      data: { api_key: 'a-ne...0123', signing_secret: null, headers: {} },
    });
    expect(await shownSecrets(id)).toEqual(['a-new-key-0123', undefined, false]);
    expect(app.logLines.some((line) => line.includes(`the secrets of inspector ${id} cannot be read`))).toBe(true);
  });
});
