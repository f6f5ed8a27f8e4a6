import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { newOrganizationId } from '../../../src/persistence/identifiers.js';
import { Statements } from '../../../src/persistence/statements.js';
import { CredentialsRepository } from '../../../src/modules/keys/credentials/credentials.repository.js';
import { issueSecret, readCredential, organizationPartOf } from '../../../src/modules/keys/credentials/key-format.js';
import type { IssuedKeyResponse } from '../../../src/modules/keys/dto/key.dto.js';
import type { ExchangeAuthCodeResponse } from '../../../src/modules/oauth/codes/authorization-code.dto.js';
import { AuthorizationCodesRepository } from '../../../src/modules/oauth/codes/authorization-codes.repository.js';
import { newCode, sha256 } from '../../support/resources/authorization-codes.js';
import { newKey, statusOfCurrentKey } from '../../support/resources/keys.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

/** A text with the checksum that belongs to it. */
const withChecksum = (text: string): string => `${text}${crc32(text).toString(16).padStart(8, '0')}`;

/** A new secret in the form of earlier releases, without an organization. */
const oldSecret = (prefix: string): string => withChecksum(`${prefix}-gate-v1-${randomBytes(32).toString('hex')}`);

/** The secret with another text for its organization, and the checksum of both. */
const withPart = (secret: string, part: string): string =>
  withChecksum(secret.slice(0, -8).replace(/(?<=-v2-)[^-]+/, part));

const partOf = (secret: string): string => secret.split('-')[3]!;

