import { issueCredential } from '../../../src/modules/keys/credentials/key-format.js';
import { newOrganizationId } from '../../../src/persistence/identifiers.js';
import { applicationOfSuite } from '../../support/application/application-of-suite.js';

describe('credentials of many requests at the same time', () => {
  const app = applicationOfSuite();

  it('are each identified correctly: 200 if valid, 401 if not', async () => {
    const organizations = await Promise.all(Array.from({ length: 4 }, () => app.factory.organization()));
    for (const { managementKey } of organizations)
      await app.api.post('/guardrails', { key: managementKey, json: { name: managementKey.slice(-8) } });
    const [first] = organizations;
    const disabled = await app.factory.key(first!, { kind: 'management_key' });
    await app.rows('UPDATE api_keys SET disabled = true WHERE hash = $1 RETURNING id', [
      Buffer.from(disabled.hash, 'hex'),
    ]);
    const unknown = issueCredential('management_key', newOrganizationId()).plaintext;
    const keys = [...organizations.map(({ managementKey }) => managementKey), disabled.plaintext, unknown];
    const requests = Array.from({ length: 20 }, () => keys).flat();

    const answers = await Promise.all(
      requests.map(async (key) => {
        const { status, body } = await app.api.get<{ data?: { name: string }[] }>('/guardrails', { key });
        return [key, status, body.data?.map(({ name }) => name)];
      }),
    );

    const expected = requests.map((key) =>
      key === disabled.plaintext || key === unknown ? [key, 401, undefined] : [key, 200, [key.slice(-8)]],
    );
    expect(answers).toEqual(expected);
  });
});
