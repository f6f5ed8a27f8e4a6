import { destinationState } from '../../support/resources/destinations.js';
import { someMalformedBodies, MEDIUM_BODY } from '../../support/requests/malformed-bodies.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { destinationCreation, WEBHOOK, ASTRAL, PATH } from './destination-creation.js';

describe('createObservabilityDestination', () => {
  const { app, organization, expectRefused } = destinationCreation();

  it.each([
    [{}, ['type', 'name', 'config']],
    [{ type: null, name: null, config: null }, ['type', 'name', 'config']],
    [{ ...WEBHOOK, type: 'Webhook' }, ['type']],
    [{ ...WEBHOOK, type: 'slack', name: '' }, ['type', 'name']],
    [{ ...WEBHOOK, type: ['webhook'] }, ['type']],
    [{ ...WEBHOOK, type: '__proto__', config: [] }, ['type', 'config']],
    [{ ...WEBHOOK, name: ASTRAL.repeat(201) }, ['name']],
    [{ ...WEBHOOK, config: 'x' }, ['config']],
    [{ ...WEBHOOK, config: [] }, ['config']],
    [{ ...WEBHOOK, sampling_rate: 1.001 }, ['sampling_rate']],
    [{ ...WEBHOOK, sampling_rate: -0.001 }, ['sampling_rate']],
    [{ ...WEBHOOK, sampling_rate: '1', enabled: 1, privacy_mode: null }, ['sampling_rate', 'enabled', 'privacy_mode']],
    [{ ...WEBHOOK, api_key_hashes: [] }, ['api_key_hashes']],
    [{ ...WEBHOOK, api_key_hashes: Array.from({ length: 1_001 }, () => '0') }, ['api_key_hashes']],
    [{ ...WEBHOOK, api_key_hashes: [1, null] }, ['api_key_hashes[0]', 'api_key_hashes[1]']],
    [{ ...WEBHOOK, regions: [] }, ['regions']],
    [{ ...WEBHOOK, regions: null }, ['regions']],
    [{ ...WEBHOOK, regions: 'us' }, ['regions']],
    [{ ...WEBHOOK, regions: ['EU', 'asia', null] }, ['regions[0]', 'regions[1]', 'regions[2]']],
    [{ ...WEBHOOK, workspace_id: 'default' }, ['workspace_id']],
    [{ ...WEBHOOK, workspace_id: null }, ['workspace_id']],
    [{ ...WEBHOOK, filter_rules: {} }, ['filter_rules.groups']],
    [
      { ...WEBHOOK, filter_rules: { groups: [{ logic: 'xor', rules: [{ field: 'x', operator: '=', value: [] }] }] } },
      [
        'filter_rules.groups[0].logic',
        ...['field', 'operator', 'value'].map((name) => `filter_rules.groups[0].rules[0].${name}`),
      ],
    ],
    [
      { ...WEBHOOK, filter_rules: { groups: [{ rules: [{}], surprise: 1 }] } },
      [
        'filter_rules.groups[0].surprise',
        ...['field', 'operator'].map((name) => `filter_rules.groups[0].rules[0].${name}`),
      ],
    ],
    // What only answers have, and what the columns are called.
    [
      {
        ...WEBHOOK,
        id: UNKNOWN_UUID,
        organization_id: 'org_x',
        created_at: '2026-01-01T00:00:00.000Z',
        updated_at: '2026-01-01T00:00:00.000Z',
        encrypted_config: 'x',
      },
      ['id', 'organization_id', 'created_at', 'updated_at', 'encrypted_config'],
    ],
    // Faults of all kinds in one request.
    [
      {
        type: 'langfuse',
        name: '',
        enabled: 'yes',
        config: { publicKey: '', secretKey: 7, surprise: 'x', headers: { 'a b': 'x', c: 1 } },
        sampling_rate: 2,
      },
      [
        ...['name', 'enabled', 'sampling_rate', 'config.publicKey', 'config.secretKey', 'config.surprise'],
        ...['config.headers.a b', 'config.headers.c'],
      ],
    ],
  ])('answers 400 for %j, and names every issue', (json, paths) => expectRefused(json, 'invalid_parameters', ...paths));

  it.each([
    [{ headers: 'x' }, ['config.headers']],
    [{ headers: null }, ['config.headers']],
    [{ headers: [] }, ['config.headers']],
    [{ headers: { a: null, b: ['x'] } }, ['config.headers.a', 'config.headers.b']],
    [{ headers: { '': 'x' } }, ['config.headers.']],
    [{ headers: { 'a:': 'x' } }, ['config.headers.a:']],
    [{ headers: { 'a\r\nb': 'x' } }, ['config.headers.a\r\nb']],
    [{ headers: { a: 'x', A: 'y' } }, ['config.headers.A']],
    [{ headers: { a: 'x\r\nHost: evil' } }, ['config.headers.a']],
    [{ headers: { a: 'x\u007f' } }, ['config.headers.a']],
  ])('answers 400 for %j', (settings, paths) =>
    expectRefused({ ...WEBHOOK, config: { ...WEBHOOK.config, ...settings } }, 'invalid_parameters', ...paths),
  );

  it('answers 400 for a query', async () => {
    const answer = await app.api.post(`${PATH}?dry_run=true`, { key: organization.managementKey, json: WEBHOOK });

    const invalid = { status: 400, reason: 'invalid_parameters', paths: ['dry_run'], userId: organization.userId };
    expectRefusal(answer, invalid);
  });

  it.each(someMalformedBodies(WEBHOOK, MEDIUM_BODY))(
    'answers 400, 413 or 415 for %s',
    async (_name, request, refusal) => {
      const before = await destinationState(app);
      const answer = await app.api.post(PATH, { key: organization.managementKey, ...request });
      expectRefusal(answer, { ...refusal, userId: organization.userId });
      expect(await destinationState(app)).toEqual(before);
    },
  );
});
