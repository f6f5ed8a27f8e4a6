import { randomBytes } from 'node:crypto';
import type {
  GetProvidersHealthResponse,
  ProviderHealth,
} from '../../../../src/modules/inference/provider-health/dto/provider-health.dto.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

describe('getProvidersHealth', () => {
  const gateway = sharedGateway({ variables: { ENCRYPTION_KEY: randomBytes(32).toString('hex') } });
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  const health = async (managementKey = organization.managementKey): Promise<GetProvidersHealthResponse['data']> => {
    const { status, body } = await gateway.app.api.get<GetProvidersHealthResponse>('/providers/health', {
      key: managementKey,
    });
    expect(status).toBe(200);
    return body.data;
  };

  const healthOf = async (slug: string, managementKey?: string): Promise<ProviderHealth | undefined> =>
    (await health(managementKey)).providers.find(({ provider }) => provider === slug);

  it('answers 200 with the providers that the deployment is connected to, which were not asked', async () => {
    const { observed_since: since, is_shared: isShared, providers } = await health();

    expect(Date.parse(since)).toBeLessThanOrEqual(Date.now());
    expect(isShared).toBe(false);
    expect(providers.map(({ provider }) => provider)).toEqual(['alpha', 'beta', 'gatehouse']);
    expect(providers[0]).toEqual({ provider: 'alpha', name: 'Alpha Cloud', condition: 'normal', endpoints: [] });
  });

  it('answers 200 with what the organization knows of an endpoint: a success, then a failure, and what that decides', async () => {
    const before = Date.now();
    expect((await gateway.ask(key, { provider: { only: ['alpha'] } })).status).toBe(200);
    const good = await healthOf('alpha');
    const endpoint = { model: 'acme/writer', endpoint: 'alpha' };
    expect(good).toMatchObject({
      condition: 'normal',
      endpoints: [{ ...endpoint, condition: 'normal', failed_attempts: 0, last_failure_at: null }],
    });
    expect(Date.parse(good!.endpoints[0]!.last_success_at!)).toBeGreaterThanOrEqual(before);

    gateway.alpha.answerJson({}, 500);
    await gateway.ask(key, { provider: { only: ['alpha'] } });
    const bad = await healthOf('alpha');
    expect(bad).toMatchObject({
      condition: 'degraded',
      endpoints: [{ ...endpoint, condition: 'degraded', failed_attempts: 1, last_success_at: null }],
    });
    expect(Date.parse(bad!.endpoints[0]!.last_failure_at!)).toBeGreaterThanOrEqual(before);
  });

  it('answers 200 without what another organization alone has asked or failed with', async () => {
    const other = await gateway.app.factory.organization();
    const otherKey = await gateway.app.factory.key(other);
    expect((await gateway.ask(otherKey, { provider: { only: ['beta'] } })).status).toBe(200);
    gateway.alpha.answerJson({}, 500);
    await gateway.ask(otherKey, { provider: { only: ['alpha'] } });

    expect((await healthOf('alpha', other.managementKey))!.endpoints).toHaveLength(1);
    expect((await health()).providers.flatMap(({ endpoints }) => endpoints)).toEqual([]);
  });

  it('answers 200 with an endpoint that has failed for several others, and says nothing of who they are', async () => {
    gateway.alpha.answerJson({}, 500);
    for (let index = 0; index < 3; index += 1) {
      const other = await gateway.app.factory.key(await gateway.app.factory.organization());
      await gateway.ask(other, { provider: { only: ['alpha'] } });
    }

    expect((await healthOf('alpha'))!.endpoints).toEqual([
      {
        model: 'acme/writer',
        endpoint: 'alpha',
        condition: 'degraded',
        failed_attempts: 0,
        last_success_at: null,
        last_failure_at: null,
      },
    ]);
  });

  it('answers 200 with a provider as long as the organization has a key of its own for it, which was created (201)', async () => {
    const json = { provider: 'openai', name: 'Ours', key: 'sk-of-our-own-0123456789' };
    const { managementKey } = organization;
    const created = await gateway.app.api.post<{ data: { id: string } }>('/byok', { key: managementKey, json });
    expect(created.status).toBe(201);
    const other = await gateway.app.factory.organization();

    expect(await healthOf('openai')).toMatchObject({ condition: 'normal', endpoints: [] });
    expect(await healthOf('openai', other.managementKey)).toBeUndefined();
    const path = `/byok/${created.body.data.id}`;
    await gateway.app.api.patch(path, { key: managementKey, json: { disabled: true } });
    expect(await healthOf('openai')).toBeUndefined();
  });
});
