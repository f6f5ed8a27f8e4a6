import { insertBulk } from '../growth/bulk.js';
import { type TestBed, newKey } from './test-bed.js';

const KEYS = 100_000;

const GUARDRAILS = 1_000;

/** Gives the other organization of the demonstration very many keys and guardrails. @returns a key of it */
export async function growOrganization(testBed: TestBed): Promise<string> {
  const { organization_id: id, management_key: managementKey } = testBed.tenant.other_organization;
  const { key } = await newKey(testBed, managementKey);
  const user = `(SELECT min(user_id) FROM api_keys WHERE organization_id = '${id}')`;
  await insertBulk(
    (text) => testBed.database.query(text),
    [
      `INSERT INTO api_keys (id, organization_id, user_id, kind, hash, name, label, created_at)
        SELECT md5('grown-key-' || n)::uuid, '${id}', ${user}, 'api_key', sha256(convert_to('grown-key-' || n, 'UTF8')), 'grown', 'grown', now()
        FROM generate_series(1, ${KEYS}) AS n`,
      `INSERT INTO guardrails (id, organization_id, workspace_id, name, include_byok_in_budgets, created_at)
        SELECT md5('grown-guardrail-' || n)::uuid, '${id}', w.id, 'Guardrail ' || n, false, now()
        FROM generate_series(1, ${GUARDRAILS}) AS n
        CROSS JOIN (SELECT id FROM workspaces WHERE organization_id = '${id}' AND is_default) AS w`,
      `INSERT INTO guardrail_key_assignments (id, organization_id, guardrail_id, key_id, assigned_by, created_at)
        SELECT md5('grown-assignment-' || n)::uuid, '${id}', md5('grown-guardrail-' || (n % ${GUARDRAILS} + 1))::uuid,
          md5('grown-key-' || n)::uuid, ${user}, now()
        FROM generate_series(1, ${KEYS}) AS n`,
    ],
  );
  return key;
}
