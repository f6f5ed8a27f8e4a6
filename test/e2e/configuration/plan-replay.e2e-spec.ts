import type { ConfigurationPlanResponse } from '../../../src/modules/configuration/dto/configuration.dto.js';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { completion } from '../inference/provider-answers.js';
import { sharedGateway } from '../inference/shared-gateway.js';
import { fileOf, type Refused } from './configuration-interface.js';

const LIMIT = { name: 'Agents', measure: 'requests', window: 'daily', group_by: ['user'] };

describe('planConfiguration with replay_hours', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);

  beforeEach(() => gateway.alpha.answerJson(completion('All is well.')));

  const send = async (operation: string, lists: object, options: object = {}, key = organization.managementKey) =>
    gateway.app.api.post<{ data: ConfigurationPlanResponse } & Refused>(`/configuration/${operation}`, {
      key,
      json: { files: [fileOf(lists)], ...options },
    });

  const planned = async (lists: object): Promise<ConfigurationPlanResponse['replay']> => {
    const { body } = await send('plan', lists, { replay_hours: 24 });
    return body.data.replay;
  };

  /** Has keys ask for a model, each time for another end user of two. */
  const ask = async (keys: readonly IssuedCredential[], times: number): Promise<void> => {
    for (let index = 0; index < times; index += 1) {
      for (const key of keys) {
        const user = ['ada', 'grace'][index % 2];
        await gateway.ask(key, { model: 'acme/writer', provider: { only: ['alpha'] }, user });
      }
    }
  };

  it('answers which recorded requests a changed guardrail would have refused, of the keys that have it, as it does then (404)', async () => {
    const having = await gateway.app.factory.key(organization, { name: 'having' });
    const other = await gateway.app.factory.key(organization, { name: 'other' });
    const guardrails = [{ name: 'Checkout', assigned_keys: ['having'] }, { name: 'Unchanged' }];
    await send('apply', { guardrails });
    await ask([having, other], 3);
    const stricter = [{ ...guardrails[0], ignored_models: ['acme/writer'] }, guardrails[1]];

    expect(await planned({ guardrails: stricter })).toMatchObject({
      is_complete: true,
      changes: [
        {
          section: 'guardrails',
          workspace: 'default',
          name: 'Checkout',
          read_count: 3,
          refused_count: 3,
          undecided_count: 0,
          keys: [{ hash: having.hash, name: 'having', count: 3 }],
        },
      ],
    });
    // Nothing of it holds, and nothing is replayed that is not asked for.
    await ask([having], 1);
    const { body } = await send('plan', { guardrails: stricter });
    expect(body.data).toMatchObject({ replay: null, changes: [{ name: 'Checkout' }] });
    expect(await planned({ guardrails: [{ ...guardrails[0], description: 'Ours' }, guardrails[1]] })).toMatchObject({
      changes: [{ read_count: 4, refused_count: 0, keys: [] }],
    });
    await send('apply', { guardrails: stricter });
    expect(await gateway.ask(having, { model: 'acme/writer' })).toMatchObject({ status: 404 });
  });

  it('answers which recorded requests a changed limit would have refused, and leaves new and concurrent ones out', async () => {
    const key = await gateway.app.factory.key(organization, { name: 'ci' });
    const concurrent = { name: 'Open', measure: 'concurrent', amount: 10 };
    await send('apply', { limits: [{ ...LIMIT, amount: 100 }, concurrent] });
    await ask([key], 7);
    const lists = {
      limits: [
        { ...LIMIT, amount: 2 },
        { ...concurrent, amount: 1 },
        { ...LIMIT, name: 'New', amount: 1 },
      ],
    };
    // Ada's four requests and Grace's three, less two each.
    expect(await planned(lists)).toMatchObject({
      changes: [
        {
          section: 'limits',
          workspace: null,
          name: 'Agents',
          read_count: 7,
          refused_count: 3,
          keys: [{ hash: key.hash, count: 3 }],
        },
      ],
    });
  });

  it('answers 400 for hours that are none, and to an application with them', async () => {
    const lists = { guardrails: [{ name: 'Checkout' }] };
    for (const hours of [0, 169, 1.5, '24h']) {
      expect((await send('plan', lists, { replay_hours: hours })).status).toBe(400);
    }
    expect((await send('apply', lists, { replay_hours: 24 })).status).toBe(400);
  });

  it('answers 403 without the permission to read what was used', async () => {
    const { body } = await gateway.app.api.post<{ key: string }>('/management-keys', {
      key: organization.managementKey,
      json: { name: 'reader', scopes: ['guardrails_read'] },
    });
    const lists = { guardrails: [{ name: 'Checkout' }] };
    expect((await send('plan', lists, {}, body.key)).status).toBe(200);
    const refused = await send('plan', lists, { replay_hours: 24 }, body.key);
    expect(refused).toMatchObject({ status: 403, body: { error: { metadata: { required: ['usage_read'] } } } });
  });
});
