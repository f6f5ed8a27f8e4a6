import { credentialPlaces } from '../../support/credentials-in.js';
import { interfaceOf } from '../../support/operations.js';
import { completeOrganization, type CompleteOrganization } from '../../support/successful-requests.js';
import { TestApplication } from '../../support/test-application.js';
import { TOLD_CREDENTIALS } from '../../support/told-credentials.js';

describe('secrets', () => {
  let app: TestApplication;
  let organization: CompleteOrganization;

  beforeAll(async () => {
    app = await TestApplication.start();
    organization = await completeOrganization(app);
  });

  afterAll(() => app.stop());

  it('leave in exactly these fields of answers', async () => {
    const operationIds = interfaceOf(app.application).operations.map(({ operationId }) => operationId);
    // A new operation is added there, or it is not tested here.
    expect(Object.keys(organization.requests).sort()).toEqual([...operationIds].sort());

    const places: string[] = [];
    for (const [operationId, { method, path, ...options }] of Object.entries(organization.requests)) {
      const answer = await app.api.send(method, path, options);
      expect(`${operationId} ${answer.status}`).toMatch(/ 20[01]$/);
      const told = answer.text + JSON.stringify([...answer.headers]);
      for (const secret of organization.secrets) expect(told).not.toContain(secret);
      places.push(...credentialPlaces(answer.body).map((place) => `${operationId}.${place}`));
    }

    const pinned = Object.entries(TOLD_CREDENTIALS).flatMap(([operationId, told]) =>
      told.map((place) => `${operationId}.${place}`),
    );
    expect(places.sort()).toEqual(pinned.sort());
  });

  it('are not told back by a refusal, wherever they were put', async () => {
    const { apiKey, managementKey: key } = organization;
    const answers = [
      await app.api.get('/guardrails', { headers: { authorization: `Bearer ${apiKey}x` } }),
      await app.api.get('/guardrails', { headers: { authorization: `Basic ${apiKey}` } }),
      await app.api.get('/guardrails', { key: apiKey }),
      await app.api.delete(`/keys/${apiKey}`, { key }),
      await app.api.get(`/model/openai/${apiKey}`, { key }),
      await app.api.get(`/presets/${apiKey}/versions`, { key }),
      await app.api.get(`/guardrails?workspace_id=${apiKey}`, { key }),
      await app.api.get(`/guardrails?limit=${apiKey}`, { key }),
      await app.api.post('/auth/keys', { key, json: { code: apiKey } }),
      await app.api.post('/auth/keys', { key, json: { code: 'x', code_challenge_method: apiKey } }),
      await app.api.post('/auth/keys', { key, raw: `{"code":"${apiKey}` }),
      await app.api.post('/auth/keys/code', { key, json: { callback_url: `https://u:${apiKey}@example.com/` } }),
      await app.api.post('/guardrails', { key, json: { name: 'x', workspace_id: apiKey, reset_interval: apiKey } }),
      await app.api.get(`/${apiKey}`),
    ];

    for (const answer of answers) {
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(credentialPlaces(answer.body)).toEqual([]);
    }
  });
});
