import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readEnvironment } from '../../../src/config/environment.js';
import { IssuerTransport } from '../../../src/http/addresses/issuer-transport.js';
import { InspectionServers } from '../../../src/modules/content/inspectors/remote-request.js';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { HttpReceiverTransport } from '../../../src/modules/observability/delivery/sending/receiver-transport.js';
import { TokenServices } from '../../../src/modules/providers/credentials/token-service.js';
import { FetchedImages } from '../../../src/modules/providers/upstream/fetched-images.js';
import { ApiClient } from '../../support/network/api-client.js';
import {
  ForwardProxy,
  HAS_TINYPROXY,
  PROXY_PASSWORD,
  PROXY_USER,
  Tinyproxy,
} from '../../support/network/forward-proxy.js';
import { ProviderServer } from '../../support/network/provider-server.js';
import { EXAMPLE_CERTIFICATE } from '../../support/network/self-signed-certificate.js';
import { GatehouseProcess } from '../../support/processes/gatehouse-process.js';
import { newDestination } from '../../support/resources/destinations.js';
import { until } from '../../support/time/until.js';
import { completion } from '../inference/provider-answers.js';
import { CHAT, QUESTION, TestGateway } from '../inference/test-gateway.js';
import { PIXEL } from '../inference/images/image-gateway.js';

const portOf = (server: ProviderServer): string => new URL(server.baseUrl).port;

const AUTHORIZATION = `Basic ${Buffer.from(`${PROXY_USER}:${PROXY_PASSWORD}`).toString('base64')}`;

const proxyUrl = (port: number, password = PROXY_PASSWORD): string =>
  `http://${encodeURIComponent(PROXY_USER)}:${encodeURIComponent(password)}@127.0.0.1:${port}`;

