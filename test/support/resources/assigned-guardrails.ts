import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import type { TestApplication } from '../application/test-application.js';

/** The ids of the guardrails that are assigned to a key, which its workspace and its owner have no part in. */
export async function assignedGuardrails(
  app: Pick<TestApplication, 'rows'>,
  { id }: Pick<IssuedCredential, 'id'>,
): Promise<readonly string[]> {
  const rows = await app.rows<{ id: string }>(
    'SELECT guardrail_id AS id FROM guardrail_key_assignments WHERE key_id = $1',
    [id],
  );
  return rows.map((row) => row.id);
}
