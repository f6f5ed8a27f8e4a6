import { sharedApplication } from '../../support/application/shared-application.js';
import { credentialPlaces } from '../../support/expectations/credential-places.js';
import { completeOrganization } from '../../operations/complete-organization.js';
import { DISCLOSED_CREDENTIALS } from '../../operations/disclosed-credentials.js';
import { until } from '../../support/time/until.js';
import { filledBefore } from '../../support/application/filled-before.js';

describe('credentials and secrets', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = filledBefore(beforeAll, () => completeOrganization(app));

  const runningReplays = (): Promise<object[]> =>
    app.rows(`SELECT id FROM replay_jobs WHERE organization_id = $1 AND state = 'running'`, [
      organization.organizationId,
    ]);

  it('are in exactly these fields of answers with 200 and 201', async () => {
    const places: string[] = [];
    for (const [operationId, { method, path, ...options }] of Object.entries(organization.requests)) {
      // An organization has one replay at a time.
      if (operationId.startsWith('replay')) await until(async () => (await runningReplays()).length === 0);
      const answer = await app.api.send(method, path, options);
      expect(`${operationId} ${answer.status}`).toMatch(/ 20[0124]$/);
      const sent = answer.text + JSON.stringify([...answer.headers]);
      for (const secret of organization.secrets) expect(sent).not.toContain(secret);
      places.push(...credentialPlaces(answer.body).map((place) => `${operationId}.${place}`));
    }

    const pinned = Object.entries(DISCLOSED_CREDENTIALS).flatMap(([operationId, places]) =>
      places.map((place) => `${operationId}.${place}`),
    );
    expect(places.sort()).toEqual(pinned.sort());
  });

  it('are in no error answer with 400 to 404, wherever they were sent', async () => {
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
