import type { IssuedConnectClientResponse } from '../../../src/modules/oauth/clients/connect-client.dto.js';
import type { TestApplication } from '../application/test-application.js';

/** Creates a Connect client with the operation for it. */
export async function newClient(
  app: TestApplication,
  managementKey: string,
  name: string,
  callbackUrls: readonly string[] = [`https://${name}.example.com/callback`],
): Promise<IssuedConnectClientResponse> {
  const json = { name, callback_urls: callbackUrls };
  const answer = await app.api.post<IssuedConnectClientResponse>('/connect/clients', { key: managementKey, json });
  expect(answer.status).toBe(201);
  return answer.body;
}

/** Whether a client secret is taken: an exchange of a code that there is not is then a 403. */
export async function isSecretAccepted(app: TestApplication, secret: string): Promise<boolean> {
  const { status } = await app.api.post('/auth/keys', { key: secret, json: { code: 'none' } });
  expect([401, 403]).toContain(status);
  return status === 403;
}
