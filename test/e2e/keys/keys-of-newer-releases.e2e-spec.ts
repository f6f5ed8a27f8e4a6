import type { IssuedKeyResponse } from '../../../src/modules/keys/dto/key.dto.js';
import { KEY_VERSION } from '../../../src/modules/keys/credentials/key-version.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { keyRowOf, newKey, statusOfCurrentKey } from '../../support/resources/keys.js';
import { newSecret } from './partner-secrets.js';

const REFUSAL = { status: 401, reason: 'credential_of_newer_release' };

const CHAT = { model: 'gatehouse/echo', messages: [{ role: 'user', content: 'Hello' }] };

describe('a key with restrictions of a newer release', () => {
  const app = sharedApplication();
  const organization = organizationPerTest(app);

  beforeAll(() => app.factory.starterCatalog());

  const setVersion = (hash: string, version: number) =>
    app.rows('UPDATE api_keys SET version = $2 WHERE hash = $1', [Buffer.from(hash, 'hex'), version]);

  it.each([
    ['the first version where nothing newer restricts it', {}, 1],
    ['the version that knows bound end users where it is bound to one', { bound_user: 'ada' }, KEY_VERSION],
  ])('is made with %s, and answers 200', async (_, fields, version) => {
    const { key, data } = await newKey(app, organization.managementKey, fields);

    expect(await keyRowOf(app, data.hash)).toMatchObject({ version });
    expect(await statusOfCurrentKey(app, key)).toBe(200);
  });

  it('has another version once it is bound to an end user by a change with a 200, unless it is newer', async () => {
    const { data } = await newKey(app, organization.managementKey);
    const bind = async (user: string | null): Promise<void> => {
      const request = { key: organization.managementKey, json: { bound_user: user } };
      expect((await app.api.patch(`/keys/${data.hash}`, request)).status).toBe(200);
    };

    await bind('ada');
    expect(await keyRowOf(app, data.hash)).toMatchObject({ version: KEY_VERSION });
    await bind(null);
    expect(await keyRowOf(app, data.hash)).toMatchObject({ version: 1 });
    await setVersion(data.hash, KEY_VERSION + 1);
    await bind('ada');
    expect(await keyRowOf(app, data.hash)).toMatchObject({ version: KEY_VERSION + 1 });
  });

  it('answers 401 on every replica at once, with its old secret and that of a partner too, and 200 when it has none of them any more', async () => {
    const external = newSecret();
    const { key: old, data: made } = await newKey(app, organization.managementKey, {
      external: { user: 'u', api_key: external },
    });
    const rotated = await app.api.post<IssuedKeyResponse>(`/keys/${made.hash}/rotate`, {
      key: organization.managementKey,
      json: { grace_seconds: 600 },
    });
    const { key, data } = rotated.body;
    const replica = await app.replica();
    const statuses = async (): Promise<number[]> => {
      const asked = [app, replica].flatMap(({ api }) =>
        [key, old, external].flatMap((credential) => [
          api.get('/key', { key: credential }),
          api.post('/chat/completions', { key: credential, json: CHAT }),
        ]),
      );
      return (await Promise.all(asked)).map(({ status }) => status);
    };
    // Replicas remember the policies of keys that they have seen.
    expect(new Set(await statuses())).toEqual(new Set([200]));

    await setVersion(data.hash, KEY_VERSION + 1);
    expect(new Set(await statuses())).toEqual(new Set([401]));
    const chat = await app.api.post<{ error: { message: string } }>('/chat/completions', { key, json: CHAT });
    expectRefusal(await app.api.get('/key', { key }), REFUSAL);
    expect(chat.body.error.message).toBe(
      'The API key has restrictions that this release of the service does not know.',
    );
    expectToFitContract('sendChatCompletionRequest', 401, chat.body);

    await setVersion(data.hash, KEY_VERSION);
    expect(new Set(await statuses())).toEqual(new Set([200]));
  });

  it('answers 401 to a management key, alone and among others at the same time, which are answered 200', async () => {
    const newer = await app.factory.key(organization, { kind: 'management_key' });
    const other = await app.factory.key(organization, { kind: 'management_key' });
    await setVersion(newer.hash, KEY_VERSION + 1);

    expectRefusal(await app.api.get('/keys', { key: newer.plaintext }), REFUSAL);
    const asked = [newer, other, newer, other, newer].map(({ plaintext }) => app.api.get('/keys', { key: plaintext }));
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([401, 200, 401, 200, 401]);
  });

  it('answers 200 to a change of it with another key, which leaves its version', async () => {
    const { data } = await newKey(app, organization.managementKey);
    await setVersion(data.hash, KEY_VERSION + 1);

    const changed = await app.api.patch(`/keys/${data.hash}`, {
      key: organization.managementKey,
      json: { name: 'Renamed', disabled: true },
    });
    expect(changed.status).toBe(200);
    expect(await keyRowOf(app, data.hash)).toMatchObject({ name: 'Renamed', version: KEY_VERSION + 1 });
  });
});
