import type { Pool } from 'pg';
import { readCredential } from '../../src/modules/keys/credentials/key-format.js';
import { KEY_OWNER } from '../../src/modules/keys/credentials/credentials.repository.js';
import type { KeyOwner } from '../../src/modules/keys/credentials/key-owner.js';

/** The same check of a credential as the service's: form, checksum, organization, hash, row. @returns whose it is */
export async function authenticate(pool: Pool, header: string | undefined): Promise<KeyOwner> {
  const token = header?.slice('Bearer '.length) ?? '';
  const reference = readCredential(token);
  if (reference === undefined) throw new Error('no credential');
  const { organizationId, hash } = reference;
  const { rows } = await pool.query<KeyOwner>({ ...KEY_OWNER, values: [organizationId, hash] });
  const owner = rows[0];
  if (owner === undefined || owner.disabled || owner.expired) throw new Error('refused');
  return owner;
}
