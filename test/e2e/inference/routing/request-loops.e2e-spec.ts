import { organizationPerTest } from '../../../support/application/shared-organization.js';
import type { TestApplication } from '../../../support/application/test-application.js';
import type { Answer, ErrorBody } from '../../../support/network/api-client.js';
import { type ProviderAnswer, ProviderServer } from '../../../support/network/provider-server.js';
import {
  newKeyForOwnProvider,
  newPrivateEndpoint,
  newPrivateProvider,
  validated,
} from '../../../support/resources/private-models.js';
import { answerAsAsked } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';
import { CHAT, QUESTION, TestGateway } from '../test-gateway.js';

const MODEL = 'acme/unconnected';

const LOOP = { message: expect.stringContaining('Loop detected') as string };

/** Sends requests on to a gateway as they are, with another credential. */
const forwardTo =
  ({ origin }: TestApplication, key: string): ProviderAnswer =>
  async (response, { path, headers, body }) => {
    const answer = await fetch(`${origin}/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', via: headers.via! },
      body: JSON.stringify(body),
    });
    const type = answer.headers.get('content-type')!;
    response.writeHead(answer.status, { 'content-type': type }).end(await answer.text());
  };

describe('a request that comes back to the gateway', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);

  /** A draft of the model whose server is at an address. @param key of the server */
  const draftAt = async (base_url: string, key: string): Promise<string> => {
    const { slug } = await newPrivateProvider(gateway.app, organization, { base_url });
    await newKeyForOwnProvider(gateway.app, organization, slug, key);
    const names = { model_permaslug: MODEL, upstream_model_id: MODEL };
    return (await newPrivateEndpoint(gateway.app, organization, slug, names)).id;
  };

  it('is no answer to the validation of an endpoint at its own address (404), which is not activated: 409', async () => {
    const { plaintext } = await gateway.app.factory.key(organization);
    const id = await draftAt(`${gateway.app.origin}/api/v1`, plaintext);

    expect((await validated(gateway.app, organization, id)).checks.at(-1)).toEqual({
      name: 'completion',
      passed: false,
      reason: 'upstream_error',
      upstream_status: 404,
      upstream_message: expect.any(String),
    });
    const path = `/private-endpoints/${id}/activate`;
    expect((await gateway.app.api.post(path, { key: organization.managementKey })).status).toBe(409);
  });

  it('is a 200 where an endpoint stands for another model of the same gateway', async () => {
    const { plaintext } = await gateway.app.factory.key(organization);
    const { slug } = await newPrivateProvider(gateway.app, organization, { base_url: `${gateway.app.origin}/api/v1` });
    await newKeyForOwnProvider(gateway.app, organization, slug, plaintext);
    const names = { model_permaslug: MODEL, upstream_model_id: 'gatehouse/echo' };
    const { id } = await newPrivateEndpoint(gateway.app, organization, slug, names);
    expect(await validated(gateway.app, organization, id)).toMatchObject({ passed: true });
    const path = `/private-endpoints/${id}/activate`;
    expect((await gateway.app.api.post(path, { key: organization.managementKey })).status).toBe(200);

    const key = await gateway.app.factory.key(organization);
    expect((await gateway.ask(key, { model: MODEL, provider: null })).status).toBe(200);
  });

  it.each(['itself', 'another replica'])(
    'is a 400 the second time, when the address of an endpoint that was activated with a 200 has come to lead to %s',
    async (where) => {
      const server = await ProviderServer.start();
      server.answerWith(answerAsAsked);
      const key = await gateway.app.factory.key(organization);
      const id = await draftAt(server.baseUrl, key.plaintext);
      expect(await validated(gateway.app, organization, id)).toMatchObject({ passed: true });
      const path = `/private-endpoints/${id}/activate`;
      expect((await gateway.app.api.post(path, { key: organization.managementKey })).status).toBe(200);
      const target = where === 'itself' ? gateway.app : await gateway.replica();
      server.answerWith(forwardTo(target, key.plaintext));

      const answer = await gateway.ask<ErrorBody>(key, { model: MODEL, provider: null });
      const streamed = await gateway.ask<ErrorBody>(key, { model: MODEL, provider: null, stream: true });

      expect([answer.status, answer.body.error]).toMatchObject([
        400,
        { ...LOOP, metadata: { reason: 'provider_refused_request' } },
      ]);
      expect([streamed.status, streamed.body.error]).toMatchObject([400, LOOP]);
      expect(server.received).toHaveLength(4);
      const refused = await gateway.app.rows<{ refusal: string; status: number }>(
        `SELECT status, details ->> 'refusal' AS refusal FROM generations WHERE organization_id = $1 ORDER BY id`,
        [organization.organizationId],
      );
      expect(refused.map(({ refusal }) => refusal).toSorted()).toEqual([
        'provider_refused_request',
        'provider_refused_request',
        'provider_refused_request',
        'provider_refused_request',
        'request_loop',
        'request_loop',
      ]);
      await server.stop();
    },
  );

  it.each([CHAT, '/messages', '/responses', '/completions', '/embeddings', '/rerank'])(
    'is a 400 of every operation, such as %s, and a 200 or another refusal under the name of another gateway',
    async (path) => {
      const key = await gateway.app.factory.key(organization);
      expect((await gateway.ask(key)).status).toBe(200);
      const via = gateway.alpha.received[0]!.headers.via!;
      expect(via).toMatch(/^1\.1 gatehouse-[\da-f]{16}$/);
      const json = {
        model: 'gatehouse/echo',
        messages: QUESTION,
        input: 'Hello',
        ...(path === '/completions' && { prompt: 'Hello' }),
        max_tokens: 10,
        query: 'Hello',
        documents: ['Hello'],
      };
      const send = (header: string): Promise<Answer<ErrorBody>> =>
        gateway.app.api.post<ErrorBody>(path, { key: key.plaintext, json, headers: { via: header } });

      const loop = await send(`1.0 fred, ${via}, 1.1 gatehouse-0123456789abcdef, ${via}`);
      expect([loop.status, loop.body.error.message]).toEqual([400, LOOP.message]);
      for (const header of ['1.1 gatehouse-0123456789abcdef, 1.1 cache.example.com (Squid)', via]) {
        expect((await send(header)).body.error?.metadata?.reason).not.toBe('request_loop');
      }
    },
  );

  it('is a 200 through two deployments that call each other, and a 400 where they call each other in turn', async () => {
    const other = await TestGateway.start({
      variables: {
        ENCRYPTION_KEY: '22'.repeat(32),
        PROVIDER_BETA_BASE_URL: `${gateway.app.origin}/api/v1`,
        PROVIDER_BETA_API_KEY: (await gateway.app.factory.key(organization)).plaintext,
      },
    });
    const key = await other.app.factory.key(await other.app.factory.organization());
    // Of Beta alone, so that no deployment goes on with another provider.
    const chain = { model: 'acme/spare', provider: { only: ['beta'] } };

    expect((await other.ask(key, chain)).status).toBe(200);
    expect(gateway.beta.received[0]!.headers.via).toMatch(/^1\.1 gatehouse-[\da-f]{16}, 1\.1 gatehouse-[\da-f]{16}$/);

    gateway.beta.answerWith(forwardTo(other.app, key.plaintext));
    const answer = await other.ask<ErrorBody>(key, chain);
    expect([answer.status, answer.body.error]).toMatchObject([400, LOOP]);
    expect(gateway.beta.received).toHaveLength(2);
    await other.stop();
  });
});
