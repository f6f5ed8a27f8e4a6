import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { PROVIDER_SECRET } from '../../../support/resources/provider-keys.js';
import { completion } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';

describe('What a provider is sent of fields that cost, or keep, more than is asked of it', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  const sentOf = (): unknown => gateway.alpha.received[0]?.body;

  it.each(['priority', 'fast', 'scale'])(
    'has no service_tier %s with a key of the deployment; the answer (200) names the tier that served',
    async (tier) => {
      gateway.alpha.answerJson(completion('Yes', { service_tier: 'default' }));
      const answer = await gateway.ask(key, { service_tier: tier });

      expect(answer).toMatchObject({ status: 200, body: { service_tier: 'default' } });
      expect(sentOf()).not.toHaveProperty('service_tier');
    },
  );

  it.each(['auto', 'default', 'flex'])('has the service_tier %s, which costs no more: 200', async (tier) => {
    expect((await gateway.ask(key, { service_tier: tier })).status).toBe(200);
    expect(sentOf()).toMatchObject({ service_tier: tier });
  });

  it('has every service_tier with a key of the organization: 200', async () => {
    const json = { provider: 'alpha', key: PROVIDER_SECRET };
    expect((await gateway.app.api.post('/byok', { key: organization.managementKey, json })).status).toBe(201);
    expect((await gateway.ask(key, { service_tier: 'priority' })).status).toBe(200);
    expect(sentOf()).toMatchObject({ service_tier: 'priority' });
  });

  it('does not ask to keep anything: 200', async () => {
    const keeping = { store: true, background: true, prompt_cache_retention: '24h' };
    expect((await gateway.ask(key, keeping)).status).toBe(200);
    for (const field of Object.keys(keeping)) expect(sentOf()).not.toHaveProperty(field);
  });

  it('asks not to keep anything where the client does: 200', async () => {
    const fields = { store: false, prompt_cache_retention: 'in_memory' };
    expect((await gateway.ask(key, fields)).status).toBe(200);
    expect(sentOf()).toMatchObject(fields);
  });

  it.each([
    ['web_search_options', { web_search_options: {} }],
    ['search_parameters', { search_parameters: { mode: 'auto' } }],
    ['enable_search', { enable_search: true }],
    ['web_search', { web_search: true }],
    ['venice_parameters.enable_web_search', { venice_parameters: { enable_web_search: 'auto' } }],
    ['venice_parameters.enable_web_scraping', { venice_parameters: { enable_web_scraping: true } }],
    ['venice_parameters.enable_x_search', { venice_parameters: { enable_x_search: true } }],
    ['tools[0].type', { tools: [{ type: 'openrouter:web_search' }] }],
    ['tools[1].type', { tools: [{ type: 'function', function: { name: 'go' } }, { type: 'web_search' }] }],
  ])('has no search and no tool that a provider runs: 400 for %s', async (path, fields) => {
    const answer = await gateway.ask(key, fields);

    expect(answer).toMatchObject({
      status: 400,
      body: { error: { metadata: { reason: 'invalid_parameters', issues: [{ path }] } } },
    });
    expect(gateway.alpha.received).toEqual([]);
  });

  it('has settings of a provider that switch a search off: 200', async () => {
    const fields = { venice_parameters: { enable_web_search: 'off', include_venice_system_prompt: false } };
    expect((await gateway.ask(key, fields)).status).toBe(200);
    expect(sentOf()).toMatchObject(fields);
  });
});
