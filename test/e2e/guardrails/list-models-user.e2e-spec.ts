import { defaultGuardrailIdOf } from '../../../src/persistence/identifiers.js';
import type { ListModelsResponse } from '../../../src/modules/catalog/catalog.service.js';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import type { Answer } from '../../support/network/api-client.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

describe('listModelsUser', () => {
  const app = sharedApplication();
  const organization = organizationPerTest(app);
  let key: IssuedCredential;
  let memberId: string;

  beforeAll(() => app.factory.starterCatalog());

  beforeEach(async () => {
    memberId = await app.factory.member(organization.organizationId);
    key = await app.factory.key(organization, { userId: memberId });
  });

  const list = (query = '', credential = key.plaintext): Promise<Answer<ListModelsResponse>> =>
    app.api.get(`/models/user${query}`, { key: credential });

  const idsFor = async (credential = key.plaintext): Promise<string[]> => {
    const answer = await list('?output_modalities=all', credential);
    expect(answer.status).toBe(200);
    expectToFitContract('listModelsUser', 200, answer.body);
    return answer.body.data.map(({ id }) => id);
  };

  const assign = async (fields: object, to: object): Promise<void> => {
    const { id } = await app.factory.guardrail(organization, fields);
    const segment = 'key_hashes' in to ? 'keys' : 'members';
    const path = `/guardrails/${id}/assignments/${segment}`;
    const { body } = await app.api.post(path, { key: organization.managementKey, json: to });
    expect(body).toEqual({ assigned_count: 1 });
  };

  it('answers 200 with every model of the catalog when no guardrail applies', async () => {
    const answer = await list('?output_modalities=all');

    expectToFitContract('listModelsUser', 200, answer.body);
    expect(answer.body.total_count).toBe(answer.body.data.length);
    expect(answer.body.total_count).toBeGreaterThan(50);
    expect(answer.body.links).toEqual({ next: null });
    const model = await app.api.get('/model/openai/gpt-5.5', { key: key.plaintext });
    expect(answer.body.data).toContainEqual({
      ...(model.body as { data: object }).data,
      object: 'model',
      owned_by: 'openai',
    });
  });

  it('answers 200 with the models that the guardrails of workspace, owner and key permit', async () => {
    await app.api.patch(`/guardrails/${defaultGuardrailIdOf(organization.workspaceId)}`, {
      key: organization.managementKey,
      json: { ignored_models: ['openai/gpt-5.4'] },
    });
    await assign(
      { allowed_models: ['openai/gpt-latest', 'openai/gpt-5.4', 'openai/gpt-oss-120b'] },
      { member_user_ids: [memberId] },
    );
    expect((await idsFor()).sort()).toEqual(['openai/gpt-5.5', 'openai/gpt-oss-120b', 'openai/gpt-oss-120b:free']);

    await assign({ ignored_models: ['openai/gpt-oss-120b:free'] }, { key_hashes: [key.hash] });
    expect((await idsFor()).sort()).toEqual(['openai/gpt-5.5', 'openai/gpt-oss-120b']);

    const another = await app.factory.key(organization, { userId: memberId });
    expect(await idsFor(another.plaintext)).toHaveLength(3);
  });

  it('answers 200 for a management key with the guardrails of its owner and of the default workspace', async () => {
    expect((await idsFor(organization.managementKey)).length).toBeGreaterThan(50);

    await assign({ allowed_models: ['openai/gpt-latest'] }, { member_user_ids: [organization.userId] });

    expect(await idsFor(organization.managementKey)).toEqual(['openai/gpt-5.5']);
    expect((await idsFor()).length).toBeGreaterThan(50);
  });

  it('answers 200 with the models that getEffectiveGuardrails permits the key', async () => {
    await assign({ enforce_zdr: true, enable_free_model_training: false }, { key_hashes: [key.hash] });

    const { body } = await app.api.get<{ data: { models: string[] } }>(`/guardrails/effective?key_hash=${key.hash}`, {
      key: organization.managementKey,
    });

    expect(await idsFor()).toEqual(body.data.models);
    expect(body.data.models.length).toBeGreaterThan(0);
  });

  it('answers 200 with text models, unless output_modalities asks for others or for all', async () => {
    const outputsOf = async (query: string): Promise<string[][]> => {
      const answer = await list(query);
      expectToFitContract('listModelsUser', 200, answer.body);
      return answer.body.data.map(({ architecture }) => [...architecture.output_modalities]);
    };
    const imagesAlone = `jsonb_set(architecture, '{output_modalities}', '["image"]')`;
    await app.rows(`UPDATE models SET architecture = ${imagesAlone} WHERE id = 'openai/gpt-oss-120b' RETURNING id`);
    const [byDefault, text, images, all] = [
      await outputsOf(''),
      await outputsOf('?output_modalities=text'),
      await outputsOf('?output_modalities=image'),
      await outputsOf('?output_modalities=all'),
    ];

    expect(byDefault).toEqual(text);
    expect(text.every((outputs) => outputs.includes('text'))).toBe(true);
    expect(images.every((outputs) => outputs.includes('image'))).toBe(true);
    expect(images.length).toBeGreaterThan(0);
    expect(images).toContainEqual(['image']);
    const embeddings = await outputsOf('?output_modalities=embeddings');
    expect(embeddings.length).toBeGreaterThan(0);
    expect(embeddings.every((outputs) => outputs.includes('embeddings'))).toBe(true);
    // One model gives images and nothing else, one ranks documents, one speaks, and one writes down recordings.
    expect(all).toHaveLength(text.length + embeddings.length + 4);
    expect(await outputsOf('?output_modalities=image,text,embeddings,rerank,speech,transcription')).toHaveLength(
      all.length,
    );
    const { body } = await list('?output_modalities=all&limit=2');
    expect(body.links.next).toBe('/api/v1/models/user?output_modalities=all&offset=2&limit=2');
    await app.factory.starterCatalog();
    expect(await outputsOf('')).toHaveLength(all.length - embeddings.length - 3);
  });

  it('answers 200 with pages, each with the total of permitted models and a link to the next page', async () => {
    await assign({ allowed_providers: ['openai'] }, { key_hashes: [key.hash] });
    const all = await idsFor();
    expect(all.length).toBeGreaterThan(4);

    let path: string | null = '/api/v1/models/user?output_modalities=all&limit=2';
    const seen: string[] = [];
    while (path !== null) {
      const answer: Answer<ListModelsResponse> = await list(path.slice('/api/v1/models/user'.length));
      expect(answer.body.total_count).toBe(all.length);
      seen.push(...answer.body.data.map(({ id }) => id));
      path = answer.body.links.next;
    }
    expect(seen).toEqual(all);
  });

  it.each([
    ['?limit=0', 'limit'],
    ['?limit=1001', 'limit'],
    ['?offset=-1', 'offset'],
    ['?surprise=1', 'surprise'],
    ['?output_modalities=', 'output_modalities'],
    ['?output_modalities=smell', 'output_modalities'],
    ['?output_modalities=all,text', 'output_modalities'],
  ])('answers 400 for %s', async (query, path) => {
    expectRefusal(await list(query), { status: 400, reason: 'invalid_parameters', paths: [path], userId: memberId });
  });

  it('answers 200 with an entity tag, and 304 to a request that sends it', async () => {
    const first = await list();
    const again = await app.api.get('/models/user', {
      key: key.plaintext,
      headers: { 'if-none-match': first.headers.get('etag')! },
    });
    expect([again.status, again.text]).toEqual([304, '']);

    await assign({ ignored_models: ['openai/gpt-latest'] }, { key_hashes: [key.hash] });
    const changed = await app.api.get('/models/user', {
      key: key.plaintext,
      headers: { 'if-none-match': first.headers.get('etag')! },
    });
    expect(changed.status).toBe(200);
  });

  it('answers 200 for a page of 1000', async () => {
    expect((await list('?limit=1000&offset=10000')).body).toMatchObject({ data: [] });
  });
});
