import { DeclaredRoutes } from '../../../src/auth/declared-routes.js';
import { imageModelEntry, importCatalog, modelEntry } from '../../support/resources/catalog-entries.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { TestApplication } from '../../support/application/test-application.js';
import { interfaceOf } from '../../support/openapi/described-operations.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

const PATHS = {
  getModel: '/model/acme/model',
  getModels: '/models?limit=5',
  listEmbeddingsModels: '/embeddings/models',
  listEndpoints: '/models/acme/model/endpoints',
  listEndpointsZdr: '/endpoints/zdr',
  listImageModelEndpoints: '/images/models/acme/painter/endpoints',
  listImageModels: '/images/models',
  listModelsCount: '/models/count',
  listProviders: '/providers',
  retrieveModel: '/models/acme%2Fmodel',
  retrieveModelOfAuthor: '/models/acme/model',
};

/** What is asked of the catalog, but answered in the light of guardrails. */
const OTHERS = ['listModelsUser'];

describe('conditional requests to the catalog', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);

  beforeEach(async () => {
    await importCatalog(app, {
      models: [modelEntry('acme/model')],
      image_models: [imageModelEntry('acme/painter', [{}])],
    });
  });

  const get = (
    path: string,
    ifNoneMatch?: string,
    { key = organization.managementKey, method = 'GET', through = app } = {},
  ): Promise<Response> =>
    fetch(`${through.origin}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }) },
    });

  const tagOf = async (path: string, through = app): Promise<string> => {
    const response = await get(path, undefined, { through });
    await response.text();
    return response.headers.get('etag')!;
  };

  it('are possible for exactly the operations that document a 304', async () => {
    const operations = (await interfaceOf(app.application)).operations.filter(({ bodiless }) => bodiless.includes(304));

    const ids = operations.map(({ operationId }) => operationId).filter((id) => !OTHERS.includes(id));
    expect(ids.sort()).toEqual(Object.keys(PATHS));
    expect(app.application.get(DeclaredRoutes).all().length).toBeGreaterThan(ids.length);
  });

  it.each(Object.entries(PATHS))(
    '%s answers 200 with an entity tag, and 304 to a request that sends the tag',
    async (_, path) => {
      const first = await get(path);
      const tag = first.headers.get('etag')!;
      expect([first.status, tag]).toEqual([200, expect.stringMatching(/^"[\w-]{27}"$/)]);
      expect((await first.text()).length).toBe(Number(first.headers.get('content-length')));

      for (const header of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const again = await get(path, header);
        expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, tag, '']);
        expect(again.headers.get('x-request-id')).toMatch(/./);
        expect([again.headers.get('content-type'), again.headers.get('content-length')]).toEqual([null, null]);
      }
      for (const header of ['"other"', 'malformed', tag.slice(1)]) {
        const again = await get(path, header);
        expect([again.status, await again.text()]).toEqual([200, expect.stringMatching(/./)]);
      }
    },
  );

  it.each(Object.entries(PATHS))('%s answers with the same entity tag on every replica', async (_, path) => {
    const replica = await TestApplication.start({ database: app.database });
    expect(await tagOf(path, replica)).toBe(await tagOf(path));
    await replica.stop();
  });

  it('answer 200 with a new tag after an import changed the answer, and 304 to the old tag when it is changed back', async () => {
    const before = await tagOf('/models');

    await importCatalog(app, { models: [modelEntry('acme/model', { name: 'Another name' })] });
    const changed = await get('/models', before);
    expect([changed.status, changed.headers.get('etag') === before]).toEqual([200, false]);

    await importCatalog(app, { models: [modelEntry('acme/model')] });
    expect((await get('/models', before)).status).toBe(304);
  });

  it('have different tags for different queries, and for deployments with different link prefixes', async () => {
    const elsewhere = await TestApplication.start({
      database: app.database,
      variables: { API_BASE_PATH: '/elsewhere' },
    });
    const response = await fetch(`${elsewhere.origin}/elsewhere/models`, {
      headers: { authorization: `Bearer ${organization.managementKey}` },
    });
    await response.text();
    await elsewhere.stop();

    const tags = [await tagOf('/models'), await tagOf('/models?output_modalities=image'), response.headers.get('etag')];
    expect(new Set(tags).size).toBe(3);
  });

  it('answer HEAD with the headers of GET, 200 or 304, without a body', async () => {
    const tag = await tagOf('/models');
    const head = await get('/models', undefined, { method: 'HEAD' });
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, tag, '']);
    expect((await get('/models', tag, { method: 'HEAD' })).status).toBe(304);
  });

  it('answer 401 and 403 as without If-None-Match', async () => {
    const client = await app.factory.client(organization);
    const read = async (key: string): Promise<{ status: number; tag: string | null }> => {
      const response = await get('/models', '*', { key });
      await response.text();
      return { status: response.status, tag: response.headers.get('etag') };
    };

    expect(await read('mk-gate-v1-nonsense')).toEqual({ status: 401, tag: null });
    expect(await read(client.plaintext)).toEqual({ status: 403, tag: null });
  });

  it('answer 400 and 404 without a tag, whatever tag was sent', async () => {
    const headers = { 'if-none-match': '*' };
    const missing = await app.api.get('/model/acme/none', { key: organization.managementKey, headers });
    expectRefusal(missing, { status: 404, reason: 'model_not_found', userId: organization.userId });
    const refused = await app.api.get('/models?limit=0', { key: organization.managementKey, headers });
    expect([refused.status, refused.headers.get('etag'), missing.headers.get('etag')]).toEqual([400, null, null]);
    expect(refused.headers.get('cache-control')).toBe('no-store');
  });
});
