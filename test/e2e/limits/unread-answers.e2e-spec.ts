import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import net from 'node:net';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import type { TestApplication } from '../../support/application/test-application.js';
import { until } from '../../support/time/until.js';

const POOL_SIZE = 6;

/** What one organization has of the slots, and what is left of them for all others. */
const SHARE = POOL_SIZE / 2;
const REST = POOL_SIZE - 2 - SHARE;

/** A list of more than 15 MB: more than the network between holds. */
const LARGE_LIST = { guardrails: 100, characters: 150_000 };

const PATH = '/guardrails?limit=100';

/** An organization whose guardrails are a large list. */
async function largeOrganization(app: TestApplication): Promise<NewOrganization> {
  const organization = await app.factory.organization();
  const names = Array.from({ length: LARGE_LIST.guardrails }, (_, number) => `Guardrail ${number}`);
  await Promise.all(names.map((name) => app.factory.guardrail(organization, { name })));
  await app.rows('UPDATE guardrails SET description = repeat($2, $3) WHERE organization_id = $1', [
    organization.organizationId,
    'x',
    LARGE_LIST.characters,
  ]);
  return organization;
}

/** Asks for the large list, and does not read it. @returns once the answer is made */
async function unreadList(app: TestApplication, { managementKey }: NewOrganization): Promise<net.Socket> {
  const { hostname, port } = new URL(app.origin);
  const socket = net.connect(Number(port), hostname).pause();
  socket.on('error', () => undefined);
  socket.write(`GET /api/v1${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${managementKey}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

describe('answers that clients do not read', () => {
  const app = sharedApplication({ variables: { DATABASE_POOL_SIZE: String(POOL_SIZE) } });
  const opened: net.Socket[] = [];

  afterEach(() => {
    for (const socket of opened.splice(0)) socket.destroy();
  });

  const doNotRead = async (organization: NewOrganization, count: number): Promise<void> => {
    for (let number = 0; number < count; number += 1) opened.push(await unreadList(app, organization));
  };

  it('hold no slots: other organizations are answered 200 while two organizations read none of as many as there are slots', async () => {
    const [one, other] = [await largeOrganization(app), await largeOrganization(app)];
    const third = await app.factory.organization();
    await doNotRead(one, SHARE);
    await doNotRead(other, REST);

    for (let read = 0; read < 5; read += 1) {
      expect((await app.api.get('/workspaces', { key: third.managementKey })).status).toBe(200);
    }
    expect((await app.api.get('/workspaces', { key: other.managementKey })).status).toBe(200);
  });

  it('are bounded for each organization: beyond 32 MiB it is answered 429, and 200 once its clients have left', async () => {
    const [organization, other] = [await largeOrganization(app), await app.factory.organization()];
    const key = organization.managementKey;
    await doNotRead(organization, 3);
    const refused = await app.api.get('/workspaces', { key });

    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.body).toMatchObject({ error: { metadata: { reason: 'too_many_concurrent_requests' } } });
    expect((await app.api.get('/workspaces', { key: other.managementKey })).status).toBe(200);
    for (const socket of opened.splice(0)) socket.destroy();
    await until(async () => (await app.api.get('/workspaces', { key })).status === 200);
  });
});

describe('an answer that its client does not read for UNREAD_ANSWER_TIMEOUT_MS', () => {
  const app = sharedApplication({ variables: { UNREAD_ANSWER_TIMEOUT_MS: '100' } });

  it('is ended in the middle, though its status was 200', async () => {
    const organization = await largeOrganization(app);
    const server = app.application.getHttpServer() as Server;
    const begun = once(server, 'request') as Promise<[unknown, ServerResponse]>;
    const socket = await unreadList(app, organization);
    const [, response] = await begun;
    if (!response.closed) await once(response, 'close');
    expect(response.statusCode).toBe(200);
    await once(socket.resume(), 'close');

    expect(socket.bytesRead).toBeLessThan(LARGE_LIST.guardrails * LARGE_LIST.characters);
  });
});
