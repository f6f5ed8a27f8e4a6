import type { ModelResponse } from '../../../src/modules/catalog/dto/model.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { imageModelEntry, importCatalog, modelEntry } from '../../support/resources/catalog-entries.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { TestApplication } from '../../support/application/test-application.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

const VARIANTS = ['free', 'extended', 'thinking', 'online', 'nitro', 'floor', 'beta', 'batch'];

/** A model with every fact that a model can have. */
const FULL = modelEntry('acme/full', {
  canonical_slug: 'acme/full-20260102',
  hugging_face_id: 'Acme/Full',
  context_length: 1_000_000,
  architecture: {
    modality: 'text+image->text',
    input_modalities: ['text', 'image', 'file', 'audio', 'video'],
    output_modalities: ['text', 'speech'],
    tokenizer: 'GPT',
    instruct_type: 'chatml',
  },
  pricing: {
    prompt: '0.00000125',
    completion: '-1',
    request: '0',
    image: '0.001',
    discount: 0.5,
    overrides: [{ min_prompt_tokens: 200000, prompt: '0.0000025' }],
  },
  top_provider: { context_length: 400000, max_completion_tokens: null, is_moderated: true },
  per_request_limits: { prompt_tokens: 1000, completion_tokens: 100 },
  supported_parameters: ['tools', 'reasoning', 'max_tokens'],
  default_parameters: { temperature: 0.7, top_p: null, top_k: 40 },
  supported_voices: ['alloy', 'nova'],
  reasoning: {
    mandatory: true,
    default_enabled: true,
    default_effort: 'medium',
    supported_efforts: ['high', 'medium', null],
    supports_max_tokens: false,
  },
  knowledge_cutoff: '2026-01-31',
  expiration_date: '2027-01-01',
});

const MODELS = [
  FULL,
  modelEntry('acme/plain'),
  modelEntry('acme/duo', { canonical_slug: 'acme/duo-2026', name: 'Duo' }),
  modelEntry('acme/duo:free', { canonical_slug: 'acme/duo-2026', name: 'Duo (free)' }),
  modelEntry('acme/only:free', { canonical_slug: 'acme/only-2026' }),
  modelEntry('Acme/MixedCase-V1', { canonical_slug: 'Acme/MixedCase-V1-2026' }),
];

const ALIASES = [
  { alias: 'acme/latest', model: 'acme/duo' },
  { alias: 'acme/Newest', model: 'acme/plain' },
];

