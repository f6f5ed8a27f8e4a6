import { type DataSource } from 'typeorm';
import { countList, stopCountingList } from '../../src/persistence/count-list.js';
import { inOwnerTransaction } from '../support/database/privileged-connections.js';
import { newTenant, type Tenant } from '../support/resources/tenant.js';
import { migratedDatabase } from './migrated-database.js';

/** The lists whose rows triggers count, with what they are counted by. */
const COUNTED_LISTS: Readonly<Record<string, string | readonly string[]>> = {
  organization_members: 'organization_id',
  workspaces: 'organization_id',
  workspace_members: `organization_id || '/' || workspace_id`,
  guardrails: `organization_id || '/' || workspace_id`,
  guardrail_key_assignments: ['organization_id', `organization_id || '/' || guardrail_id`],
  guardrail_member_assignments: ['organization_id', `organization_id || '/' || guardrail_id`],
  member_guardrails: ['organization_id', `organization_id || '/' || guardrail_id`],
  scim_groups: 'organization_id',
  scim_group_mappings: 'organization_id',
  observability_destinations: `organization_id || '/' || workspace_id`,
  connect_clients: 'organization_id',
  presets: `organization_id || '/' || workspace_id`,
  alerts: 'organization_id',
  inspectors: 'organization_id',
  mcp_servers: 'organization_id',
  limits: 'organization_id',
  limit_exceptions: `organization_id || '/' || limit_id`,
  federation_issuers: 'organization_id',
  federation_policies: 'organization_id',
  private_endpoints: 'organization_id',
  private_providers: 'organization_id',
  sign_in_connections: 'organization_id',
};

describe('the migrations', () => {
  const { app, dataSource } = migratedDatabase();

  describe('count the rows of lists', () => {
    /** The lists whose count is not the number of their rows. */
    const miscounted = (connection: DataSource): Promise<unknown[]> =>
      connection.query(
        `SELECT * FROM (${Object.entries(COUNTED_LISTS)
          .flatMap(([table, scopes]) => [scopes].flat().map((scope) => [table, scope]))
          .map(
            ([table, scope]) =>
              `SELECT '${table}' AS list, ${scope} AS scope, count(*) AS rows FROM ${table} WHERE ${scope} IS NOT NULL GROUP BY 2`,
          )
          .join(' UNION ALL ')}) AS actual
         FULL JOIN (SELECT list, scope, sum(row_count) AS counted FROM list_counts GROUP BY 1, 2) AS kept USING (list, scope)
         WHERE coalesce(rows, 0) <> coalesce(counted, 0)`,
      );

    const totalOf = async (path: string, tenant: Tenant): Promise<number> => {
      const { body } = await app.api.get<{ total_count: number }>(path, { key: tenant.managementKey });
      return body.total_count;
    };

    it('that exist when the counters are created', async () => {
      const tenant = await newTenant(app, 'tenant');
      await inOwnerTransaction(app, async (runner) => {
        for (const table of Object.keys(COUNTED_LISTS)) await stopCountingList(runner, table);
        await runner.query('DELETE FROM list_counts');
        await runner.query(`UPDATE guardrails SET workspace_id = NULL WHERE workspace_id = $1`, [
          tenant.otherWorkspaceId,
        ]);
        for (const [table, scopes] of Object.entries(COUNTED_LISTS)) {
          const [scope, secondScope] = [scopes].flat();
          await countList(runner, { table, scope: scope!, ...(secondScope !== undefined && { secondScope }) });
        }
      });

      expect(await miscounted(dataSource())).toEqual([]);
      // A guardrail from before workspaces is in no list.
      const totals = await Promise.all(
        [tenant.otherWorkspaceId, tenant.workspaceId].map((id) => totalOf(`/guardrails?workspace_id=${id}`, tenant)),
      );
      expect(totals).toEqual([0, 1]);
    });

    it('through concurrent changes, rollbacks and cascading deletes', async () => {
      const [tenant, other] = [await newTenant(app, 'tenant'), await newTenant(app, 'other')];
      expect(await miscounted(dataSource())).toEqual([]);

      await Promise.all(
        Array.from({ length: 30 }, () =>
          app.api.post('/guardrails', { key: tenant.managementKey, json: { name: 'One of many' } }),
        ),
      );
      await app.rows(
        `INSERT INTO scim_group_mappings (id, organization_id, scim_group_id, workspace_id, role, created_at, updated_at)
         SELECT gen_random_uuid(), g.organization_id, g.id, w.id, 'member', now(), now()
         FROM scim_groups g JOIN workspaces w USING (organization_id) ON CONFLICT DO NOTHING`,
      );
      await expect(
        dataSource().transaction(async (manager) => {
          await manager.query('DELETE FROM guardrails');
          await manager.query('DELETE FROM organization_members WHERE user_id = $1', [tenant.memberId]);
          throw new Error('on second thoughts');
        }),
      ).rejects.toThrow('on second thoughts');
      expect(await miscounted(dataSource())).toEqual([]);
      const { body } = await app.api.get<{ total_count: number }>('/scim/group-mappings', {
        key: tenant.managementKey,
      });
      expect(body.total_count).toBe(4);

      await app.rows('DELETE FROM organization_members WHERE user_id = $1', [tenant.memberId]);
      await app.rows('DELETE FROM workspaces WHERE id = $1', [tenant.otherWorkspaceId]);
      await app.rows('DELETE FROM scim_groups WHERE organization_id = $1', [other.organizationId]);
      await app.rows('DELETE FROM organizations WHERE id = $1', [other.organizationId]);
      expect(await miscounted(dataSource())).toEqual([]);
      expect(await totalOf('/guardrails', tenant)).toBe(31);
    });
  });
});
