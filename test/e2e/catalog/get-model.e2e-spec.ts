import type { ModelResponse } from '../../../src/modules/catalog/dto/model.dto.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { Answer } from '../../support/api-client.js';
import { imageModelEntry, importCatalog, modelEntry } from '../../support/catalog-entries.js';
import { expectToFitContract } from '../../support/contract.js';
import { expectRefusal } from '../../support/refusal.js';
import { TestApplication } from '../../support/test-application.js';
import { describeWhoMayCall } from '../../support/who-may-call.js';

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

describe('GET /model/{author}/{slug}', () => {
  let app: TestApplication;
  let organization: NewOrganization;

  beforeAll(async () => {
    app = await TestApplication.start();
    organization = await app.factory.organization();
    await importCatalog(app, {
      models: MODELS,
      aliases: ALIASES,
      image_models: [imageModelEntry('acme/painter', [{ seed: { type: 'boolean' } }])],
    });
  });

  afterAll(() => app.stop());

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

  it('answers every fact of a model', async () => {
    const answer = await get('acme/full');

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: { ...FULL, links: { details: '/api/v1/models/acme/full-20260102/endpoints' } },
    });
    expectToFitContract('getModel', 200, answer.body);
  });

  it('answers null for what is not known of a model, and leaves reasoning out where it does not reason', async () => {
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

  it('knows a model by its id, and by its canonical slug', async () => {
    expect(await idOf('acme/full')).toBe('acme/full');
    expect(await idOf('acme/full-20260102')).toBe('acme/full');
    expect(await idOf('acme/duo-2026')).toBe('acme/duo');
    expect(await idOf('acme/duo-2026:free')).toBe('acme/duo:free');
  });

  it('matches author and slug in any case, and answers the id as it is', async () => {
    for (const name of ['ACME/Full', 'acme/FULL-20260102', 'aCmE/fUlL', 'ACME/FULL:ONLINE']) {
      expect(await idOf(name)).toBe('acme/full');
    }
    expect(await idOf('ACME/DUO:Free')).toBe('acme/duo:free');
    for (const name of ['Acme/MixedCase-V1', 'acme/mixedcase-v1', 'ACME/MIXEDCASE-V1-2026']) {
      expect(await idOf(name)).toBe('Acme/MixedCase-V1');
    }
  });

  it('takes the colon percent-encoded as well', async () => {
    expect(await idOf('acme/duo%3Afree')).toBe('acme/duo:free');
    expect(await idOf('%61cme/duo')).toBe('acme/duo');
  });

  describe('aliases', () => {
    it('lead to the model that they name, whose own id is answered', async () => {
      expect((await get('acme/latest')).text).toBe((await get('acme/duo')).text);
      expect(await idOf('acme/newest')).toBe('acme/plain');
      expect(await idOf('ACME/NEWEST')).toBe('acme/plain');
    });

    it('lead to the variant that is asked for, where it has facts of its own', async () => {
      expect(await idOf('acme/latest:free')).toBe('acme/duo:free');
      expect(await idOf('acme/latest:online')).toBe('acme/duo');
      expect(await idOf('acme/newest:free')).toBe('acme/plain');
    });

    it('lead nowhere with a variant that there is not', async () => {
      await expectNotFound('acme/latest:cheap');
    });
  });

  describe('variants', () => {
    it.each(VARIANTS)(':%s is answered with the base model where it has no facts of its own', async (variant) => {
      expect(await idOf(`acme/plain:${variant}`)).toBe('acme/plain');
      expect((await get(`acme/full-20260102:${variant}`)).text).toBe((await get('acme/full')).text);
    });

    it('with facts of their own are answered with those', async () => {
      const { data } = (await get('acme/duo:free')).body;

      expect(data).toMatchObject({ id: 'acme/duo:free', canonical_slug: 'acme/duo-2026', name: 'Duo (free)' });
      expect(data.links.details).toBe('/api/v1/models/acme/duo-2026/endpoints');
      expect(await idOf('acme/duo:nitro')).toBe('acme/duo');
    });

    it('may be all that there is of a model', async () => {
      expect(await idOf('acme/only:free')).toBe('acme/only:free');
      expect(await idOf('acme/only-2026')).toBe('acme/only:free');
      await expectNotFound('acme/only');
      await expectNotFound('acme/only:online');
    });

    it.each(['cheap', 'FREEE', '', 'free:free', 'free:online', ':free', 'free%20', 'free%2Fonline', '__proto__', 'constructor'])(
      ':%s is none',
      async (variant) => {
        await expectNotFound(`acme/plain:${variant}`);
        await expectNotFound(`acme/duo:${variant}`);
      },
    );

    it('of a model that there is not lead nowhere', async () => {
      for (const variant of VARIANTS) await expectNotFound(`acme/nothing:${variant}`);
    });
  });

  it('answers an image model that no list of models has', async () => {
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
    'acme/nothing', 'nobody/full', 'nobody/nothing', 'acme/ful', 'acme/full%20', '%20acme/full', 'acme/full%0A', 'acme/%25', 'acme/_ull', 'acme/*',
    'acme%2Ffull/x', 'acme/full%2Fx', 'full/acme', "acme/'%20OR%20true--", 'acme:free/duo', `acme/${'x'.repeat(5000)}`, '__proto__/constructor',
    'acme/%F0%9F%99%82', 'acme/%C4%B0',
  ])('does not find %s', (name) => expectNotFound(name));

  it.each(['acme', 'acme/full/x', 'acme/full/endpoints', '/acme'])('has no operation at %s', async (path) => {
    expectRefusal(await get(path), { status: 404, reason: 'route_not_found' });
  });

  it('takes neither a query nor NUL', async () => {
    const invalid = { status: 400, reason: 'invalid_parameters', userId: organization.userId };

    expectRefusal(await get('acme/full?limit=1'), { ...invalid, paths: ['limit'] });
    expectRefusal(await get('acme/full?a=1&b=2'), { ...invalid, paths: ['a', 'b'] });
    expectRefusal(await get('acme%00/full%00'), { ...invalid, paths: ['author', 'slug'] });
  });

  it('is the same for every organization', async () => {
    const other = await app.factory.organization();

    const theirs = await app.api.get('/model/acme/full', { key: other.managementKey });

    expect(theirs.text).toBe((await get('acme/full')).text);
  });

  it('carries the prefix of the deployment in its link', async () => {
    const replica = await TestApplication.start({ database: app.database, variables: { API_BASE_PATH: '/gateway/v1' } });

    const answer = await replica.api.get<ModelResponse>('/model/acme/duo:free', { key: organization.managementKey });

    await replica.stop();
    expect(answer.body.data.links).toEqual({ details: '/gateway/v1/models/acme/duo-2026/endpoints' });
    expect(answer.body.data).toEqual({ ...(await get('acme/duo:free')).body.data, links: answer.body.data.links });
  });

  describeWhoMayCall(['management_key', 'api_key'], () => ({
    app,
    organization,
    operationId: 'getModel',
    method: 'GET',
    path: '/model/acme/full',
  }));

  it('can be opened to callers without a credential, though not to those with a wrong one or one of the wrong kind', async () => {
    const open = await TestApplication.start({ database: app.database, variables: { ANONYMOUS_OPERATIONS: 'getModel' } });
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
