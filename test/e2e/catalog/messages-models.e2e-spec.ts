import Anthropic, { BadRequestError, NotFoundError } from '@anthropic-ai/sdk';
import { Ajv } from 'ajv';
import type { MessagesModelsPage } from '../../../src/modules/catalog/dto/messages-model.dto.js';
import { keyPerTest, sharedOrganization } from '../../support/application/shared-organization.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { declaredSchemas } from '../../support/contract/declared-schemas.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { importCatalog, modelEntry } from '../../support/resources/catalog-entries.js';

/** What clients of the Messages form send with every request. */
const VERSION = { 'anthropic-version': '2023-06-01' };

const NAMES = ['acme/one', 'acme/two', 'acme/three', 'acme/four', 'acme/five'];

const PAINTS = {
  architecture: { modality: 'text->image', input_modalities: ['text'], output_modalities: ['image'] },
};

const NEWEST_FIRST = NAMES.toReversed();

const { ModelInfo } = declaredSchemas({ folder: '@anthropic-ai/sdk/resources', files: ['models.d.ts'] }, ['ModelInfo']);
const isModelInfo = new Ajv({ allErrors: true, strict: false }).compile(ModelInfo);

describe('models in the Messages form', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);
  const key = keyPerTest(app, organization);

  beforeAll(() =>
    importCatalog(app, {
      models: [
        ...NAMES.map((id, index) => modelEntry(id, { created: 1_767_312_000 + index })),
        modelEntry('acme/painter', { ...PAINTS, created: 1, expiration_date: '2027-03-01' }),
      ],
    }),
  );

  const client = (credential: { apiKey: string | null; authToken: string | null }): Anthropic =>
    new Anthropic({ ...credential, baseURL: `${app.origin}/api`, maxRetries: 0 });
  const byKey = (): Anthropic => client({ apiKey: key.plaintext, authToken: null });

  const get = <Body = MessagesModelsPage>(path: string, headers: Record<string, string> = VERSION) =>
    app.api.get<Body>(path, { key: key.plaintext, headers });

  it.each(['apiKey', 'authToken'] as const)(
    'are listed with 200 to its library, with the key as its %s',
    async (kind) => {
      const credential = { apiKey: null, authToken: null, [kind]: key.plaintext };
      const { data: page, response } = await client(credential).models.list().withResponse();

      expect(response.status).toBe(200);
      expect(page.data.map(({ id }) => id)).toEqual(NEWEST_FIRST);
      for (const model of page.data) expect([isModelInfo(model), isModelInfo.errors]).toEqual([true, null]);
      expect([page.first_id, page.last_id, page.has_more]).toEqual(['acme/five', 'acme/one', false]);
    },
  );

  it('are read by its library page by page, forwards and backwards', async () => {
    const read = async (params: Anthropic.ModelListParams): Promise<string[]> => {
      const ids: string[] = [];
      for await (const { id } of byKey().models.list(params)) ids.push(id);
      return ids;
    };

    expect(await read({ limit: 2 })).toEqual(NEWEST_FIRST);
    expect(await read({ limit: 2, after_id: 'acme/four' })).toEqual(['acme/three', 'acme/two', 'acme/one']);
    expect(await read({ limit: 2, before_id: 'acme/two' })).toEqual(['acme/four', 'acme/three', 'acme/five']);
  });

  it('are shown one by one with 200 to its library, and missing with its own error for 404', async () => {
    const shown = {
      type: 'model',
      id: 'acme/one',
      display_name: expect.any(String) as string,
      created_at: '2026-01-02T00:00:00.000Z',
      lifecycle: 'active',
      deprecated_at: null,
      retires_at: null,
      line: null,
      capabilities: null,
      max_input_tokens: expect.any(Number) as number,
      max_tokens: null,
    };
    for (const name of ['acme/one', 'one', 'ACME/one']) {
      const { data, response } = await byKey().models.retrieve(name).withResponse();
      expect(response.status).toBe(200);
      expect(data).toMatchObject(shown);
      expect([isModelInfo(data), isModelInfo.errors]).toEqual([true, null]);
    }
    expect((await get<object>('/models/acme/one')).body).toEqual(shown);
    await expect(byKey().models.retrieve('acme/nothing')).rejects.toBeInstanceOf(NotFoundError);
  });

  it('say when a model is withdrawn, with 200', async () => {
    const { status, body } = await get('/models?output_modalities=image');

    expect(status).toBe(200);
    expect(body.data[0]).toMatchObject({ lifecycle: 'deprecated', retires_at: '2027-03-01T00:00:00.000Z' });
  });

  it.each([
    ['limit=2', ['acme/five', 'acme/four'], true],
    ['limit=1000', NEWEST_FIRST, false],
    ['limit=1&after_id=acme/two', ['acme/one'], false],
    ['after_id=acme/one', [], false],
    ['limit=1&before_id=acme/four', ['acme/five'], false],
    ['before_id=acme/five', [], false],
    ['after_id=acme/five&before_id=acme/two&limit=1', ['acme/four'], true],
    ['sort=pricing-low-to-high&q=acme%2Fone&beta=true', ['acme/one'], false],
    ['max_age_days=36500&limit=1', ['acme/five'], true],
    ['output_modalities=image', ['acme/painter'], false],
  ])('are with 200 and %s the page %j, and whether there are more: %s', async (query, ids, more) => {
    const { status, body } = await get(`/models?${query}`);
    const shown = body.data.map(({ id }) => id);

    expect(status).toBe(200);
    expect({ shown, more: body.has_more }).toEqual({ shown: ids, more });
    expect([body.first_id, body.last_id]).toEqual([body.data[0]?.id ?? null, body.data.at(-1)?.id ?? null]);
  });

  it('are refused with 400 behind or in front of a model that is not in the list', async () => {
    await expect(byKey().models.list({ after_id: 'acme/nothing' })).rejects.toBeInstanceOf(BadRequestError);
    const refusal = await get('/models?before_id=acme/painter');
    expectRefusal(refusal, {
      status: 400,
      reason: 'unknown_model',
      paths: ['before_id'],
      userId: organization.userId,
    });
    expect((await get('/models?limit=1001')).status).toBe(400);
  });

  it('are those of the other form with 200 without the header, where places are a 400 and X-Api-Key no credential', async () => {
    const { status, body } = await get<{ object: string }>('/models', {});
    const place = await get('/models?after_id=acme/one', {});
    const unauthenticated = await app.api.get('/models', { headers: { 'x-api-key': key.plaintext } });

    expect([status, body.object]).toEqual([200, 'list']);
    expect([place.status, unauthenticated.status]).toEqual([400, 401]);
  });
});
