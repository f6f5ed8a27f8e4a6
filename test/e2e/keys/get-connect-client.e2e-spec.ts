import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { newClient } from '../../support/resources/connect-clients.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { TestApplication } from '../../support/application/test-application.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';

describe('getConnectClient', () => {
  let app: TestApplication;
  let organization: NewOrganization;
  let key: string;

  beforeAll(async () => {
    app = await TestApplication.start();
    organization = await app.factory.organization();
    key = organization.managementKey;
  });

  afterAll(() => app.stop());

  it('answers 200 with the client as it was created, without its secret', async () => {
    const { data, client_secret: secret } = await newClient(app, key, 'made');

    for (const id of [data.id, data.id.toUpperCase()]) {
      const answer = await app.api.get(`/connect/clients/${id}`, { key });
      expect([answer.status, answer.body]).toEqual([200, { data }]);
      expect(answer.text).not.toContain(secret.slice(-40));
    }
  });

  it('answers 200 for a client that was created without callback URLs by the command line', async () => {
    const { id } = await app.factory.client(organization);

    const { body } = await app.api.get(`/connect/clients/${id}`, { key });

    expect(body).toMatchObject({ data: { id, callback_urls: [] } });
  });

  it("answers 404 for another organization's client, as for a missing one", async () => {
    const foreign = await app.factory.client(await app.factory.organization());
    const headers = { 'x-request-id': 'same' };
    const ids = [foreign.id, UNKNOWN_UUID, 'x', `urn:uuid:${foreign.id}`];

    const answers = await Promise.all(ids.map((id) => app.api.get(`/connect/clients/${id}`, { key, headers })));

    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const refusal = { status: 404, reason: 'connect_client_not_found' };
    expectRefusal(answers[0]!, { ...refusal, userId: organization.userId });
  });
});