describe('requests through a proxy', () => {
  let secure: ProviderServer;
  let plain: ProviderServer;
  let proxy: ForwardProxy;

  beforeAll(async () => {
    secure = await ProviderServer.start(EXAMPLE_CERTIFICATE);
    plain = await ProviderServer.start();
    proxy = await ForwardProxy.start({ 443: portOf(secure), 80: portOf(plain) });
  });

  beforeEach(() => {
    for (const list of [secure.received, plain.received, proxy.asked]) (list as unknown[]).length = 0;
  });

  afterAll(async () => {
    await Promise.all([secure.stop(), plain.stop(), proxy.stop()]);
  });

  describe('of the service', () => {
    let gateway: TestGateway;
    let key: IssuedCredential;
    let directory: string;

    beforeAll(async () => {
      gateway = await TestGateway.start();
      directory = await mkdtemp(path.join(os.tmpdir(), 'gatehouse-authority-'));
      await writeFile(path.join(directory, 'authority.pem'), EXAMPLE_CERTIFICATE.cert);
    });

    afterEach(() => GatehouseProcess.killAll());

    afterAll(async () => {
      await gateway.stop();
      await rm(directory, { recursive: true });
    });

    beforeEach(async () => {
      key = await gateway.factory.key(await gateway.factory.organization());
      for (const server of [secure, plain, gateway.beta]) server.answerJson(completion('All is well.'));
    });

    /** Starts another replica, whose provider Alpha is behind the proxy, and whose Beta is on the loopback. */
    const replica = async (variables: Readonly<Record<string, string>>): Promise<[GatehouseProcess, ApiClient]> => {
      const service = GatehouseProcess.service({
        DATABASE_URL: gateway.app.database.serviceUrl,
        ENCRYPTION_KEY: '11'.repeat(32),
        NODE_EXTRA_CA_CERTS: path.join(directory, 'authority.pem'),
        PROVIDER_ALPHA_BASE_URL: 'https://models.example.com/v1',
        PROVIDER_BETA_BASE_URL: gateway.beta.baseUrl,
        ...variables,
      });
      return [service, new ApiClient(`${await service.origin()}${gateway.app.environment.apiBasePath}`)];
    };
    const ask = (api: ApiClient, provider = 'alpha', by = key) =>
      api.post(CHAT, {
        key: by.plaintext,
        json: { model: 'acme/writer', messages: QUESTION, provider: { only: [provider] } },
      });

    it('answer 200 by a tunnel for https, and past the proxy on the loopback', async () => {
      const url = proxyUrl(proxy.port);
      const [service, api] = await replica({ https_proxy: url, LOG_LEVEL: 'trace' });

      expect([(await ask(api)).status, (await ask(api)).status, (await ask(api, 'beta')).status]).toEqual([
        200, 200, 200,
      ]);

      // The second request uses the connection of the first.
      expect(proxy.asked).toEqual([
        { method: 'CONNECT', target: 'models.example.com:443', authorization: AUTHORIZATION },
      ]);
      expect(secure.received).toHaveLength(2);
      expect(secure.received[0]!.headers).not.toHaveProperty('proxy-authorization');
      await service.stop();
      for (const secret of [PROXY_PASSWORD, encodeURIComponent(PROXY_PASSWORD), AUTHORIZATION.slice(6)]) {
        expect(service.output).not.toContain(secret);
      }
    }, 120_000);

    it('answer 200 with whole addresses for http', async () => {
      const [, api] = await replica({
        HTTP_PROXY: proxyUrl(proxy.port),
        PROVIDER_ALPHA_BASE_URL: 'http://models.example.com/v1',
      });

      expect((await ask(api)).status).toBe(200);

      const target = 'http://models.example.com/v1/chat/completions';
      expect(proxy.asked).toEqual([{ method: 'POST', target, authorization: AUTHORIZATION }]);
      expect(plain.received).toMatchObject([{ path: '/v1/chat/completions', headers: { host: 'models.example.com' } }]);
    }, 120_000);

    it('answer 503 where NO_PROXY has the name, without asking the proxy, and where it refuses', async () => {
      const [, direct] = await replica({ HTTPS_PROXY: proxyUrl(proxy.port), NO_PROXY: '.example.com' });
      expect((await ask(direct)).status).toBe(503);
      expect(proxy.asked).toEqual([]);

      const refusing = await ProviderServer.start();
      const [service, refused] = await replica({ HTTPS_PROXY: proxyUrl(Number(portOf(refusing))) });
      expect((await ask(refused)).status).toBe(503);
      await service.stop();
      expect(service.output).not.toContain(AUTHORIZATION.slice(6));
      await refusing.stop();
    }, 120_000);

    it('deliver to a destination, and are a 400 for one at a private address without asking the proxy', async () => {
      const organization = await gateway.factory.organization();
      const { plaintext } = await gateway.factory.key(organization);
      await gateway.app.rows('UPDATE workspaces SET is_observability_broadcast_enabled = true WHERE id = $1', [
        organization.workspaceId,
      ]);
      await newDestination(gateway.app, organization, 'webhook', {
        config: { url: 'https://collector.example.com/in' },
        workspace_id: organization.workspaceId,
      });
      const [, api] = await replica({ HTTPS_PROXY: proxyUrl(proxy.port) });

      expect((await ask(api, 'beta', { ...key, plaintext })).status).toBe(200);
      await until(() => Promise.resolve(secure.received.some((request) => request.path === '/in')));

      expect(proxy.asked.map(({ target }) => target)).toContain('collector.example.com:443');
      proxy.asked.length = 0;
      const refused = await api.post('/observability/destinations', {
        key: organization.managementKey,
        json: { type: 'webhook', name: 'Private', config: { url: 'https://10.0.0.1/in' } },
      });
      expect(refused.status).toBe(400);
      expect(proxy.asked).toEqual([]);
    }, 120_000);

    (HAS_TINYPROXY ? it : it.skip)(
      'answer 200 through tinyproxy with its credentials, and 503 with others',
      async () => {
        const tinyproxy = await Tinyproxy.start(proxy);
        const variables = { PROVIDER_BETA_BASE_URL: 'http://plain.example.com/v1' };
        const url = proxyUrl(tinyproxy.port);
        const [, api] = await replica({ ...variables, HTTPS_PROXY: url, HTTP_PROXY: url });
        const wrong = proxyUrl(tinyproxy.port, 'another');
        const [, refused] = await replica({ ...variables, HTTPS_PROXY: wrong, HTTP_PROXY: wrong });

        expect([(await ask(api)).status, (await ask(api, 'beta')).status]).toEqual([200, 200]);
        expect(proxy.asked.map(({ method, target }) => [method, target])).toEqual([
          ['CONNECT', 'models.example.com:443'],
          ['POST', expect.stringMatching(/^http:\/\/plain\.example\.com(:80)?\/v1\/chat\/completions$/)],
        ]);
        expect((await ask(refused)).status).toBe(503);
        await tinyproxy.stop();
      },
      120_000,
    );
  });

  describe('of each transport', () => {
    const environment = (): ReturnType<typeof readEnvironment> =>
      readEnvironment({
        HTTP_PROXY: proxyUrl(proxy.port),
        ALLOW_PRIVATE_IMAGE_ADDRESSES: '10.0.0.0/8',
        ALLOW_PRIVATE_DESTINATIONS: '10.0.0.0/8',
        OIDC_ALLOW_PRIVATE_ISSUERS: '10.0.0.0/8',
      });
    const { signal } = new AbortController();
    const transports: Readonly<
      Record<string, () => { readonly call: (url: string) => Promise<unknown>; readonly close: () => unknown }>
    > = {
      images: () => {
        const images = new FetchedImages(environment());
        return { call: (url) => images.at(url, { signal }), close: () => images.onApplicationShutdown() };
      },
      issuers: () => {
        const issuers = new IssuerTransport(environment());
        return { call: (url) => issuers.fetch(url), close: () => issuers.onApplicationShutdown() };
      },
      'token services': () => {
        const services = new TokenServices(environment());
        return { call: (url) => services.ask({ service: 'A cloud', url }), close: () => services.close() };
      },
      receivers: () => {
        const receivers = new HttpReceiverTransport(environment());
        const { send } = receivers.endingWith(signal);
        return {
          call: (url) => send({ method: 'GET', url, headers: {} }),
          close: () => receivers.onApplicationShutdown(),
        };
      },
      inspectors: () => {
        const servers = new InspectionServers(environment());
        return {
          call: (url) => servers.ask({ url, body: {}, timeoutMs: 60_000 }).catch(() => 'no JSON'),
          close: () => servers.close(),
        };
      },
    };

    beforeEach(() => plain.answerWith((response) => void response.end(Buffer.from(PIXEL, 'base64'))));

    it.each(Object.keys(transports))('lead to a public name by way of it: %s', async (name) => {
      const { call, close } = transports[name]!();

      await call('http://models.example.com/there');

      expect(proxy.asked).toMatchObject([{ target: 'http://models.example.com/there', authorization: AUTHORIZATION }]);
      await close();
    });

    it.each(['images', 'issuers', 'receivers'])(
      'lead nowhere for addresses and names of private networks that are not allowed: %s',
      async (name) => {
        const { call, close } = transports[name]!();
        for (const host of ['127.0.0.1', '192.168.1.1', '169.254.169.254', 'localhost']) {
          await expect(call(`http://${host}/there`)).rejects.toThrow();
        }
        expect([...proxy.asked, ...plain.received]).toEqual([]);
        await close();
      },
    );

    it('lead to a service of the machine directly', async () => {
      const services = new TokenServices(environment());
      const asked = services.ask({ service: 'A cloud', url: 'http://metadata.example.com/', isOnMachine: true });
      await expect(asked).rejects.toThrow('does not answer');
      expect(proxy.asked).toEqual([]);
      await services.close();
    });
  });
});
