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

  it('answers which recorded requests a new guardrail would have refused, of those who are to have it by new assignments', async () => {
    const having = await gateway.app.factory.key(organization, { name: 'having' });
    const other = await gateway.app.factory.key(organization, { name: 'other' });
    const user = await gateway.app.factory.member(organization.organizationId);
    const theirs = await gateway.app.factory.key({ ...organization, userId: user }, { name: 'theirs' });
    const [member] = await gateway.app.rows<{ email: string }>('SELECT email FROM users WHERE id = $1', [user]);
    await ask([having, other, theirs], 2);
    const strict = { ignored_models: ['acme/writer'] };
    const refused = { read_count: 2, refused_count: 2, undecided_count: 0, not_tried: [] };
    const guardrails = [
      { name: 'Of a key', assigned_keys: ['having'], ...strict },
      { name: 'Of a member', assigned_members: [member!.email], ...strict },
      { name: 'Of nobody', ...strict },
      { name: 'Of a budget', assigned_keys: ['other'], limit_usd: 0, reset_interval: 'daily' },
    ];
    expect(await planned({ guardrails, default_guardrails: [{ ignored_providers: ['alpha'] }] })).toMatchObject({
      changes: [
        { name: 'Of a key', ...refused, keys: [{ hash: having.hash, count: 2 }] },
        { name: 'Of a member', ...refused, keys: [{ hash: theirs.hash, count: 2 }] },
        { name: 'Of nobody', read_count: 0, refused_count: 0 },
        { name: 'Of a budget', ...refused, keys: [{ hash: other.hash, count: 2 }] },
        // Beta answers in its place.
        { section: 'default_guardrails', read_count: 6, refused_count: 0, excluded_count: 6 },
      ],
    });
    // An assignment that goes is no more counted.
    await send('apply', { guardrails });
    expect(await planned({ guardrails: [{ ...guardrails[0], assigned_keys: [] }] })).toMatchObject({
      changes: [{ name: 'Of a key', read_count: 0, refused_count: 0 }],
    });
  });

  it('answers what content filters would have done to logged requests, and on how many they and inspectors were not tried', async () => {
    const key = await gateway.app.factory.key(organization, { name: 'ci' });
    const say = (content: string): Promise<unknown> =>
      gateway.ask(key, { model: 'acme/writer', messages: [{ role: 'user', content }] });
    await say('jane.doe@example.com asks without a log');
    await gateway.app.api.patch(`/workspaces/${organization.workspaceId}`, {
      key: organization.managementKey,
      json: { is_observability_io_logging_enabled: true, io_logging_sampling_rate: 1 },
    });
    await say('Write to jane.doe@example.com today');
    await say('What is new?');
    const inspectors = [{ name: 'Guard', url: 'https://guard.example.com' }];
    const email = (action: string, places: string[]): object => ({
      content_filter_builtins: [{ slug: 'email', action, applies_to: places }],
    });
    const guardrails = [
      { name: 'Blocks', assigned_keys: ['ci'], ...email('block', ['request']) },
      { name: 'Redacts', assigned_keys: ['ci'], ...email('redact', ['request', 'response']), inspectors: ['Guard'] },
    ];
    const unlogged = 'Its content filters were not tried on 1 requests: what was in them is not logged.';
    // Of the two guardrails of one key the last one stays.
    expect(await planned({ inspectors, guardrails: [guardrails[0]] })).toMatchObject({
      changes: [
        { section: 'inspectors', name: 'Guard', read_count: 0 },
        { name: 'Blocks', read_count: 3, refused_count: 1, not_tried: [unlogged] },
      ],
    });
    expect(await planned({ inspectors, guardrails: [guardrails[1]] })).toMatchObject({
      changes: [
        {
          section: 'inspectors',
          read_count: 3,
          not_tried: ['It was not tried on 3 requests: that asks its server.'],
        },
        {
          name: 'Redacts',
          read_count: 3,
          refused_count: 0,
          redacted_count: 1,
          not_tried: [
            unlogged,
            'Its content filters of answers were not tried on 3 requests: answers are not replayed.',
            'Its inspectors were not tried on 3 requests: that asks their servers.',
          ],
        },
      ],
    });
    const events = await gateway.app.rows<{ changes: object }>(
      `SELECT changes FROM audit_events WHERE organization_id = $1 AND action = 'replay.read_contents'`,
      [organization.organizationId],
    );
    expect(events.map(({ changes }) => changes)).toEqual([{ contents: { after: 2 } }, { contents: { after: 2 } }]);

    // An inspector that changes is told of, too, by those whose guardrails name it.
    await send('apply', { inspectors, guardrails: [guardrails[1]] });
    expect(await planned({ inspectors: [{ ...inspectors[0], mode: 'observe' }] })).toMatchObject({
      changes: [{ section: 'inspectors', read_count: 3, not_tried: [expect.stringContaining('3 requests')] }],
    });

    const scopes = ['guardrails_read', 'keys_read', 'usage_read'];
    const { body } = await gateway.app.api.post<{ key: string }>('/management-keys', {
      key: organization.managementKey,
      json: { name: 'reader', scopes },
    });
    const blind = await send('plan', { guardrails: [guardrails[0]] }, { replay_hours: 24 }, body.key);
    expect(blind.body.data.replay).toMatchObject({
      changes: [
        {
          refused_count: 0,
          not_tried: ['Its content filters were not tried on 3 requests: that takes content_read.'],
        },
      ],
    });
  });

  it('answers which recorded requests new and changed limits would have refused, and on how many one of concurrent ones was not tried', async () => {
    const key = await gateway.app.factory.key(organization, { name: 'ci' });
    const concurrent = { name: 'Open', measure: 'concurrent', amount: 10 };
    await send('apply', { limits: [{ ...LIMIT, amount: 100 }, concurrent] });
    await ask([key], 7);
    const lists = {
      keys: [{ name: 'made by the plan' }],
      limits: [
        { ...LIMIT, amount: 2 },
        { ...concurrent, amount: 1 },
        {
          ...LIMIT,
          name: 'New',
          amount: 1,
          conditions: [{ key: 'api_key', values: '*', excludes: ['made by the plan'] }],
        },
        { ...LIMIT, name: 'Of candidates', group_by: ['provider'], amount: 5 },
      ],
    };
    const ofKey = (count: number): object => ({ read_count: 7, keys: [{ hash: key.hash, count }] });
    expect(await planned(lists)).toMatchObject({
      changes: [
        // Ada's four requests and Grace's three, less two each.
        { section: 'limits', workspace: null, name: 'Agents', refused_count: 3, ...ofKey(3) },
        {
          name: 'Open',
          read_count: 7,
          refused_count: 0,
          not_tried: ['It was not tried on 7 requests: records do not say which were answered at the same time.'],
        },
        { name: 'New', refused_count: 5, ...ofKey(5) },
        { name: 'Of candidates', read_count: 7, refused_count: 0, excluded_count: 2 },
      ],
    });
  });

  it('answers which recorded requests a limit would have refused with other exceptions', async () => {
    const key = await gateway.app.factory.key(organization, { name: 'ci' });
    const limit = { ...LIMIT, amount: 50, exceptions: [{ values: { user: 'grace' }, amount: 60 }] };
    await send('apply', { limits: [limit] });
    await ask([key], 7);
    const refusing = async (fields: object): Promise<unknown> =>
      (await planned({ limits: [{ ...limit, ...fields }] }))!.changes;
    // All but Ada's first, and then all of Grace's.
    expect(await refusing({ exceptions: [{ values: { user: 'ada' }, amount: 1 }] })).toMatchObject([
      { name: 'Agents', read_count: 7, refused_count: 3 },
    ]);
    expect(await refusing({ exceptions: [{ values: { user: 'grace' }, amount: 0 }] })).toMatchObject([
      { read_count: 7, refused_count: 3 },
    ]);
    // Those that stay apply: only Ada's count then.
    expect(await refusing({ amount: 0 })).toMatchObject([{ read_count: 7, refused_count: 4 }]);
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
