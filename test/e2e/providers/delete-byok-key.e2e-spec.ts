import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import type { Answer } from '../../support/network/api-client.js';
import { newProviderKey } from '../../support/resources/provider-keys.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

describe('deleteBYOKKey', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);

  const remove = (id: string): Promise<Answer> => app.api.delete(`/byok/${id}`, { key: organization.managementKey });

  it('answers 200 once and 404 afterwards, deletes that key alone, and records it once', async () => {
    const { id } = await newProviderKey(app, organization);
    const { id: kept } = await newProviderKey(app, organization);

    const answers = await Promise.all(Array.from({ length: 5 }, () => remove(id.toUpperCase())));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
    for (const { status, body } of answers) expectToFitContract('deleteBYOKKey', status, body);
    expect(await app.rows('SELECT id FROM provider_keys')).toEqual([{ id: kept }]);
    expect((await auditEventsOf(app, id)).slice(1)).toEqual([
      {
        action: 'provider_key.delete',
        target_type: 'provider_key',
        target_id: id,
        actor_kind: 'management_key',
        actor_id: organization.userId,
        changes: null,
      },
    ]);
  });

  it.each([UNKNOWN_UUID, 'no-uuid'])('answers 404 to the id %s, which no key has', async (id) => {
    const answer = await remove(id);

    expectRefusal(answer, { status: 404, reason: 'provider_key_not_found', userId: organization.userId });
    expectToFitContract('deleteBYOKKey', 404, answer.body);
  });
});
