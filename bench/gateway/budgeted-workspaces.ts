import { createHash } from 'node:crypto';
import { composeSecret, hashSecret } from '../../src/modules/keys/credentials/key-format.js';
import { uuidOf } from '../support/tenant.js';
import type { BenchSpender } from '../support/generation.js';
import { insertBulk } from '../growth/bulk.js';
import type { TestBed } from './test-bed.js';

/** Whose requests count toward a budget, and the key that they have. */
export interface BudgetedSpender extends BenchSpender {
  readonly credential: string;
}

/** US dollars, which no benchmark spends. */
const BUDGET = 1_000_000_000;

/**
 * Gives an organization workspaces, each with a monthly budget and a key.
 *
 * @param name begins the names of what is made
 * @returns whose requests count toward each of them
 */
export async function addBudgetedWorkspaces(
  { database }: TestBed,
  organizationId: string,
  name: string,
  count: number,
): Promise<readonly BudgetedSpender[]> {
  const [owner] = await database.query<{ userId: string }>(
    'SELECT min(user_id) AS "userId" FROM api_keys WHERE organization_id = $1',
    [organizationId],
  );
  const userId = owner!.userId;
  const id = (kind: string): string => `md5('${name}-${kind}-' || n)::uuid`;
  const credentials = Array.from({ length: count }, (_, index) =>
    composeSecret(
      'api_key',
      organizationId,
      createHash('sha256')
        .update(`${name}-${index + 1}`)
        .digest(),
    ),
  );
  const hashes = credentials.map((credential) => hashSecret(credential).toString('hex'));
  const each = `FROM unnest(string_to_array('${hashes.join(',')}', ',')) WITH ORDINALITY AS numbered (hash, n)`;
  await insertBulk(
    (text) => database.query(text),
    [
      `INSERT INTO workspaces (id, organization_id, name, slug, is_default, default_guardrail_id, created_at)
        SELECT ${id('workspace')}, '${organizationId}', '${name} ' || n, '${name}-' || n, false, gen_random_uuid(), now() ${each}`,
      `INSERT INTO workspace_budgets (id, organization_id, workspace_id, "interval", limit_usd, created_at, updated_at)
        SELECT ${id('budget')}, '${organizationId}', ${id('workspace')}, 'monthly', ${BUDGET}, now(), now() ${each}`,
      `INSERT INTO api_keys (id, organization_id, user_id, kind, hash, name, label, workspace_id, created_at)
        SELECT ${id('key')}, '${organizationId}', '${userId}', 'api_key', decode(hash, 'hex'), '${name}', '${name}',
          ${id('workspace')}, now() ${each}`,
    ],
  );
  return credentials.map((credential, index) => ({
    credential,
    organizationId,
    userId,
    workspaceId: uuidOf(`${name}-workspace-${index + 1}`),
    keyId: uuidOf(`${name}-key-${index + 1}`),
  }));
}
