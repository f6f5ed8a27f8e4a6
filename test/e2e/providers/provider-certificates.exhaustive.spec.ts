import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { ApiClient } from '../../support/network/api-client.js';
import { ProviderServer } from '../../support/network/provider-server.js';
import { SELF_SIGNED_CERTIFICATE } from '../../support/network/self-signed-certificate.js';
import { GatehouseProcess } from '../../support/processes/gatehouse-process.js';
import { completion } from '../inference/provider-answers.js';
import { CHAT, QUESTION, TestGateway } from '../inference/test-gateway.js';

/** Longer than connections of http stay open without a call, in milliseconds. */
const PAUSE_MS = 7_000;

describe('a provider whose certificate an authority of the operator has signed', () => {
  let gateway: TestGateway;
  let provider: ProviderServer;
  let directory: string;
  let key: IssuedCredential;

  beforeAll(async () => {
    gateway = await TestGateway.start();
    key = await gateway.factory.key(await gateway.factory.organization());
    provider = await ProviderServer.start(SELF_SIGNED_CERTIFICATE);
    provider.answerJson(completion('All is well.'));
    directory = await mkdtemp(path.join(os.tmpdir(), 'gatehouse-authority-'));
    await writeFile(path.join(directory, 'authority.pem'), SELF_SIGNED_CERTIFICATE.cert);
  });

  afterEach(() => GatehouseProcess.killAll());

  afterAll(async () => {
    await Promise.all([gateway.stop(), provider.stop(), rm(directory, { recursive: true })]);
  });

  /** Starts another replica, which calls the provider with the self-signed certificate in place of Alpha. */
  async function replica(variables: Readonly<Record<string, string>>): Promise<ApiClient> {
    const service = GatehouseProcess.service({
      DATABASE_URL: gateway.app.database.serviceUrl,
      ENCRYPTION_KEY: '11'.repeat(32),
      PROVIDER_ALPHA_BASE_URL: provider.baseUrl,
      ...variables,
    });
    return new ApiClient(`${await service.origin()}${gateway.app.environment.apiBasePath}`);
  }

  const ask = (api: ApiClient) =>
    api.post(CHAT, {
      key: key.plaintext,
      json: { model: 'acme/writer', messages: QUESTION, provider: { only: ['alpha'] } },
    });

  it('is not called without the authority, and the request is answered 503', async () => {
    const { status } = await ask(await replica({}));

    expect(status).toBe(503);
    expect(provider.received).toEqual([]);
  });

  it('is called 200 with the authority in NODE_EXTRA_CA_CERTS, and called again on the same connection after some seconds', async () => {
    const api = await replica({ NODE_EXTRA_CA_CERTS: path.join(directory, 'authority.pem') });
    const before = provider.connections;
    const first = await ask(api);
    await delay(PAUSE_MS);
    const second = await ask(api);

    expect([first.status, second.status]).toEqual([200, 200]);
    expect(provider.received).toHaveLength(2);
    expect(provider.connections - before).toBe(1);
  });
});
