import { sharedApplication } from '../../support/application/shared-application.js';
import type { DeleteWorkspaceResponse } from '../../../src/modules/workspaces/dto/workspace.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal, type Refusal } from '../../support/expectations/error-envelope.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

export const CONFIRMED = '?confirm_default_workspace_deletion=true';

/** Where it is recorded and counted what is done to other tables. */
const BOOKKEEPING = ['audit_events', 'audit_heads', 'audit_links', 'list_counts'];

export type Rows = ReadonlyMap<string, readonly string[]>;

/** What the tests of deleteWorkspace send, and what they look at. */
export function workspaceDeletion() {
  const app = sharedApplication({ topic: 'workspace-deletion' });
  const organization = organizationPerTest(app);

  const remove = (reference: string, owner = organization): Promise<Answer<DeleteWorkspaceResponse>> =>
    app.api.delete(`/workspaces/${reference}`, { key: owner.managementKey });

  const deleted = async (reference: string, owner = organization): Promise<void> => {
    const answer = await remove(reference, owner);
    expect(answer.text).toBe('{"deleted":true}');
    expect(answer.status).toBe(200);
    expectToFitContract('deleteWorkspace', 200, answer.body);
  };

  /** Every row of the database, as text. */
  const everything = async (): Promise<Rows> => {
    const tables = await app.rows<{ name: string }>(
      `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    const rows = new Map<string, string[]>();
    for (const { name } of tables) {
      if (BOOKKEEPING.includes(name)) continue;
      const found = await app.rows<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${name} t`);
      rows.set(
        name,
        found.map(({ row }) => row),
      );
    }
    return rows;
  };

  /** Refused, and nothing deleted. */
  const expectRefused = async (reference: string, refusal: Refusal): Promise<Answer> => {
    const before = await everything();
    const answer = await remove(reference);
    expectRefusal(answer, { userId: organization.userId, ...refusal });
    expectToFitContract('deleteWorkspace', refusal.status, answer.body);
    expect(await everything()).toEqual(before);
    return answer;
  };

  const activeKeys = (...paths: string[]): Refusal => ({
    status: 400,
    reason: paths.length === 1 ? 'workspace_has_active_keys' : 'invalid_parameters',
    paths,
  });

  return { app, organization, deleted, everything, expectRefused, activeKeys };
}
