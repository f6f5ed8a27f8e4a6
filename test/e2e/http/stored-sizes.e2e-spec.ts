import type { Answer } from '../../support/network/api-client.js';
import {
  ASTRAL,
  largestClient,
  largestDestination,
  largestFilters,
  largestGuardrail,
  largestInference,
  largestWorkspace,
} from './largest-bodies.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

describe('the size of stored objects', () => {
  const app = sharedApplication({ variables: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
  const organization = organizationPerTest(app);

  beforeAll(() => app.factory.starterCatalog());

  const post = (path: string, json: unknown): Promise<Answer<{ data: { id: string } }>> =>
    app.api.post(path, { key: organization.managementKey, json });

  const expectTooLarge = (answer: Answer, reason: string, path: string, bound: number): void => {
    expectRefusal(answer, { status: 400, reason, paths: [path], userId: organization.userId });
    const { error } = answer.body as { error: { metadata: { issues: { message: string }[] } } };
    expect(error.metadata.issues[0]!.message).toContain(String(bound));
  };

  const counts = (): Promise<unknown> =>
    app.rows(
      `SELECT (SELECT count(*) FROM guardrails) AS guardrails, (SELECT count(*) FROM presets) AS presets,
         (SELECT count(*) FROM connect_clients) AS clients, (SELECT count(*) FROM workspaces) AS workspaces,
         (SELECT count(*) FROM observability_destinations) AS destinations`,
    );

  const guardrail = (fields: object): object => ({ name: 'Large', ...fields });
  const { config, filter_rules: filterRules, ...destination } = largestDestination();

  it.each<[what: string, path: string, largest: () => object]>([
    ['a guardrail', '/guardrails', (): object => largestGuardrail(['openai/gpt-latest'])],
    [
      'a guardrail of a thousand filters',
      '/guardrails',
      (): object => guardrail({ content_filters: Array(1_000).fill({ pattern: 'x'.repeat(131), action: 'flag' }) }),
    ],
    ['a preset', '/presets/bot/chat/completions', largestInference],
    ['a workspace', '/workspaces', (): object => largestWorkspace('large')],
    ['a Connect client', '/connect/clients', largestClient],
    ['a destination', '/observability/destinations', largestDestination],
  ])('may be the largest one (200 or 201) for %s', async (_, path, largest) => {
    expect([200, 201]).toContain((await post(path, largest())).status);
  });

  it.each<[what: string, path: string, tooLarge: () => object, reason: string, field: string, bound: number]>([
    [
      'filters beyond a thousand',
      '/guardrails',
      (): object => guardrail({ content_filters: Array(1_001).fill({ pattern: 'x', action: 'flag' }) }),
      'invalid_parameters',
      'content_filters',
      1_000,
    ],
    [
      'a character of filters too many',
      '/guardrails',
      (): object => guardrail({ content_filters: [...largestFilters(), { pattern: '.', action: 'flag' }] }),
      'field_too_large',
      'content_filters',
      131_072,
    ],
    ...['allowed_models', 'ignored_models', 'allowed_providers', 'ignored_providers'].map(
      (list): [string, string, () => object, string, string, number] => [
        `entries of ${list} beyond a thousand`,
        '/guardrails',
        (): object => guardrail({ [list]: Array(1_001).fill('openai/gpt-latest') }),
        'invalid_parameters',
        list,
        1_000,
      ],
    ),
    [
      'a byte of configuration too many in a preset',
      '/presets/bot/chat/completions',
      (): object => ({ ...largestInference(), n: 1 }),
      'field_too_large',
      '',
      262_144,
    ],
    [
      'a system prompt too long in a preset',
      '/presets/bot/chat/completions',
      (): object => ({ messages: [{ role: 'system', content: ASTRAL.repeat(70_000) }] }),
      'field_too_large',
      '',
      262_144,
    ],
    ...['default_text_model', 'default_image_model', 'default_provider_sort'].map(
      (field): [string, string, () => object, string, string, number] => [
        `${field} too long`,
        '/workspaces',
        (): object => ({ ...largestWorkspace('large'), [field]: ASTRAL.repeat(257) }),
        'invalid_parameters',
        field,
        256,
      ],
    ),
    [
      'a number of a key too many',
      '/workspaces',
      (): object => ({ ...largestWorkspace('large'), io_logging_api_key_ids: Array(1_001).fill(1) }),
      'invalid_parameters',
      'io_logging_api_key_ids',
      1_000,
    ],
    [
      'callback URLs too long together',
      '/connect/clients',
      (): object => ({ name: 'x', callback_urls: [...largestClient().callback_urls, 'https://a.example.com'] }),
      'field_too_large',
      'callback_urls',
      32_768,
    ],
    [
      'a byte of rules too many in a destination',
      '/observability/destinations',
      (): object => ({ ...destination, config, filter_rules: { ...filterRules, enabled: true } }),
      'field_too_large',
      'filter_rules',
      16_384,
    ],
    [
      'a byte of settings too many in a destination',
      '/observability/destinations',
      (): object => ({ ...destination, config: { ...config, headers: { a: `${config.headers.a}x` } } }),
      'field_too_large',
      'config',
      16_384,
    ],
    [
      'a key too many in a destination',
      '/observability/destinations',
      (): object => ({ ...destination, config, api_key_hashes: Array(501).fill('a'.repeat(64)) }),
      'invalid_parameters',
      'api_key_hashes',
      500,
    ],
  ])('is limited: 400 with the limit, and nothing stored, for %s', async (_, path, tooLarge, reason, field, bound) => {
    const before = await counts();

    expectTooLarge(await post(path, tooLarge()), reason, field, bound);
    expect(await counts()).toEqual(before);
  });

  it('is limited: 400 for a PATCH of a guardrail whose filters are too large', async () => {
    const { id } = await app.factory.guardrail(organization);
    const json = { content_filters: [...largestFilters(), { pattern: '.', action: 'flag' }] };

    const answer = await app.api.patch(`/guardrails/${id}`, { key: organization.managementKey, json });

    expectTooLarge(answer, 'field_too_large', 'content_filters', 131_072);
    expect(await app.rows('SELECT content_filters FROM guardrails WHERE id = $1', [id])).toEqual([
      { content_filters: null },
    ]);
  });

  it('is limited: 400 for a PATCH whose result is a configuration that is too large, and 200 for a smaller one', async () => {
    const half = 'x'.repeat(10_000);
    const created = await post('/observability/destinations', {
      name: 'Large',
      type: 'langfuse',
      config: { publicKey: 'public', secretKey: half },
    });
    const path = `/observability/destinations/${created.body.data.id}`;

    const answer = await app.api.patch(path, {
      key: organization.managementKey,
      json: { config: { publicKey: half } },
    });

    expectTooLarge(answer, 'field_too_large', 'config', 16_384);
    expect(
      (
        await app.api.patch(path, {
          key: organization.managementKey,
          json: { config: { publicKey: 'x'.repeat(5_000) } },
        })
      ).status,
    ).toBe(200);
  });

  it('may exceed the limit in rows of an earlier release: 200 for reading and for other changes', async () => {
    const { id } = await app.factory.guardrail(organization);
    const filters = Array.from({ length: 5_000 }, (_, index) => ({ pattern: `word-${index}`, action: 'flag' }));
    await app.rows('UPDATE guardrails SET content_filters = $2 WHERE id = $1', [id, JSON.stringify(filters)]);

    const read = await app.api.get<{ data: object }>(`/guardrails/${id}`, { key: organization.managementKey });
    expect(read.status).toBe(200);
    expect(read.body.data).toMatchObject({ content_filters: filters });
    const changed = await app.api.patch<{ data: object }>(`/guardrails/${id}`, {
      key: organization.managementKey,
      json: { name: 'New' },
    });
    expect(changed.status).toBe(200);
    expect(changed.body.data).toMatchObject({ name: 'New', content_filters: filters });
  });
});