describe('getModel', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);

  beforeAll(() =>
    importCatalog(app, {
      models: MODELS,
      aliases: ALIASES,
      image_models: [imageModelEntry('acme/painter', [{ seed: { type: 'boolean' } }])],
    }),
  );

  const get = (name: string): Promise<Answer<ModelResponse>> =>
    app.api.get(`/model/${name}`, { key: organization.managementKey });

  const idOf = async (name: string): Promise<string> => {
    const answer = await get(name);
    expect(answer.status).toBe(200);
    expectToFitContract('getModel', 200, answer.body);
    return answer.body.data.id;
  };

  const expectNotFound = async (name: string): Promise<void> => {
    const answer = await get(name);
    expectRefusal(answer, { status: 404, reason: 'model_not_found', userId: organization.userId });
    expectToFitContract('getModel', 404, answer.body);
  };

  it('answers 200 with every fact of a model', async () => {
    const answer = await get('acme/full');

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: { ...FULL, links: { details: '/api/v1/models/acme/full-20260102/endpoints' } },
    });
    expectToFitContract('getModel', 200, answer.body);
  });

  it('answers 200 with null for unknown facts, and without reasoning for a model that does not reason', async () => {
    const answer = await get('acme/plain');

    expect(answer.body.data).toEqual({
      ...modelEntry('acme/plain'),
      hugging_face_id: null,
      knowledge_cutoff: null,
      expiration_date: null,
      links: { details: '/api/v1/models/acme/plain-20260102/endpoints' },
    });
    expectToFitContract('getModel', 200, answer.body);
  });

  it('answers 200 for the id and for the canonical slug of a model', async () => {
    expect(await idOf('acme/full')).toBe('acme/full');
    expect(await idOf('acme/full-20260102')).toBe('acme/full');
    expect(await idOf('acme/duo-2026')).toBe('acme/duo');
    expect(await idOf('acme/duo-2026:free')).toBe('acme/duo:free');
  });

  it('answers 200 for author and slug in any case, with the id as it is stored', async () => {
    for (const name of ['ACME/Full', 'acme/FULL-20260102', 'aCmE/fUlL', 'ACME/FULL:ONLINE']) {
      expect(await idOf(name)).toBe('acme/full');
    }
    expect(await idOf('ACME/DUO:Free')).toBe('acme/duo:free');
    for (const name of ['Acme/MixedCase-V1', 'acme/mixedcase-v1', 'ACME/MIXEDCASE-V1-2026']) {
      expect(await idOf(name)).toBe('Acme/MixedCase-V1');
    }
  });

  it('answers 200 for a percent-encoded colon', async () => {
    expect(await idOf('acme/duo%3Afree')).toBe('acme/duo:free');
    expect(await idOf('%61cme/duo')).toBe('acme/duo');
  });

  describe('for an alias', () => {
    it('answers 200 with the id of the target', async () => {
      expect((await get('acme/latest')).text).toBe((await get('acme/duo')).text);
      expect(await idOf('acme/newest')).toBe('acme/plain');
      expect(await idOf('ACME/NEWEST')).toBe('acme/plain');
    });

    it('answers 200 with the requested variant of the target when it has facts of its own', async () => {
      expect(await idOf('acme/latest:free')).toBe('acme/duo:free');
      expect(await idOf('acme/latest:online')).toBe('acme/duo');
      expect(await idOf('acme/newest:free')).toBe('acme/plain');
    });

    it('answers 404 for a variant that the target does not have', async () => {
      await expectNotFound('acme/latest:cheap');
    });
  });

  describe('for a variant', () => {
    it.each(VARIANTS)(':%s answers 200 with the base model when it has no facts of its own', async (variant) => {
      expect(await idOf(`acme/plain:${variant}`)).toBe('acme/plain');
      expect((await get(`acme/full-20260102:${variant}`)).text).toBe((await get('acme/full')).text);
    });

    it('answers 200 with the facts of the variant when it has some', async () => {
      const { data } = (await get('acme/duo:free')).body;

      expect(data).toMatchObject({ id: 'acme/duo:free', canonical_slug: 'acme/duo-2026', name: 'Duo (free)' });
      expect(data.links.details).toBe('/api/v1/models/acme/duo-2026/endpoints');
      expect(await idOf('acme/duo:nitro')).toBe('acme/duo');
    });

    it('answers 200 when the catalog has the variant without its base model', async () => {
      expect(await idOf('acme/only:free')).toBe('acme/only:free');
      expect(await idOf('acme/only-2026')).toBe('acme/only:free');
      await expectNotFound('acme/only');
      await expectNotFound('acme/only:online');
    });

    it.each([
      'cheap',
      'FREEE',
      '',
      'free:free',
      'free:online',
      ':free',
      'free%20',
      'free%2Fonline',
      '__proto__',
      'constructor',
    ])(':%s answers 404', async (variant) => {
      await expectNotFound(`acme/plain:${variant}`);
      await expectNotFound(`acme/duo:${variant}`);
    });

    it('answers 404 when there is no such model', async () => {
      for (const variant of VARIANTS) await expectNotFound(`acme/nothing:${variant}`);
    });
  });

  it('answers 200 for an image model that no list of models has', async () => {
    const answer = await get('acme/painter');

    expectToFitContract('getModel', 200, answer.body);
    expect(answer.body.data).toMatchObject({
      id: 'acme/painter',
      canonical_slug: 'acme/painter',
      name: 'The image model acme/painter',
      architecture: { modality: 'text->image', input_modalities: ['text'], output_modalities: ['image'] },
      context_length: null,
    });
  });

  it.each([
    'acme/nothing',
    'nobody/full',
    'nobody/nothing',
    'acme/ful',
    'acme/full%20',
    '%20acme/full',
    'acme/full%0A',
    'acme/%25',
    'acme/_ull',
    'acme/*',
    'acme%2Ffull/x',
    'acme/full%2Fx',
    'full/acme',
    "acme/'%20OR%20true--",
    'acme:free/duo',
    `acme/${'x'.repeat(5000)}`,
    '__proto__/constructor',
    'acme/%F0%9F%99%82',
    'acme/%C4%B0',
  ])('answers 404 for %s', (name) => expectNotFound(name));

  it.each(['acme', 'acme/full/x', 'acme/full/endpoints', '/acme'])(
    'answers 404 for the path /model/%s, which is no operation',
    async (path) => {
      expectRefusal(await get(path), { status: 404, reason: 'route_not_found' });
    },
  );

  it('answers 400 for a query and for NUL in the path', async () => {
    const invalid = { status: 400, reason: 'invalid_parameters', userId: organization.userId };

    expectRefusal(await get('acme/full?limit=1'), { ...invalid, paths: ['limit'] });
    expectRefusal(await get('acme/full?a=1&b=2'), { ...invalid, paths: ['a', 'b'] });
    expectRefusal(await get('acme%00/full%00'), { ...invalid, paths: ['author', 'slug'] });
  });

  it('answers 200 with the same body to every organization', async () => {
    const other = await app.factory.organization();

    const theirs = await app.api.get('/model/acme/full', { key: other.managementKey });

    expect(theirs.text).toBe((await get('acme/full')).text);
  });

  it('answers 200 with a link below the path prefix of the deployment', async () => {
    const replica = await TestApplication.start({
      database: app.database,
      variables: { API_BASE_PATH: '/gateway/v1' },
    });

    const answer = await replica.api.get<ModelResponse>('/model/acme/duo:free', { key: organization.managementKey });

    await replica.stop();
    expect(answer.body.data.links).toEqual({ details: '/gateway/v1/models/acme/duo-2026/endpoints' });
    expect(answer.body.data).toEqual({ ...(await get('acme/duo:free')).body.data, links: answer.body.data.links });
  });

  it('answers 200 without a credential when it is listed in ANONYMOUS_OPERATIONS, 401 to an invalid one and 403 to one of the wrong kind', async () => {
    const open = await TestApplication.start({
      database: app.database,
      variables: { ANONYMOUS_OPERATIONS: 'getModel' },
    });
    const { plaintext } = await app.factory.client(organization);

    const [anonymous, wrong, client, otherOperation] = [
      await open.api.get<ModelResponse>('/model/acme/full'),
      await open.api.get('/model/acme/full', { key: 'wrong' }),
      await open.api.get('/model/acme/full', { key: plaintext }),
      await open.api.get('/images/models'),
    ];

    await open.stop();
    expect(anonymous.status).toBe(200);
    expect(anonymous.text).toBe((await get('acme/full')).text);
    expectRefusal(wrong, { status: 401, reason: 'invalid_credential' });
    expectRefusal(client, { status: 403, reason: 'credential_kind_not_allowed' });
    expectRefusal(otherOperation, { status: 401, reason: 'missing_credential' });
  });
});
