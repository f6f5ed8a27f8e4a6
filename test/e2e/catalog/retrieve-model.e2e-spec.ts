import OpenAI, { NotFoundError } from 'openai';
import type { Model, ModelObject } from '../../../src/modules/catalog/dto/model.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { importCatalog, modelEntry } from '../../support/resources/catalog-entries.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { keyPerTest, sharedOrganization } from '../../support/application/shared-organization.js';
import { sharedApplication } from '../../support/application/shared-application.js';

describe('retrieveModel', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);
  const key = keyPerTest(app, organization);

  beforeAll(() =>
    importCatalog(app, {
      models: [
        ...['acme/writer', 'acme/writer:free', 'acme/twin', 'other/twin', 'acme/endpoints'].map((id) => modelEntry(id)),
        modelEntry('acme/gift:free', { canonical_slug: 'acme/gift-2026' }),
      ],
      aliases: [{ alias: 'acme/latest', model: 'acme/writer' }],
    }),
  );

  const get = (name: string): Promise<Answer<ModelObject>> =>
    app.api.get(`/models/${name}`, { key: organization.managementKey });

  it('answers 200 with the model of getModel as an object of OpenAI', async () => {
    const { body } = await app.api.get<{ data: Model }>('/model/acme/writer', { key: key.plaintext });
    for (const name of ['acme%2Fwriter', 'acme/writer', 'writer']) {
      const answer = await get(name);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ ...body.data, object: 'model', owned_by: 'acme' });
    }
  });

  it.each([
    ['ACME%2fWriter', 'acme/writer'],
    ['acme/latest', 'acme/writer'],
    ['latest', 'acme/writer'],
    ['Writer-20260102', 'acme/writer'],
    ['acme%2Fwriter%3Afree', 'acme/writer:free'],
    ['acme/latest:free', 'acme/writer:free'],
    ['writer:free', 'acme/writer:free'],
    ['acme/writer:nitro', 'acme/writer'],
    ['gift:free', 'acme/gift:free'],
    ['acme%2Fendpoints', 'acme/endpoints'],
  ])('answers 200 for %s with %s', async (name, id) => {
    const answer = await get(name);
    expect([answer.status, answer.body.id]).toEqual([200, id]);
  });

  it.each([
    'nothing',
    'acme%2Fnothing',
    'acme/nothing',
    'acme/writer:cheap',
    'twin',
    'gift',
    'acme%2Fwriter%2Fendpoints',
  ])('answers 404 for %s', async (name) => {
    expectRefusal(await get(name), { status: 404, reason: 'model_not_found', userId: organization.userId });
  });

  it('answers 200 for what else is below /models as before', async () => {
    const paths = ['/models/user', '/models/count', '/models/acme/writer/endpoints'];
    const answers = await Promise.all(paths.map((path) => app.api.get<object>(path, { key: key.plaintext })));
    const isModel = (body: object): boolean => 'object' in body && body.object === 'model';
    expect(answers.map(({ status, body }) => [status, isModel(body)])).toEqual(paths.map(() => [200, false]));
  });

  it('gives the unmodified openai client its model with a 200, and its own error for a 404', async () => {
    const client = new OpenAI({ apiKey: key.plaintext, baseURL: `${app.origin}/api/v1`, maxRetries: 0 });
    const { data, response } = await client.models.retrieve('acme/writer').withResponse();

    expect(response.status).toBe(200);
    expect(data).toMatchObject({ id: 'acme/writer', object: 'model', owned_by: 'acme', created: 1767312000 });
    await expect(client.models.retrieve('acme/nothing')).rejects.toBeInstanceOf(NotFoundError);
  });
});
