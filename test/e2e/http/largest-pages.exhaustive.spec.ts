import { DESTINATION_TYPES } from '../../../src/modules/observability/destination-settings.js';
import { DESTINATIONS_PAGE } from '../../../src/modules/observability/observability.repository.js';
import { DESTINATION_SAMPLES } from '../../support/resources/destination-samples.js';
import {
  largestClient,
  largestDestination,
  largestGuardrail,
  largestInference,
  largestWorkspace,
} from './largest-bodies.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

/** How many destinations of each type a workspace may have. */
const DESTINATIONS_OF_A_TYPE = 5;

/** How many requests ask for the same page at the same time. */
const AT_ONCE = 3;

describe('the largest page of a list', () => {
  const app = sharedApplication({ variables: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
  const organization = organizationPerTest(app);

  beforeAll(() => app.factory.starterCatalog());

  const create = async (path: string, json: unknown): Promise<void> => {
    expect([200, 201]).toContain((await app.api.post(path, { key: organization.managementKey, json })).status);
  };

  /** Copies the newest row of the organization until there are so many. @param changes what is different in copy number $2 */
  const copy = async (table: string, count: number, changes: Readonly<Record<string, string>>): Promise<void> => {
    const columns = await app.rows<{ name: string }>(
      `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
      [table],
    );
    const values = columns.map(({ name }) => changes[name] ?? `"${name}"`);
    for (let number = 1; number < count; number += 1) {
      await app.rows(
        `INSERT INTO ${table} (${columns.map(({ name }) => `"${name}"`).join(', ')})
         SELECT ${values.join(', ')} FROM ${table} WHERE organization_id = $1 AND $2::integer > 0 ORDER BY created_at DESC LIMIT 1`,
        [organization.organizationId, number],
      );
    }
  };

  const COPY = { id: 'gen_random_uuid()', created_at: "created_at + interval '1 millisecond'" };

  const modelNames = async (): Promise<string[]> => {
    const rows = await app.rows<{ id: string }>('SELECT DISTINCT canonical_slug AS id FROM models');
    const variants = ['', ':free', ':extended', ':thinking', ':online', ':nitro', ':floor', ':beta', ':batch'];
    return rows.flatMap(({ id }) => variants.map((variant) => `${id}${variant}`)).slice(0, 1_000);
  };

  const LISTS: readonly [list: string, path: string, count: number, fill: () => Promise<void>][] = [
    [
      'guardrails',
      '/guardrails',
      100,
      async (): Promise<void> => {
        await create('/guardrails', largestGuardrail(await modelNames()));
        await copy('guardrails', 100, COPY);
      },
    ],
    [
      'preset versions',
      '/presets/bot/versions',
      100,
      async (): Promise<void> => {
        await create('/presets/bot/chat/completions', largestInference());
        await copy('preset_versions', 100, { ...COPY, version: 'version + 1' });
      },
    ],
    [
      'workspaces',
      '/workspaces',
      100,
      async (): Promise<void> => {
        await create('/workspaces', largestWorkspace('large'));
        const changes = { slug: "'large-' || $2", default_guardrail_id: 'gen_random_uuid()' };
        await copy('workspaces', 99, { ...COPY, ...changes });
      },
    ],
    [
      'Connect clients',
      '/connect/clients',
      100,
      async (): Promise<void> => {
        await create('/connect/clients', largestClient());
        await copy('connect_clients', 100, { ...COPY, secret_hash: 'sha256(uuid_send(gen_random_uuid()))' });
      },
    ],
    [
      'destinations',
      '/observability/destinations',
      DESTINATION_TYPES.length * DESTINATIONS_OF_A_TYPE,
      async (): Promise<void> => {
        const { filter_rules } = largestDestination();
        const keys = await app.rows<{ hash: string }>(
          `INSERT INTO api_keys (id, kind, organization_id, hash, name, label, user_id, created_at, disabled)
           SELECT gen_random_uuid(), 'api_key', $1, sha256(uuid_send(gen_random_uuid())), 'Key', 'label', $2, now(), false
           FROM generate_series(1, 500) RETURNING encode(hash, 'hex') AS hash`,
          [organization.organizationId, organization.userId],
        );
        const api_key_hashes = keys.map(({ hash }) => hash);
        for (const type of DESTINATION_TYPES) {
          const sample = DESTINATION_SAMPLES[type].config;
          const room = 16_384 - JSON.stringify({ ...sample, headers: { a: '' } }).length;
          const config = { ...sample, headers: { a: 'x'.repeat(room) } };
          for (let number = 0; number < DESTINATIONS_OF_A_TYPE; number += 1) {
            const settings = { name: `${type} ${number}`, type, config, filter_rules, api_key_hashes };
            await create('/observability/destinations', settings);
          }
        }
      },
    ],
  ];

  it.each(LISTS)('is answered 200 with all %s, also for several requests at once', async (_, path, count, fill) => {
    await fill();
    const page = (): Promise<Response> =>
      fetch(`${app.origin}/api/v1${path}?limit=100`, {
        headers: { authorization: `Bearer ${organization.managementKey}` },
      });

    const answers = await Promise.all(Array.from({ length: AT_ONCE }, page));

    expect(answers.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(200));
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(answers.map(({ headers }) => headers.get('content-length'))).toEqual(
      texts.map((text) => String(Buffer.byteLength(text))),
    );
    const { data, total_count } = JSON.parse(texts[0]!) as { data: { id: string }[]; total_count: number };
    expect([data.length, new Set(data.map(({ id }) => id)).size, total_count]).toEqual([count, count, count]);
    expect(new Set(texts).size).toBe(1);
  });

  it('has the same destinations (200) as single reads, with only small values in the statement of the page', async () => {
    const { name, type, config, filter_rules } = largestDestination();
    await create('/observability/destinations', { name, type, config, filter_rules });
    await create('/observability/destinations', { name: 'Small', type, config: DESTINATION_SAMPLES.webhook.config });

    const { body } = await app.api.get<{ data: { id: string }[] }>('/observability/destinations', {
      key: organization.managementKey,
    });

    expect(body.data).toHaveLength(2);
    for (const destination of body.data) {
      const one = await app.api.get<object>(`/observability/destinations/${destination.id}`, {
        key: organization.managementKey,
      });
      expect(one.body).toEqual({ data: destination });
    }
    const page = await app.rows<{ name: string; isLarge: boolean; filterRules: unknown; encryptedConfig: unknown }>(
      DESTINATIONS_PAGE.text,
      [organization.organizationId, null, 100, 0],
    );
    expect(page.map(({ isLarge, filterRules, encryptedConfig }) => [isLarge, filterRules, encryptedConfig])).toEqual([
      [true, null, null],
      [false, null, expect.any(Buffer)],
    ]);
  });

  it('has the same guardrails (200) as single reads', async () => {
    await create('/guardrails', { name: 'Small', content_filters: [{ pattern: 'x', action: 'flag', label: null }] });
    await create('/guardrails', largestGuardrail(await modelNames()));
    await create('/guardrails', { name: 'Without filters' });

    const { body } = await app.api.get<{ data: { id: string }[] }>('/guardrails', { key: organization.managementKey });

    expect(body.data).toHaveLength(3);
    for (const guardrail of body.data) {
      expect(
        (await app.api.get<object>(`/guardrails/${guardrail.id}`, { key: organization.managementKey })).body,
      ).toEqual({ data: guardrail });
    }
  });

  it('is answered 429 with Retry-After beyond 64 pages of large objects of one organization at once', async () => {
    await create('/guardrails', largestGuardrail(await modelNames()));
    const page = (): Promise<Response> =>
      fetch(`${app.origin}/api/v1/guardrails`, { headers: { authorization: `Bearer ${organization.managementKey}` } });

    const answers = await Promise.all(Array.from({ length: 80 }, page));

    const statuses = answers.map(({ status }) => status);
    await Promise.all(answers.map((answer) => answer.text()));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(65);
    for (const refused of answers.filter(({ status }) => status !== 200)) {
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    }
  });
});
