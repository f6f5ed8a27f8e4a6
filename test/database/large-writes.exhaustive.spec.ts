import type { NewOrganization } from '../../src/modules/installation/installation.service.js';
import { COMMAND_LINE } from '../../src/modules/audit/audit-trail.js';
import { ScimGroupsService } from '../../src/modules/scim/scim-groups.service.js';
import { ResponseCache } from '../../src/modules/response-cache/response-cache.service.js';
import { newLimit } from '../support/resources/limits.js';
import { ScimFixture } from '../support/resources/scim.js';
import { filledBefore } from '../support/application/filled-before.js';
import { sharedApplication } from '../support/application/shared-application.js';

/** What the writes below change, each but once or twice. */
const SLOW_TABLES = [
  'cached_responses',
  'connect_clients',
  'guardrails',
  'limits',
  'scim_group_mappings',
  'scim_group_members',
  'workspaces',
];

/** Where statements take longer than those of a request may, as they do when there is enough that they change. */
describe('writes whose size depends on the data', () => {
  const app = sharedApplication({ variables: { DATABASE_STATEMENT_TIMEOUT_MS: '1500' } });
  const fixture = filledBefore(beforeAll, () => ScimFixture.make(app));
  let organization: NewOrganization;

  beforeAll(() => {
    ({ organization } = fixture);
  });

  const becomeSlow = async (): Promise<void> => {
    await app.rows(`CREATE FUNCTION take_longer() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_sleep(1.6);
        RETURN NULL;
      END $$`);
    for (const table of SLOW_TABLES) {
      // Ahead of the others by its name, which is before any of them has taken a lock.
      await app.rows(`CREATE TRIGGER a_longer_while AFTER INSERT OR UPDATE OR DELETE ON ${table}
        FOR EACH STATEMENT EXECUTE FUNCTION take_longer()`);
    }
  };

  const send = async (method: string, path: string, json?: object): Promise<number> =>
    (await app.api.send(method, path, { key: organization.managementKey, ...(json && { json }) })).status;

  const mapping = async (userIds: string[] = []): Promise<{ path: string; workspace: string }> => {
    const workspace = await fixture.workspace();
    const { id } = await fixture.map(await fixture.group(userIds), workspace);
    return { path: `/scim/group-mappings/${id}`, workspace };
  };

  it('answer 200 though they take longer than the statement timeout, and other writes answer 503', async () => {
    const { organizationId } = organization;
    const groups = app.application.get(ScimGroupsService);
    const [one, other] = (await fixture.users(2)) as [string, string];
    const [group, workspace, full, gone] = [
      await fixture.group([one]),
      await fixture.workspace(),
      await fixture.group([one]),
      await fixture.group([one]),
    ];
    const [patched, unmapped, kept] = [await mapping([one]), await mapping([one]), await mapping([one])];
    const [toDelete, renamed] = [await fixture.workspace(), await fixture.workspace()];
    const { id: guardrail } = await app.factory.guardrail(organization);
    const { id: client } = await app.factory.client(organization);
    const limit = await newLimit(app, organization);
    await becomeSlow();

    const done = await Promise.all([
      send('POST', '/scim/group-mappings', { scim_group_id: group, workspace_id: workspace }),
      send('PATCH', patched.path, { role: 'admin' }),
      send('DELETE', `${unmapped.path}?keep_members=false`),
      send('DELETE', `${kept.path}?keep_members=true`),
      send('DELETE', `/workspaces/${toDelete}`),
      send('DELETE', `/guardrails/${guardrail}`),
      send('DELETE', `/connect/clients/${client}`),
      send('DELETE', `/limits/${limit}`),
      groups.addMembers(COMMAND_LINE, organizationId, full, [other]),
      groups.remove(COMMAND_LINE, organizationId, gone),
    ]);
    await app.application.get(ResponseCache).purge(organizationId);
    const changed = await groups.removeMembers(COMMAND_LINE, organizationId, full, [one]);

    expect(done).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 1, undefined]);
    expect(changed).toBe(1);
    expect(await fixture.memberships(workspace)).toEqual(fixture.mapped([one]));
    expect(await fixture.memberships(patched.workspace)).toEqual(fixture.mapped([one], 'admin'));
    expect(await fixture.memberships(unmapped.workspace)).toEqual([]);
    expect(await fixture.memberships(kept.workspace)).toEqual([
      { user_id: one, role: 'member', manual_role: 'member', scim_role: null },
    ]);
    expect(await send('PATCH', `/workspaces/${renamed}`, { name: 'Renamed' })).toBe(503);
  });
});
