import { sharedApplication } from '../../support/application/shared-application.js';
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { issueSecret } from '../../../src/modules/keys/credentials/key-format.js';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { newOrganizationId } from '../../../src/persistence/identifiers.js';
import { sha256 } from '../../support/resources/authorization-codes.js';
import { isSecretAccepted } from '../../support/resources/connect-clients.js';
import { newKey } from '../../support/resources/keys.js';
import { newSecret } from './partner-secrets.js';

describe('credentials of many requests at the same time', () => {
  const app = sharedApplication({ topic: 'suite' });

  it('are each identified correctly: 200 if valid, 401 if not', async () => {
    const organizations = await Promise.all(Array.from({ length: 4 }, () => app.factory.organization()));
    for (const { managementKey } of organizations)
      await app.api.post('/guardrails', { key: managementKey, json: { name: managementKey.slice(-8) } });
    const [first] = organizations;
    const disabled = await app.factory.key(first!, { kind: 'management_key' });
    await app.rows('UPDATE api_keys SET disabled = true WHERE hash = $1 RETURNING id', [
      Buffer.from(disabled.hash, 'hex'),
    ]);
    const unknown = issueSecret('management_key', newOrganizationId()).plaintext;
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

  it('are each identified as when they come alone, of every version and state: 200 or 401', async () => {
    const organization = await app.factory.organization();
    const made = (): Promise<IssuedCredential> => app.factory.key(organization);
    const changed = async (id: string, change: string, ...values: unknown[]): Promise<void> => {
      expect(await app.rows(`UPDATE api_keys SET ${change} WHERE id = $1 RETURNING id`, [id, ...values])).toHaveLength(
        1,
      );
    };
    const withPrevious = (id: string, secret: string, end: string): Promise<void> =>
      changed(
        id,
        `previous_hash = decode($2, 'hex'), previous_hash_expires_at = now() + interval '${end}'`,
        sha256(secret),
      );
    const ofVersionOne = (): string => {
      const text = `sk-gate-v1-${randomBytes(32).toString('hex')}`;
      return `${text}${crc32(text).toString(16).padStart(8, '0')}`;
    };
    const [current, disabled, expired, inGrace, afterGrace, old, oldInGrace, oldAfterGrace] = await Promise.all(
      Array.from({ length: 8 }, made),
    );
    const previous = (): string => issueSecret('api_key', organization.organizationId).plaintext;
    const [earlier, tooEarly, oldCurrent, oldEarlier, oldTooEarly] = [
      previous(),
      previous(),
      ofVersionOne(),
      ofVersionOne(),
      ofVersionOne(),
    ] as const;
    await changed(disabled!.id, 'disabled = true');
    await changed(expired!.id, `expires_at = now() - interval '1 second'`);
    await withPrevious(inGrace!.id, earlier, '1 hour');
    await withPrevious(afterGrace!.id, tooEarly, '-1 second');
    await changed(old!.id, `hash = decode($2, 'hex')`, sha256(oldCurrent));
    await withPrevious(oldInGrace!.id, oldEarlier, '1 hour');
    await withPrevious(oldAfterGrace!.id, oldTooEarly, '-1 second');
    const [partners, ended] = [newSecret(), newSecret()];
    await newKey(app, organization.managementKey, { external: { user: 'one', api_key: partners } });
    const { data } = await newKey(app, organization.managementKey, { external: { user: 'two', api_key: ended } });
    await app.api.patch(`/keys/${data.hash}`, { key: organization.managementKey, json: { disabled: true } });

    const valid = [
      current!.plaintext,
      inGrace!.plaintext,
      earlier,
      afterGrace!.plaintext,
      oldCurrent,
      oldEarlier,
      partners,
    ];
    const invalid = [
      disabled!.plaintext,
      expired!.plaintext,
      tooEarly,
      oldTooEarly,
      ended,
      ofVersionOne(),
      newSecret(),
    ];
    const asked = async (key: string): Promise<[string, number, unknown]> => {
      const { status, body } = await app.api.get<{ data?: { label: string }; error?: object }>('/key', { key });
      return [key, status, body.data?.label];
    };
    const alone: [string, number, unknown][] = [];
    for (const key of [...valid, ...invalid]) alone.push(await asked(key));
    const atOnce = await Promise.all([...valid, ...invalid].flatMap((key) => [asked(key), asked(key)]));

    expect(alone.map(([, status]) => status)).toEqual([...valid.map(() => 200), ...invalid.map(() => 401)]);
    expect(atOnce).toEqual(alone.flatMap((answer) => [answer, answer]));
  });

  it('of clients are taken while they are current or their grace lasts, of both versions', async () => {
    const organization = await app.factory.organization();
    const secretOf: Readonly<Record<string, () => string>> = {
      'version 1': () => {
        const text = `cs-gate-v1-${randomBytes(32).toString('hex')}`;
        return `${text}${crc32(text).toString(16).padStart(8, '0')}`;
      },
      'version 2': () => issueSecret('client_secret', organization.organizationId).plaintext,
    };
    const taken: unknown[] = [];
    for (const [version, secret] of Object.entries(secretOf)) {
      const [current, inGrace, afterGrace] = [secret(), secret(), secret()];
      const [one, other] = [await app.factory.client(organization), await app.factory.client(organization)];
      const change = `UPDATE connect_clients SET secret_hash = coalesce(decode($2, 'hex'), secret_hash),
        previous_secret_hash = decode($3, 'hex'), previous_secret_expires_at = now() + $4::interval WHERE id = $1`;
      await app.rows(change, [one.id, sha256(current), sha256(inGrace), '1 hour']);
      await app.rows(change, [other.id, null, sha256(afterGrace), '-1 second']);
      for (const each of [current, inGrace, afterGrace, secret()])
        taken.push([version, await isSecretAccepted(app, each)]);
    }

    expect(taken).toEqual(
      Object.keys(secretOf).flatMap((version) => [true, true, false, false].map((isTaken) => [version, isTaken])),
    );
  });
});
