import { randomBytes } from 'node:crypto';
import { EndpointHealth } from '../../../../src/modules/routing/endpoint-health.js';
import type { TestApplication } from '../../../support/application/test-application.js';
import { until } from '../../../support/time/until.js';
import { CHAT, QUESTION } from '../test-gateway.js';
import type { WholeAnswer } from '../read-answers.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

const REDIS_URL = process.env['GATEHOUSE_TEST_REDIS_URL'];

/** Counted as skipped where there is no Redis. */
const itWithRedis = REDIS_URL === undefined ? it.skip : it;

const ENCRYPTION_KEY = randomBytes(32).toString('hex');

/** Alpha, which is cheaper, would answer none of them once in 10^8 times. */
const OFTEN = 10;

const ALPHA_FIRST = { order: ['alpha'] };

describe('sendChatCompletionRequest after failures of an endpoint', () => {
  const gateway = sharedGateway({ variables: { ENCRYPTION_KEY, ...(REDIS_URL !== undefined && { REDIS_URL }) } });
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  const failOnce = async (): Promise<void> => {
    gateway.alpha.answerJson({}, 500);
    const { status } = await gateway.ask(key, { provider: ALPHA_FIRST });
    expect(status).toBe(200);
    gateway.reset();
  };

  const answering = async (app: TestApplication): Promise<Set<string>> => {
    const providers = new Set<string>();
    for (let index = 0; index < OFTEN; index += 1) {
      const json = { model: 'acme/writer', messages: QUESTION };
      const { status, body } = await app.api.post<WholeAnswer>(CHAT, { key: key.plaintext, json });
      expect(status).toBe(200);
      providers.add(body.provider);
    }
    return providers;
  };

  const conditionIn = (app: TestApplication): string =>
    app.application.get(EndpointHealth).conditionOf('acme/writer alpha', organization.organizationId);

  it('answers 200 by others, and by the endpoint again once it has answered', async () => {
    await failOnce();
    expect(await answering(gateway.app)).toEqual(new Set(['Beta Cloud']));
    expect((await gateway.ask(key, { provider: ALPHA_FIRST })).status).toBe(200);
    expect(await answering(gateway.app)).toContain('Alpha Cloud');
  });

  it('answers 200 by the endpoint still where another organization alone has failed with it', async () => {
    const other = await gateway.app.factory.key(await gateway.app.factory.organization());
    gateway.alpha.answerJson({}, 500);
    for (let index = 0; index < 2 * OFTEN; index += 1) {
      const { status } = await gateway.ask(other, { provider: { only: ['alpha'] } });
      expect(status).toBe(503);
    }
    gateway.reset();

    expect(await answering(gateway.app)).toContain('Alpha Cloud');
    await failOnce();
    expect(await answering(gateway.app)).toEqual(new Set(['Beta Cloud']));
  });

  it.each([400, 403, 409, 413, 415, 422, 424, 429, 451])(
    'does not count that an endpoint has answered %i, of which the request may be the cause',
    async (status) => {
      expect((await gateway.ask(key, { provider: ALPHA_FIRST })).status).toBe(200);
      gateway.alpha.answerJson({}, status);
      await gateway.ask(key, { provider: { only: ['alpha'] } });

      expect(conditionIn(gateway.app)).toBe('normal');
    },
  );

  it.each([401, 402, 404])(
    "does not count that an endpoint has answered %i to the organization's own key, but to that of the deployment",
    async (status) => {
      expect((await gateway.ask(key, { provider: ALPHA_FIRST })).status).toBe(200);
      const json = { provider: 'alpha', name: 'Ours', key: 'sk-of-our-own-0123456789' };
      const created = await gateway.app.api.post('/byok', { key: organization.managementKey, json });
      expect(created.status).toBe(201);
      const asked: number[] = [];
      gateway.alpha.answerWith((response, { headers }) => {
        const isOwn = headers.authorization === 'Bearer sk-of-our-own-0123456789';
        asked.push(isOwn ? status : 400);
        response.writeHead(asked.at(-1)!, { 'content-type': 'application/json' }).end('{}');
      });

      expect((await gateway.ask(key, { provider: { only: ['alpha'] } })).status).toBe(400);
      expect(asked).toEqual([status, 400]);
      expect(conditionIn(gateway.app)).toBe('normal');

      gateway.alpha.answerJson({}, status);
      await gateway.ask(key, { provider: { only: ['alpha'] } });
      expect(conditionIn(gateway.app)).toBe('degraded');
    },
  );

  itWithRedis('answers 200 by others on every replica, also on one that starts later', async () => {
    const variables = { ENCRYPTION_KEY, REDIS_URL: REDIS_URL! };
    const replica = await gateway.replica(variables);
    const knows = (app: TestApplication) => async (): Promise<boolean> => {
      await failOnce();
      return conditionIn(app) === 'degraded';
    };
    await until(knows(replica));
    expect(await answering(replica)).toEqual(new Set(['Beta Cloud']));
    const later = await gateway.replica(variables);
    await until(knows(later));
    expect(await answering(later)).toEqual(new Set(['Beta Cloud']));
    await Promise.all([replica.stop(), later.stop()]);
  });
});
