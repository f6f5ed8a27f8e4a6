import { sharedApplication } from '../../support/application/shared-application.js';
import { newClient } from '../../support/resources/connect-clients.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

describe('getConnectClient', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = sharedOrganization(app);

  it('answers 200 with the client as it was created, without its secret', async () => {
    const { data, client_secret: secret } = await newClient(app, organization.managementKey, 'made');

    for (const id of [data.id, data.id.toUpperCase()]) {
      const answer = await app.api.get(`/connect/clients/${id}`, { key: organization.managementKey });
      expect([answer.status, answer.body]).toEqual([200, { data }]);
      expect(answer.text).not.toContain(secret.slice(-40));
    }
  });

  it('answers 200 for a client that was created without callback URLs by the command line', async () => {
    const { id } = await app.factory.client(organization);

    const { body } = await app.api.get(`/connect/clients/${id}`, { key: organization.managementKey });

    expect(body).toMatchObject({ data: { id, callback_urls: [] } });
  });

  it("answers 404 for another organization's client, as for a missing one", async () => {
    const foreign = await app.factory.client(await app.factory.organization());
    const headers = { 'x-request-id': 'same' };
    const ids = [foreign.id, UNKNOWN_UUID, 'x', `urn:uuid:${foreign.id}`];

    const answers = await Promise.all(
      ids.map((id) => app.api.get(`/connect/clients/${id}`, { key: organization.managementKey, headers })),
    );

    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const refusal = { status: 404, reason: 'connect_client_not_found' };
    expectRefusal(answers[0]!, { ...refusal, userId: organization.userId });
  });
});
