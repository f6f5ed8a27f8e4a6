import type { Pool } from 'pg';
import { credentialKindOf, hashSecret } from '../../src/modules/keys/key-format.js';
import { KEY_HOLDER, type KeyHolder } from '../../src/modules/keys/credentials.repository.js';

/** The same check of a credential as the service's: form, checksum, hash, row. @returns whose it is */
export async function authenticate(pool: Pool, header: string | undefined): Promise<KeyHolder> {
  const token = header?.slice('Bearer '.length) ?? '';
  if (credentialKindOf(token) === undefined) throw new Error('no credential');
  const { rows } = await pool.query<KeyHolder>({ ...KEY_HOLDER, values: [hashSecret(token)] });
  const holder = rows[0];
  if (holder === undefined || holder.disabled || holder.expired) throw new Error('refused');
  return holder;
}
