import { newOrganizationId } from '../../../src/persistence/identifiers.js';
import { Statements } from '../../../src/persistence/statements.js';
import type { IssuedKeyResponse } from '../../../src/modules/keys/dto/key.dto.js';
import { issueSecret } from '../../../src/modules/keys/credentials/key-format.js';
import { newKey, statusOfCurrentKey } from '../../support/resources/keys.js';
import { partnerSecrets, newSecret } from './partner-secrets.js';

describe('the secret of a partner for a key', () => {
  const { app, organization, post } = partnerSecrets();

  const refusalWith = async (credential: string): Promise<unknown> => {
    const { status, body } = await app.api.get<{ error?: { metadata: { reason: string } } }>('/key', {
      key: credential,
    });
    return [status, body.error?.metadata.reason];
  };

  it('is answered 401 once the key is disabled, expired or deleted (200), like the generated key', async () => {
    const secret = newSecret();
    const { data, key: generated } = await newKey(app, organization.managementKey, {
      external: { user: 'ended', api_key: secret },
    });
    const path = `/keys/${data.hash}`;

    await app.api.patch(path, { key: organization.managementKey, json: { disabled: true } });
    expect([await refusalWith(secret), await refusalWith(generated)]).toEqual(
      Array.from({ length: 2 }, () => [401, 'credential_disabled']),
    );
    await app.api.patch(path, { key: organization.managementKey, json: { disabled: false } });
    expect(await statusOfCurrentKey(app, secret)).toBe(200);
    await app.rows('UPDATE api_keys SET expires_at = now() WHERE hash = $1 RETURNING id', [
      Buffer.from(data.hash, 'hex'),
    ]);
    expect(await refusalWith(secret)).toEqual([401, 'credential_expired']);
    await app.rows('UPDATE api_keys SET expires_at = NULL WHERE hash = $1 RETURNING id', [
      Buffer.from(data.hash, 'hex'),
    ]);
    expect(await statusOfCurrentKey(app, secret)).toBe(200);

    expect((await app.api.delete(path, { key: organization.managementKey })).status).toBe(200);
    expect([await refusalWith(secret), await refusalWith(generated)]).toEqual(
      Array.from({ length: 2 }, () => [401, 'invalid_credential']),
    );
    // Nothing is left of the key, so another one can have its secret.
    expect((await post({ user: 'again', api_key: secret })).status).toBe(201);
  });

  it('is answered 200 after a rotation, which replaces the generated key only', async () => {
    const secret = newSecret();
    const { data, key: generated } = await newKey(app, organization.managementKey, {
      external: { user: 'rotated', api_key: secret },
    });

    const rotated = await app.api.post<IssuedKeyResponse>(`/keys/${data.hash}/rotate`, {
      key: organization.managementKey,
    });

    expect(rotated.body.data.external_user).toBe('rotated');
    expect(
      await Promise.all([secret, rotated.body.key, generated].map((each) => statusOfCurrentKey(app, each))),
    ).toEqual([200, 200, 401]);
  });

  it('is answered 401 when it differs in one letter or in case', async () => {
    const secret = newSecret();
    await newKey(app, organization.managementKey, { external: { user: 'exact', api_key: secret } });

    for (const other of [`${secret}x`, secret.slice(0, -1), secret.toUpperCase()]) {
      expect(await refusalWith(other)).toEqual([401, 'invalid_credential']);
    }
  });

  it('is answered for its own key (200) when many come at the same time', async () => {
    const secrets = Array.from({ length: 5 }, newSecret);
    for (const secret of secrets)
      await newKey(app, organization.managementKey, {
        name: secret.slice(-6),
        external: { user: 'x', api_key: secret },
      });
    const credentials = [...secrets, newSecret(), organization.managementKey];
    const requests = Array.from({ length: 10 }, () => credentials).flat();

    const statuses = await Promise.all(requests.map((credential) => statusOfCurrentKey(app, credential)));

    expect(statuses).toEqual(requests.map((_, index) => (index % 7 === 5 ? 401 : 200)));
  });

  it('is answered 401 without a query when it has neither our form nor the form of such a secret', async () => {
    const statements = app.application.get(Statements);
    const queries = [jest.spyOn(statements, 'first'), jest.spyOn(statements, 'rows')];
    const { plaintext } = issueSecret('api_key', newOrganizationId());
    const mistyped = `${plaintext.slice(0, -1)}${plaintext.endsWith('0') ? '1' : '0'}`;
    const refused = [mistyped, plaintext.slice(0, 40), plaintext.toUpperCase(), 'x'.repeat(31), 'x'.repeat(513)];
    try {
      for (const credential of refused) expect(await refusalWith(credential)).toEqual([401, 'invalid_credential']);
      expect(queries.map((query) => query.mock.calls.length)).toEqual([0, 0]);
      expect(await statusOfCurrentKey(app, newSecret())).toBe(401);
      expect(queries[0]!.mock.calls.length).toBe(1);
    } finally {
      for (const query of queries) query.mockRestore();
    }
  });
});
