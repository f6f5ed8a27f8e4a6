import type { EffectiveGuardrailsResponse } from '../../../../src/modules/guardrails/effective-policy/effective-guardrails.dto.js';
import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import { ConnectionsService } from '../../../../src/modules/providers/connections/connections.service.js';
import { PROVIDER_KEY } from '../test-gateway.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

const ECHOED = ['gatehouse/echo', 'gatehouse/echo-embedding'];

const BY_BETA = ['acme/spare'];

const BY_BOTH = ['acme/embedder', 'acme/writer'];

const BY_NOBODY = ['acme/lone-embedder', 'acme/unconnected'];

describe('getEffectiveGuardrails with connections', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  const effective = async ({ hash }: IssuedCredential): Promise<EffectiveGuardrailsResponse['data']> => {
    const path = `/guardrails/effective?key_hash=${hash}`;
    const answer = await gateway.app.api.get<EffectiveGuardrailsResponse>(path, { key: organization.managementKey });
    expect({ path, status: answer.status }).toEqual({ path, status: 200 });
    return answer.body.data;
  };

  const available = async (of: IssuedCredential): Promise<string[]> =>
    (await effective(of)).available_models.toSorted();

  it('answers 200 with the models of connected providers as available, and requests of those alone', async () => {
    const { models } = await effective(key);
    const there = await available(key);

    expect(models).toEqual(expect.arrayContaining(BY_NOBODY));
    expect(there).toEqual([...BY_BOTH, ...BY_BETA, ...ECHOED].sort());
    for (const model of ['acme/writer', 'acme/spare', 'acme/unconnected', 'gatehouse/echo']) {
      const { status } = await gateway.ask(key, { model, provider: undefined });
      expect([model, status]).toEqual([model, there.includes(model) ? 200 : 404]);
    }
  });

  it('answers 200 without embedding models of a provider whose protocol has no embeddings, for which requests are answered 404', async () => {
    const connection = { provider: 'alpha', protocol: 'anthropic', baseUrl: gateway.alpha.baseUrl } as const;
    const connections = gateway.app.application.get(ConnectionsService);
    await connections.connect({ ...connection, apiKey: PROVIDER_KEY, timeouts: {}, models: {} });
    const withoutBeta = await gateway.guardedKey(organization, { ignored_providers: ['beta'] });
    const there = await available(withoutBeta);
    const embedded = await gateway.embed(withoutBeta, { provider: undefined });
    await connections.disconnect('alpha');

    expect(there).toEqual(['acme/writer', ...ECHOED]);
    expect(embedded.status).toBe(404);
    expect(await available(key)).toContain('acme/embedder');
  });

  it.each([
    [{ ignored_providers: ['alpha', 'beta'] }, ECHOED],
    [{ ignored_providers: ['alpha'] }, [...BY_BOTH, ...BY_BETA, ...ECHOED].sort()],
    [{ allowed_models: ['acme/spare', 'acme/unconnected'] }, BY_BETA],
    [{ allowed_providers: ['beta', 'nobody'] }, [...BY_BOTH, ...BY_BETA].sort()],
    [{ allowed_data_regions: ['europe'] }, []],
  ])('answers 200 with what is permitted and served at the same endpoint: %j', async (settings, expected) => {
    expect(await available(await gateway.guardedKey(organization, settings))).toEqual(expected);
  });

  it('answers 200 with the models for which the workspace has an own key that the key may use, made with 201', async () => {
    const other = await gateway.app.factory.key(organization);
    const guarded = await gateway.guardedKey(organization, { ignored_models: ['acme/brought'] });
    const before = await available(key);
    const { status } = await gateway.app.api.post('/byok', {
      key: organization.managementKey,
      json: {
        provider: 'openai',
        key: 'sk-own-key-0123456789',
        allowed_models: ['acme/brought'],
        allowed_api_key_hashes: [key.hash, guarded.hash],
      },
    });

    expect(status).toBe(201);
    expect(before).not.toContain('acme/brought');
    expect(await available(key)).toEqual([...before, 'acme/brought'].sort());
    expect(await available(other)).toEqual(before);
    expect(await available(guarded)).toEqual(before);
  });
});
