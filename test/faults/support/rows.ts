import { createHash } from 'node:crypto';
import { issueSecret } from '../../../src/modules/keys/credentials/key-format.js';
import { query } from './postgres-server.js';

/** Whose the rows are. */
export interface Owner {
  readonly organization_id: string;
  readonly user_id: string;
}

/** The SHA-256 of a secret in hex, as the path of a key has it. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Makes keys. @returns them, each known this once */
export async function makeKeys(
  url: string,
  { organization_id: organizationId, user_id: userId }: Owner,
  kind: 'management_key' | 'api_key',
  count: number,
): Promise<string[]> {
  const keys = Array.from({ length: count }, () => issueSecret(kind, organizationId).plaintext);
  await query(
    url,
    `INSERT INTO api_keys (id, organization_id, user_id, kind, hash, name, label, created_at)
     SELECT gen_random_uuid(), $1, $2, $3, decode(hash, 'hex'), 'fault', 'fault', now() FROM unnest($4::text[]) AS hash`,
    [organizationId, userId, kind, keys.map(hashOf)],
  );
  return keys;
}

/** Makes authorization codes without a challenge. @returns them, each known this once */
export async function makeCodes(
  url: string,
  { organization_id: organizationId, user_id: userId }: Owner,
  count: number,
): Promise<string[]> {
  const codes = Array.from({ length: count }, () => issueSecret('authorization_code', organizationId).plaintext);
  const origin = 'https://fault.example';
  await query(
    url,
    `INSERT INTO oauth_applications (organization_id, origin, created_at) VALUES ($1, $2, now()) ON CONFLICT DO NOTHING`,
    [organizationId, origin],
  );
  await query(
    url,
    `INSERT INTO authorization_codes
       (id, code_hash, organization_id, user_id, application_id, callback_url, expires_at, created_at)
     SELECT gen_random_uuid(), decode(hash, 'hex'), $1, $2,
       (SELECT id FROM oauth_applications WHERE organization_id = $1 AND origin = $3),
       $3 || '/callback', now() + interval '1 hour', now()
     FROM unnest($4::text[]) AS hash`,
    [organizationId, userId, origin, codes.map(hashOf)],
  );
  return codes;
}

/** Makes SCIM groups. @returns their ids */
export async function makeGroups(
  url: string,
  { organization_id: organizationId }: Pick<Owner, 'organization_id'>,
  count: number,
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    url,
    `INSERT INTO scim_groups (id, organization_id, display_name, created_at, updated_at)
     SELECT gen_random_uuid(), $1, 'Group ' || n, now(), now() FROM generate_series(1, $2) AS n RETURNING id`,
    [organizationId, count],
  );
  return rows.map(({ id }) => id);
}