describe('credentials of two versions', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);
  const other = sharedOrganization(app);

  beforeAll(() => app.factory.starterCatalog());

  /** Gives a key the secret of an earlier release. @returns it */
  const oldKey = async (id: string, prefix = 'sk'): Promise<string> => {
    const secret = oldSecret(prefix);
    const hash = Buffer.from(sha256(secret), 'hex');
    expect(await app.rows('UPDATE api_keys SET hash = $2 WHERE id = $1 RETURNING id', [id, hash])).toHaveLength(1);
    return secret;
  };

  const exchange = (
    code: string,
    credential = organization.managementKey,
  ): ReturnType<typeof app.api.post<ExchangeAuthCodeResponse>> =>
    app.api.post<ExchangeAuthCodeResponse>('/auth/keys', { key: credential, json: { code } });

  /** The names of the statements that run meanwhile, each with how many there were. */
  const statementsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
    const statements = app.application.get(Statements);
    const spies = [jest.spyOn(statements, 'first'), jest.spyOn(statements, 'rows'), jest.spyOn(statements, 'write')];
    try {
      await work();
      return spies.flatMap((spy) => spy.mock.calls.map(([{ name }]) => name)).sort();
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  };

  it.each(['mk', 'sk', 'cs', 'ac'])('state their organization behind %s-gate-v2-', async (prefix) => {
    const [{ plaintext: apiKey }, { plaintext: client }] = [
      await app.factory.key(organization),
      await app.factory.client(organization),
    ];
    const made = [organization.managementKey, apiKey, client, await newCode(app, organization.managementKey)].find(
      (secret) => secret.startsWith(prefix),
    )!;

    expect(made).toMatch(/^[a-z]{2}-gate-v2-[0-9A-Za-z]{22}-[0-9a-f]{72}$/);
    expect(partOf(made)).toBe(organizationPartOf(organization.organizationId));
  });

  describe('of version 1', () => {
    it('are answered with 200: management key, API key and client secret', async () => {
      const managementKey = await app.factory.key(organization, { kind: 'management_key' });
      const apiKey = await app.factory.key(organization);
      const client = await app.factory.client(organization);
      const secret = oldSecret('cs');
      await app.rows('UPDATE connect_clients SET secret_hash = $2 WHERE id = $1', [
        client.id,
        Buffer.from(sha256(secret), 'hex'),
      ]);

      expect((await app.api.get('/keys', { key: await oldKey(managementKey.id, 'mk') })).status).toBe(200);
      expect(await statusOfCurrentKey(app, await oldKey(apiKey.id))).toBe(200);
      expect((await exchange(await newCode(app, organization.managementKey), secret)).status).toBe(200);
      expect((await exchange(await newCode(app, organization.managementKey), client.plaintext)).status).toBe(401);
    });

    it('are answered with 401 once they are disabled, or deleted', async () => {
      const { id } = await app.factory.key(organization);
      const secret = await oldKey(id);
      const path = `/keys/${sha256(secret)}`;

      await app.api.patch(path, { key: organization.managementKey, json: { disabled: true } });
      expectRefusal(await app.api.get('/key', { key: secret }), { status: 401, reason: 'credential_disabled' });
      expect((await app.api.delete(path, { key: organization.managementKey })).status).toBe(200);
      expectRefusal(await app.api.get('/key', { key: secret }), { status: 401, reason: 'invalid_credential' });
    });

    it('are replaced by version 2 in a rotation with 201, and answered with 200 until its grace ends and 401 then', async () => {
      const { id } = await app.factory.key(organization);
      const secret = await oldKey(id);

      const rotated = await app.api.post<IssuedKeyResponse>(`/keys/${sha256(secret)}/rotate`, {
        key: organization.managementKey,
        json: { grace_seconds: 60 },
      });

      expect(rotated.status).toBe(201);
      expect(partOf(rotated.body.key)).toBe(organizationPartOf(organization.organizationId));
      expect([await statusOfCurrentKey(app, rotated.body.key), await statusOfCurrentKey(app, secret)]).toEqual([
        200, 200,
      ]);
      await app.rows(`UPDATE api_keys SET previous_hash_expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
      expect([await statusOfCurrentKey(app, rotated.body.key), await statusOfCurrentKey(app, secret)]).toEqual([
        200, 401,
      ]);
    });

    it('are exchanged with 200 for a key of version 2, where they are codes, and refused with 403 the second time', async () => {
      const [code, stored] = [oldSecret('ac'), await newCode(app, organization.managementKey)];
      const hashes = [code, stored].map((each) => Buffer.from(sha256(each), 'hex'));
      await app.rows('UPDATE authorization_codes SET code_hash = $1 WHERE code_hash = $2', hashes);

      const answer = await exchange(code);

      expect(answer.status).toBe(200);
      expect(partOf(answer.body.key)).toBe(organizationPartOf(organization.organizationId));
      expectRefusal(await exchange(code), {
        status: 403,
        reason: 'invalid_authorization_code',
        userId: organization.userId,
      });
    });

    it('are answered with 200, and unknown ones with 401, beside those of version 2 and of partners at the same time', async () => {
      const secret = `partner.${randomBytes(24).toString('hex')}`;
      await newKey(app, organization.managementKey, { external: { user: 'x', api_key: secret } });
      const [first, second] = [await app.factory.key(organization), await app.factory.key(other)];
      const accepted = [
        await oldKey(first.id),
        await oldKey(second.id),
        organization.managementKey,
        other.managementKey,
        secret,
      ];
      const refused = [oldSecret('sk'), issueSecret('api_key', other.organizationId).plaintext];
      const requests = Array.from({ length: 10 }, () => [...accepted, ...refused]).flat();

      const statuses = await Promise.all(requests.map((credential) => statusOfCurrentKey(app, credential)));

      expect(statuses).toEqual(requests.map((credential) => (refused.includes(credential) ? 401 : 200)));
    });
  });

  describe('whose organization is not that of the row', () => {
    it('are answered with 401, by the statement and with the bytes of a credential that does not exist', async () => {
      const { plaintext } = await app.factory.key(organization);
      const client = await app.factory.client(organization);
      const part = organizationPartOf(other.organizationId);
      const pairs = [
        [withPart(plaintext, part), issueSecret('api_key', other.organizationId).plaintext, 'key_owner'],
        [
          withPart(organization.managementKey, part),
          issueSecret('management_key', other.organizationId).plaintext,
          'key_owner',
        ],
        [
          withPart(client.plaintext, organizationPartOf(newOrganizationId())),
          issueSecret('client_secret', other.organizationId).plaintext,
          'client_owner',
        ],
      ] as const;
      const textOf = async (credential: string): Promise<string> => {
        const answer = await app.api.get('/keys', { key: credential, headers: { 'x-request-id': 'same' } });
        expectRefusal(answer, { status: 401, reason: 'invalid_credential' });
        return answer.text;
      };

      for (const [replaced, missing, name] of pairs) {
        expect(readCredential(replaced)).toBeDefined();
        expect(await statementsOf(() => textOf(replaced))).toEqual([name]);
        expect(await statementsOf(() => textOf(missing))).toEqual([name]);
        expect(await textOf(replaced)).toBe(await textOf(missing));
      }
    });

    it('are answered with 403 by one statement where they are codes, as a code that does not exist', async () => {
      const code = await newCode(app, organization.managementKey);
      const replaced = withPart(code, organizationPartOf(other.organizationId));

      for (const credential of [organization.managementKey, other.managementKey]) {
        const names = await statementsOf(async () => expect((await exchange(replaced, credential)).status).toBe(403));
        expect(names).toEqual(['authorization_code_by_hash', 'key_owner']);
      }
      expect((await exchange(code)).status).toBe(200);
    });

    it('are found in no other organization, though their hash is there: alone, at the same time, and as codes', async () => {
      const credentials = app.application.get(CredentialsRepository, { strict: false });
      const codes = app.application.get(AuthorizationCodesRepository, { strict: false });
      const { organizationId } = organization;
      const [apiKey, client, code] = [
        await app.factory.key(organization),
        await app.factory.client(organization),
        await newCode(app, organization.managementKey),
      ];
      const reference = (hash: string, of = organizationId): { organizationId: string; hash: Buffer } => ({
        organizationId: of,
        hash: Buffer.from(hash, 'hex'),
      });
      const elsewhere = (hash: string): ReturnType<typeof reference> => reference(hash, other.organizationId);

      expect(await credentials.keyOwner(reference(apiKey.hash))).toMatchObject({ id: apiKey.id });
      expect(await credentials.keyOwner(elsewhere(apiKey.hash))).toBeUndefined();
      expect(
        await Promise.all([
          credentials.keyOwner(elsewhere(apiKey.hash)),
          credentials.keyOwner(reference(sha256(organization.managementKey))),
          credentials.keyOwner(elsewhere(sha256(other.managementKey))),
        ]),
      ).toMatchObject([undefined, { organization_id: organizationId }, { organization_id: other.organizationId }]);
      expect(await credentials.clientOwner(reference(client.hash))).toMatchObject({ id: client.id });
      expect(await credentials.clientOwner(elsewhere(client.hash))).toBeUndefined();
      expect(await codes.find(reference(sha256(code)))).toMatchObject({ organizationId });
      expect(await codes.find(elsewhere(sha256(code)))).toBeUndefined();
    });
  });

  describe('that are malformed', () => {
    const malformed: [name: string, change: (secret: string) => string][] = [
      ['in upper case', (secret) => secret.toUpperCase()],
      ['in lower case', (secret) => secret.toLowerCase()],
      ['with an organization in upper case', (secret) => secret.replace(partOf(secret), partOf(secret).toUpperCase())],
      ['with an organization of 21 characters', (secret) => withPart(secret, partOf(secret).slice(1))],
      ['with an organization of 23 characters', (secret) => withPart(secret, `0${partOf(secret)}`)],
      ['with a character outside of base62', (secret) => withPart(secret, `${partOf(secret).slice(1)}_`)],
      ['with a full stop', (secret) => withPart(secret, `${partOf(secret).slice(1)}.`)],
      ['with the organization 2^128', (secret) => withPart(secret, '7n42DGM5Tflk9n8mt7Fhc8')],
      ['with the largest organization', (secret) => withPart(secret, 'z'.repeat(22))],
      ['without an organization', (secret) => withChecksum(secret.slice(0, -8).replace(`${partOf(secret)}-`, ''))],
      ['of version 1 with an organization', (secret) => withChecksum(secret.slice(0, -8).replace('-v2-', '-v1-'))],
      ['of version 3', (secret) => withChecksum(secret.slice(0, -8).replace('-v2-', '-v3-'))],
      [
        "with another organization's part and the old checksum",
        (secret) => {
          return secret.replace(partOf(secret), organizationPartOf(newOrganizationId()));
        },
      ],
      ['cut by a character', (secret) => secret.slice(0, -1)],
      ['with a digit more', (secret) => `${secret}0`],
    ];

    it.each(malformed)('are answered with 401 without a statement: a credential %s', async (_, change) => {
      const secrets = [
        organization.managementKey,
        (await app.factory.key(organization)).plaintext,
        (await app.factory.client(organization)).plaintext,
      ];

      for (const secret of secrets) {
        const names = await statementsOf(async () => {
          const answer = await app.api.get('/key', { key: change(secret) });
          expectRefusal(answer, { status: 401, reason: 'invalid_credential' });
        });
        expect(names).toEqual([]);
      }
    });

    it.each([...malformed, ['that is a key', (): string => organization.managementKey] as (typeof malformed)[number]])(
      'are answered with 403 without a statement for them: a code %s',
      async (_, change) => {
        const code = await newCode(app, organization.managementKey);

        const names = await statementsOf(async () => {
          expectRefusal(await exchange(change(code)), {
            status: 403,
            reason: 'invalid_authorization_code',
            userId: organization.userId,
          });
        });

        expect(names).toEqual(['key_owner']);
      },
    );
  });
});
