import { CATALOG_TABLES, catalogChecks } from './catalog-checks.js';
import { dryRunCatalog, importCatalog, replaceCatalog } from '../../support/resources/catalog-entries.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { readSharedCatalog } from './shared-catalog.js';
import { TestApplication } from '../../support/application/test-application.js';
import starter from '../../../catalog/starter.json' with { type: 'json' };
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

const NOTHING = { added: [], changed: [], retired: [], wouldRetire: [], unchanged: 0 };

/** The models whose price varies. */
const VARYING = ['openrouter/pareto-code', 'openrouter/bodybuilder', 'openrouter/auto'].map((entry) => ({
  entry,
  price: 'prompt is "-1"',
}));

describe('the import of the real catalogs', () => {
  const { models, imageModels: images } = readSharedCatalog();
  const app = sharedApplication();
  const organization = sharedOrganization(app);

  beforeEach(() => app.rows(`TRUNCATE ${CATALOG_TABLES.join(', ')}`));

  const { model, idOf, expectNoModel, imageModels, snapshot, faultsOf } = catalogChecks(() => ({ app, organization }));

  const ids = (list: typeof models): string[] => list.data.map(({ id }) => id);

  const slugsOf = (list: typeof models): { id: string; canonical_slug: string }[] =>
    list.data.map((entry) => ({ id: entry.id, canonical_slug: String(entry['canonical_slug']) }));

  it('stores all 364 models and 40 image models', async () => {
    const report = await importCatalog(app, models, images);

    expect([models.data.length, images.data.length]).toEqual([364, 40]);
    expect(report).toEqual({
      models: { ...NOTHING, added: expect.any(Array) as unknown },
      imageModels: { ...NOTHING, added: expect.any(Array) as unknown },
      aliases: 0,
      unchargeable: VARYING,
    });
    expect(report.models!.added.toSorted()).toEqual(ids(models).sort());
    expect(report.imageModels!.added.toSorted()).toEqual(ids(images).sort());
  });

  it.each(['/api/v1', '/elsewhere/v2'])(
    'lets getModel answer 200 with what the files say for every entry, below %s',
    async (basePath) => {
      await importCatalog(app, models, images);
      const replica = await TestApplication.start({ database: app.database, variables: { API_BASE_PATH: basePath } });
      const atHome = (path: unknown): string => String(path).replace(/^\/api\/v1\//, `${basePath}/`);

      for (const entry of models.data) {
        const { status, body } = await model(entry.id, replica);
        expect(status).toBe(200);
        expect(body).toEqual({
          data: { ...entry, links: { details: atHome((entry['links'] as { details: string }).details) } },
        });
        expectToFitContract('getModel', 200, body);
      }
      const listed = new Map((await imageModels(replica)).map((item) => [item.id, item]));
      expect(listed.size).toBe(images.data.length);
      for (const entry of images.data) {
        expect(listed.get(entry.id)).toEqual({ ...entry, endpoints: atHome(entry['endpoints']) });
      }

      await replica.stop();
    },
  );

  it('lets listImageModels answer 200 also with models that no list of models has, oldest first', async () => {
    await importCatalog(app, models, images);
    const known = new Set(ids(models));

    for (const entry of images.data.filter(({ id }) => !known.has(id))) {
      const { status, body } = await model(entry.id);
      expect(status).toBe(200);
      expect(body.data).toMatchObject({
        id: entry.id,
        name: entry['name'],
        description: entry['description'],
        created: entry.created,
        architecture: entry['architecture'],
      });
      expectToFitContract('getModel', 200, body);
    }
    const expected = [...images.data].sort((one, other) => one.created - other.created || (one.id < other.id ? -1 : 1));
    expect((await imageModels()).map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
  });

  it('lets getModel find every model by its canonical slug, and variants beside their base models', async () => {
    await importCatalog(app, models, images);
    const byId = new Set(ids(models));

    for (const { id, canonical_slug: slug } of slugsOf(models)) {
      const [base, variant] = id.split(':') as [string, string | undefined];
      const canonical = variant === undefined ? slug : `${slug}:${variant}`;
      // A canonical slug may be the id of another model, which then goes first.
      if (!byId.has(canonical)) expect(await idOf(canonical)).toBe(id);
      if (variant === undefined) expect(await idOf(`${id}:online`)).toBe(id);
      else if (!byId.has(base) && base !== slug) await expectNoModel(base);
    }
  });

  it('stores the same when the two lists are imported one after the other, in either order', async () => {
    await importCatalog(app, models);
    await importCatalog(app, images);
    const oneWay = await snapshot();
    const other = await TestApplication.start();

    await importCatalog(other, images);
    await importCatalog(other, models);
    await importCatalog(other, images);

    const otherWay = Object.fromEntries(
      await Promise.all(
        CATALOG_TABLES.map(
          async (table) =>
            [table, await other.rows(`SELECT to_jsonb(t) AS row FROM ${table} t ORDER BY to_jsonb(t)::text`)] as const,
        ),
      ),
    );
    await other.stop();
    expect(otherWay).toEqual(oneWay);
  });

  it('changes nothing when it runs again', async () => {
    await importCatalog(app, models, images);
    const before = await snapshot();

    const report = await importCatalog(app, models, images);

    expect(report).toEqual({
      models: { ...NOTHING, unchanged: 364 },
      imageModels: { ...NOTHING, unchanged: 40 },
      aliases: 0,
      unchargeable: VARYING,
    });
    expect(await snapshot()).toEqual(before);
  });

  it('changes nothing in a dry run, which reports what an import would do', async () => {
    const empty = await snapshot();
    const dry = await dryRunCatalog(app, models, images);
    expect(await snapshot()).toEqual(empty);

    expect(await importCatalog(app, models, images)).toEqual(dry);
    const full = await snapshot();
    const fewer = { data: models.data.slice(1) };
    expect((await dryRunCatalog(app, fewer)).models).toEqual({
      ...NOTHING,
      wouldRetire: [models.data[0]!.id],
      unchanged: 364,
    });
    expect(await snapshot()).toEqual(full);
  });

  it('stores nothing of a file in which one entry is faulty', async () => {
    const broken = models.data.map((entry, index) => (index === 200 ? { ...entry, context_length: '128000' } : entry));

    expect(await faultsOf({ data: broken }, images)).toEqual([
      'document-1.json: data[200].context_length must be integer or null',
    ]);
  });

  it('replaces the starter catalog', async () => {
    await app.factory.starterCatalog();
    const starters = new Set(starter.models.map(({ id }) => id));

    const report = await replaceCatalog(app, models);

    const real = new Set(ids(models));
    expect(report.models!.retired.toSorted()).toEqual([...starters].filter((id) => !real.has(id)).sort());
    expect(report.models!.added).toHaveLength([...real].filter((id) => !starters.has(id)).length);
    for (const entry of models.data.slice(0, 20)) expect((await model(entry.id)).body.data).toEqual(entry);
  });

  it('finds no description of the starter catalog in the real catalogs', () => {
    const sentences = (text: unknown): string[] =>
      String(text)
        .split(/[.;:\n]+/)
        .map((sentence) => sentence.trim())
        .filter((sentence) => sentence.length > 30);
    const theirs = new Set([...models.data, ...images.data].flatMap((entry) => sentences(entry['description'])));
    const ours = [...starter.models, ...starter.image_models].flatMap(({ description }) => sentences(description));

    expect(ours.length).toBeGreaterThan(20);
    expect(ours.filter((sentence) => theirs.has(sentence))).toEqual([]);
  });
});
