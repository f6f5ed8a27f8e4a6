import { sharedApplication } from '../../support/application/shared-application.js';
import { setTimeout as delay } from 'node:timers/promises';
import { GatehouseProcess } from '../../support/processes/gatehouse-process.js';
import { Directory } from './directory.js';

/** How often the service is killed. */
const ROUNDS = 4;

/** Users whom the directory writes at the same time. */
const USERS = 8;

/** How long the service is let work at most once it has answered, in milliseconds. */
const SPREAD_MS = 400;

/** What is known of a user: what the directory was answered, and whether it waits for another answer. */
interface Written {
  readonly id: string;
  readonly key: string;
  isActive: boolean;
  isInGroup: boolean;
  isUncertain: boolean;
  answers: number;
}

describe('a service that is killed between two writes of a directory', () => {
  const app = sharedApplication({ topic: 'suite' });

  afterEach(() => GatehouseProcess.killAll());

  it('has done each of them as a whole or not at all, and all that it answered (200, 204): keys follow users, and workspaces follow groups', async () => {
    const directory = await Directory.make(app);
    const { organization, token } = directory;
    const { organizationId } = organization;
    const variables = { DATABASE_URL: app.database.url, ENCRYPTION_KEY: '11'.repeat(32) };
    const workspaceId = await app.factory.workspace(organization);
    const groupId = await directory.group('Killed');
    await app.factory.scimMapping(organization, groupId, workspaceId);
    const users: Written[] = [];
    for (let number = 0; number < USERS; number += 1) {
      const id = await directory.user(`killed-${number}@example.com`);
      const { plaintext: key } = await app.factory.key({ ...organization, userId: id });
      users.push({ id, key, isActive: true, isInGroup: false, isUncertain: false, answers: 0 });
    }

    /** @returns undefined where the connection has ended with the service */
    const patch = async (origin: string, path: string, operation: object): Promise<number | undefined> => {
      const request = fetch(`${origin}/api/v1/scim/v2${path}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
        body: JSON.stringify({
          schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
          Operations: [operation],
        }),
      });
      return request.then(
        ({ status }) => status,
        () => undefined,
      );
    };

    /** Turns one thing of a user over and over, until the service is gone. */
    const write = async (origin: string, user: Written): Promise<void> => {
      for (;;) {
        const isOfGroup = user.answers % 2 === 1;
        user.isUncertain = true;
        const status = isOfGroup
          ? await patch(origin, `/Groups/${groupId}`, {
              op: user.isInGroup ? 'Remove' : 'Add',
              path: 'members',
              value: [{ value: user.id }],
            })
          : await patch(origin, `/Users/${user.id}`, {
              op: 'Replace',
              path: 'active',
              value: user.isActive ? 'False' : 'True',
            });
        if (status === undefined) return;
        expect(status).toBe(isOfGroup ? 204 : 200);
        if (isOfGroup) user.isInGroup = !user.isInGroup;
        else user.isActive = !user.isActive;
        user.isUncertain = false;
        user.answers += 1;
      }
    };

    for (let round = 0; round < ROUNDS; round += 1) {
      const service = GatehouseProcess.service(variables);
      const origin = await service.origin();
      const before = users.reduce((sum, { answers }) => sum + answers, 0);
      const writers = users.map((user) => write(origin, user));
      while (users.reduce((sum, { answers }) => sum + answers, 0) < before + USERS) await delay(5);
      await delay((SPREAD_MS * (round + 1)) / ROUNDS);
      service.signal('SIGKILL');
      await Promise.all([...writers, service.end()]);

      // What the service has sent before, PostgreSQL still does.
      const working = `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`;
      while ((await app.rows(working)).length > 0) await delay(5);
      for (const user of users) {
        const [row] = await app.rows<{
          isActive: boolean;
          isInGroup: boolean;
          isInWorkspace: boolean;
          isSuspended: boolean;
        }>(
          `SELECT m.deactivated_at IS NULL AS "isActive",
             EXISTS (SELECT FROM scim_group_members g WHERE g.organization_id = $1 AND g.user_id = $2) AS "isInGroup",
             EXISTS (SELECT FROM workspace_members w
               WHERE w.organization_id = $1 AND w.user_id = $2 AND w.workspace_id = $3) AS "isInWorkspace",
             (SELECT 'member_deactivated' = ANY (k.suspension_causes) FROM api_keys k
               WHERE k.organization_id = $1 AND k.user_id = $2) AS "isSuspended"
           FROM organization_members m WHERE m.organization_id = $1 AND m.user_id = $2`,
          [organizationId, user.id, workspaceId],
        );
        const { isActive, isInGroup } = row!;
        expect(row).toEqual({ isActive, isInGroup, isInWorkspace: isInGroup, isSuspended: !isActive });
        if (!user.isUncertain) expect([isActive, isInGroup]).toEqual([user.isActive, user.isInGroup]);
        expect((await app.api.get('/key', { key: user.key })).status).toBe(isActive ? 200 : 401);
        const events = await app.rows<{ action: string }>(
          `SELECT action FROM audit_events WHERE organization_id = $1 AND target_id = $2
             AND action IN ('member.deactivate', 'member.reactivate') ORDER BY created_at, id`,
          [organizationId, user.id],
        );
        // One event a change: they take turns, and the last one is that of the state.
        const turns = events.map((_, index) => (index % 2 === 0 ? 'member.deactivate' : 'member.reactivate'));
        expect(events.map(({ action }) => action)).toEqual(turns);
        expect(events.length % 2 === 0).toBe(isActive);
        // The write that the kill has cut off was done, or not.
        Object.assign(user, { isActive, isInGroup, isUncertain: false });
      }
    }
    const { code, stderr } = await GatehouseProcess.command(['audit', 'verify'], variables);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(users.every(({ answers }) => answers > 0)).toBe(true);
  });
});
