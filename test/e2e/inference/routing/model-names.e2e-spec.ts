import OpenAI from 'openai';
import { keyPerTest, sharedOrganization } from '../../../support/application/shared-organization.js';
import type { ErrorBody } from '../../../support/network/api-client.js';
import { endpoint, QUESTION } from '../test-gateway.js';
import { embeddings } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';

describe('A model of a request', () => {
  const gateway = sharedGateway({
    models: { 'other/writer': [endpoint('beta')], 'acme/spare:free': [endpoint('alpha')] },
  });
  const organization = sharedOrganization(gateway);
  const key = keyPerTest(gateway, organization);

  it.each([
    ['spare', 'acme/spare'],
    ['SPARE:nitro', 'acme/spare'],
    ['spare:free:nitro', 'acme/spare:free'],
  ])('%s is for the unmodified openai client, without an author, %s in the 200 and its record', async (name, id) => {
    const client = new OpenAI({ apiKey: key.plaintext, baseURL: `${gateway.app.origin}/api/v1`, maxRetries: 0 });
    const request = { model: name, messages: [{ role: 'user' as const, content: 'What is new?' }] };
    const { data, response } = await client.chat.completions.create(request).withResponse();

    expect([response.status, data.model]).toEqual([200, id]);
    expect(await gateway.record(response, key)).toMatchObject({ model: id });
  });

  it('is a 200 without an author in other operations', async () => {
    const post = (path: string, json: object): Promise<{ status: number }> =>
      gateway.app.api.post(path, { key: key.plaintext, json });
    gateway.alpha.answerJson(embeddings([[1, 2]]));
    expect((await gateway.embed(key, { model: 'embedder' })).status).toBe(200);
    expect((await post('/messages', { model: 'spare', messages: QUESTION })).status).toBe(200);
    expect((await post('/responses', { model: 'spare', input: 'What is new?' })).status).toBe(200);
    expect((await post('/completions', { model: 'spare', prompt: 'What is new?' })).status).toBe(200);
  });

  it('is what policies see: 404 for one that they do not allow, however it is named', async () => {
    const guarded = await gateway.guardedKey(organization, { ignored_models: ['acme/spare'] });
    for (const model of ['spare', 'spare:floor', 'acme/spare']) {
      const answer = await gateway.ask<ErrorBody>(guarded, { model, provider: {} });
      expect([answer.status, answer.body.error.metadata.reason]).toEqual([404, 'no_endpoints']);
    }
    expect(gateway.beta.received).toEqual([]);
  });

  it.each([
    ['writer', 'writer is not a valid model ID: it may be acme/writer or other/writer'],
    ['acme/writer:online', 'acme/writer:online is not a valid model ID: this gateway does not search the web'],
    ['spare:thinking', 'spare:thinking is not a valid model ID'],
  ])('%s is a 400 that says why', async (model, message) => {
    const answer = await gateway.ask<ErrorBody>(key, { model });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({
      message,
      metadata: { reason: 'model_not_found' },
      availability: { code: 'model_not_found', requested_models: [model] },
    });
    expect([...gateway.alpha.received, ...gateway.beta.received]).toEqual([]);
  });
});
