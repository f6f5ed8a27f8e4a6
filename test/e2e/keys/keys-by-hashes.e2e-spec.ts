import { sharedApplication } from '../../support/application/shared-application.js';
import { Statements } from '../../../src/persistence/statements.js';
import { KeysService } from '../../../src/modules/keys/keys.service.js';
import { sha256 } from '../../support/resources/authorization-codes.js';
import { labelOf } from '../../support/resources/keys.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

describe('keys by their hashes', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = sharedOrganization(app);

  const byHashes = async (hashes: string[]): Promise<[string, unknown][]> => {
    const { organizationId } = organization;
    const on = app.application.get(Statements);
    return [...(await app.application.get(KeysService).byHashes(on, organizationId, hashes))];
  };

  it('are found once each, with what other modules need', async () => {
    const workspaceId = await app.factory.workspace(organization);
    const one = await app.factory.key(organization, { name: 'One' });
    const other = await app.factory.key(organization, { name: 'Other', workspaceId });

    const found = await byHashes([one.hash, other.hash, one.hash]);

    expect(found).toHaveLength(2);
    expect(Object.fromEntries(found)).toEqual({
      [one.hash]: {
        id: one.id,
        hash: one.hash,
        name: 'One',
        label: labelOf(one.plaintext),
        userId: organization.userId,
        workspaceId: null,
      },
      [other.hash]: {
        id: other.id,
        hash: other.hash,
        name: 'Other',
        label: labelOf(other.plaintext),
        userId: organization.userId,
        workspaceId,
      },
    });
  });

  it('are not found for management keys, for keys of another organization and for unknown hashes', async () => {
    const theirs = await app.factory.key(await app.factory.organization());
    const hashes = [sha256(organization.managementKey), theirs.hash, sha256('nothing'), 'x', '', 'a'.repeat(63)];

    expect(await byHashes(hashes)).toEqual([]);
    expect(await byHashes([])).toEqual([]);
  });

  it("are not found by the hash before a rotation of another organization's key, nor of a management key", async () => {
    const theirs = await app.factory.key(await app.factory.organization());
    const management = await app.factory.key(organization, { kind: 'management_key' });
    const olds = [sha256('their old key'), sha256('old management key')];
    await app.rows(
      `UPDATE api_keys SET previous_hash = decode(old.hash, 'hex'), previous_hash_expires_at = now() + interval '1 minute'
       FROM unnest($1::uuid[], $2::text[]) AS old (id, hash) WHERE api_keys.id = old.id`,
      [[theirs.id, management.id], olds],
    );

    expect(await byHashes(olds)).toEqual([]);
  });

  it('are also found by the hash before the last rotation while its grace lasts', async () => {
    const { id, hash } = await app.factory.key(organization);
    const old = sha256('old');
    await app.rows(
      `UPDATE api_keys SET previous_hash = decode($2, 'hex'), previous_hash_expires_at = now() + interval '1 minute'
       WHERE id = $1`,
      [id, old],
    );

    const found = await byHashes([old, hash]);
    expect(found.map(([asked]) => asked).sort()).toEqual([old, hash].sort());
    expect(found.map(([, key]) => key)).toEqual([
      expect.objectContaining({ id, hash }),
      expect.objectContaining({ id, hash }),
    ]);
    await app.rows(`UPDATE api_keys SET previous_hash_expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
    expect((await byHashes([old, hash])).map(([asked]) => asked)).toEqual([hash]);
  });
});
