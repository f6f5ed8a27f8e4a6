import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { TestObservabilityDestinationResponse } from '../../../src/modules/observability/dto/deliveries.dto.js';
import { EncryptionRotationService } from '../../../src/modules/encryption/encryption-rotation.service.js';
import { filledBefore } from '../../support/application/filled-before.js';
import type { Answer } from '../../support/network/api-client.js';
import { until } from '../../support/time/until.js';
import { BroadcastingGateway } from './broadcasting-gateway.js';

describe('the test of a destination', () => {
  const broadcasting = filledBefore(beforeAll, () => BroadcastingGateway.start());
  let organization: NewOrganization;
  beforeAll(async () => {
    organization = await broadcasting.app.factory.organization();
  });
  beforeEach(() => broadcasting.reset());
  afterAll(() => broadcasting.stop());

  const test = (path: string, json?: object): Promise<Answer<TestObservabilityDestinationResponse>> =>
    broadcasting.app.api.post(`/observability/destinations/${path}`, {
      key: organization.managementKey,
      ...(json && { json }),
    });

  it('answers 200 with what came back, of a stored destination that is disabled, and leaves nothing behind', async () => {
    const { id } = await broadcasting.webhook(organization, { enabled: false });
    const answer = await test(`${id}/test`);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { data: { delivered: true, status: null, message: null } },
    });
    expect(JSON.stringify(broadcasting.receiver.received)).toContain('gatehouse/test');
    expect(await broadcasting.waiting()).toEqual({ events: 0, deliveries: 0 });
  });

  it('answers 200 with the error of a receiver, without the credential that it repeats', async () => {
    const { id } = await broadcasting.webhook(organization, {}, '/secret-path-0123456789');
    broadcasting.receiver.answerWith((response, { path }) => void response.writeHead(403).end(`no ${path}`));
    const { status, body, text } = await test(`${id}/test`);
    expect({ status, data: body.data }).toEqual({
      status: 200,
      data: { delivered: false, status: 403, message: expect.stringContaining('no ') as string },
    });
    expect(text).not.toContain('secret-path-0123456789');
  });

  it('answers 200 for a configuration that is not stored, and stores nothing', async () => {
    const config = { url: `${new URL(broadcasting.receiver.baseUrl).origin}/new` };
    const answer = await test('test', { type: 'webhook', config });
    expect({ status: answer.status, delivered: answer.body.data.delivered }).toEqual({ status: 200, delivered: true });
    const gone = await test('test', { type: 'webhook', config: { url: 'http://127.0.0.1:9/' } });
    expect({ status: gone.status, data: gone.body.data }).toEqual({
      status: 200,
      data: { delivered: false, status: null, message: expect.stringContaining('could not be reached') as string },
    });
    const rows = await broadcasting.app.rows("SELECT FROM observability_destinations WHERE name = 'new'");
    expect(rows).toEqual([]);
  });

  it('answers 400 for a configuration that a destination could not have', async () => {
    expect((await test('test', { type: 'webhook', config: {} })).status).toBe(400);
    expect((await test('test', { type: 'webhook', config: { url: 'ftp://example.com' } })).status).toBe(400);
    expect((await test('test', { type: 'pigeon', config: {} })).status).toBe(400);
    expect(broadcasting.receiver.received).toEqual([]);
  });

  it('answers 429 while two tests of the organization are under way and two wait, and 200 afterwards', async () => {
    const { id } = await broadcasting.webhook(organization);
    const held: (() => void)[] = [];
    broadcasting.receiver.answerWith((response) => void held.push(() => response.writeHead(200).end('{}')));
    const answers = Array.from({ length: 8 }, () => test(`${id}/test`));
    const refused: Answer[] = [];
    for (const answer of answers) void answer.then((given) => given.status === 429 && refused.push(given));
    await until(() => Promise.resolve(held.length === 2 && refused.length === 4));
    expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(['2', '2', '2', '2']);
    broadcasting.receiver.answerWith((response) => void response.writeHead(200).end('{}'));
    for (const release of held) release();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(4);
  });

  it('answers 404 for a destination that is not there', async () => {
    expect((await test('019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f67/test')).status).toBe(404);
    expect((await test('nothing/test')).status).toBe(404);
  });
});

describe('the rotation of the encryption key', () => {
  it('takes along what waits for destinations', async () => {
    const before = await BroadcastingGateway.start();
    const { organization, key } = await before.broadcasting();
    before.reset();
    await before.webhook(organization);
    await before.gateway.ask(key);
    const keys = { ENCRYPTION_KEY: `${'22'.repeat(32)},${'11'.repeat(32)}`, ALLOW_PRIVATE_DESTINATIONS: 'true' };
    const both = await before.gateway.replica(keys);
    const report = await both.application
      .get(EncryptionRotationService)
      .rotate({ dryRun: false, replaceLostKey: false });
    expect(report.find(({ name }) => name.includes('wait'))).toMatchObject({
      values: 2,
      reEncrypted: 2,
      unreadable: [],
    });

    const after = await before.gateway.replica({ ...keys, ENCRYPTION_KEY: '22'.repeat(32) });
    await before.deliver(after);
    expect(before.receiver.received).toHaveLength(1);
    await before.stop();
  });
});
