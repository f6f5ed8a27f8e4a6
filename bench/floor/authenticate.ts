import type { Pool } from 'pg';
import { readCredential } from '../../src/modules/keys/credentials/key-format.js';
import { KEY_OWNER } from '../../src/modules/keys/credentials/credentials.repository.js';
import type { KeyOwner } from '../../src/modules/keys/credentials/key-owner.js';
import { rows } from './rows.js';

/**
 * Checks a credential as the service does: form, checksum, organization, hash, row.
 *
 * @returns the row, which says whose it is
 */
export async function authenticate(pool: Pool, header: string | undefined): Promise<KeyOwner> {
  const token = header?.slice('Bearer '.length) ?? '';
  const reference = readCredential(token);
  if (reference === undefined) throw new Error('no credential');
  const { organizationId, hash } = reference;
  if (organizationId === null) throw new Error('a credential of version 1');
  const [owner] = await rows(pool, KEY_OWNER, [organizationId, hash]);
  if (owner === undefined || owner.disabled || owner.expired) throw new Error('refused');
  return owner;
}
