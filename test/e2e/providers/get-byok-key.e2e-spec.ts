import { sharedApplication } from '../../support/application/shared-application.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { newProviderKey } from '../../support/resources/provider-keys.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

describe('getBYOKKey', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = sharedOrganization(app);

  it('answers 200 with what createBYOKKey has answered, also to the id in capitals', async () => {
    const made = await newProviderKey(app, organization, { name: 'Mine', is_fallback: true });

    for (const id of [made.id, made.id.toUpperCase()]) {
      const answer = await app.api.get(`/byok/${id}`, { key: organization.managementKey });
      expect([answer.status, answer.body]).toEqual([200, { data: made }]);
      expectToFitContract('getBYOKKey', 200, answer.body);
    }
  });

  it.each([UNKNOWN_UUID, 'no-uuid'])('answers 404 to the id %s, which no key has', async (id) => {
    const answer = await app.api.get(`/byok/${id}`, { key: organization.managementKey });

    expectRefusal(answer, { status: 404, reason: 'provider_key_not_found', userId: organization.userId });
    expectToFitContract('getBYOKKey', 404, answer.body);
  });
});
