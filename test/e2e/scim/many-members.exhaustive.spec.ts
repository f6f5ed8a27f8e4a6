import { randomBytes } from 'node:crypto';
import { COMMAND_LINE } from '../../../src/modules/audit/audit-trail.js';
import { ScimGroupsService } from '../../../src/modules/scim/scim-groups.service.js';
import type { Answer } from '../../support/network/api-client.js';
import { ScimFixture } from '../../support/resources/scim.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { sharedApplication } from '../../support/application/shared-application.js';

const COUNT = 10_000;

describe('a group of 10,000 users', () => {
  const app = sharedApplication();
  const fixture = filledBefore(beforeAll, () => ScimFixture.make(app));
  let users: string[];
  let group: string;
  let groups: ScimGroupsService;

  beforeAll(async () => {
    const prefix = `user_${randomBytes(4).toString('hex')}`;
    users = Array.from({ length: COUNT }, (_, index) => `${prefix}_${index}`);
    // By parts, for a statement of the test has no more time than one of a request.
    for (let first = 0; first < COUNT; first += COUNT / 10) {
      const part = users.slice(first, first + COUNT / 10);
      await app.rows(
        `INSERT INTO users (id, name, email, created_at)
         SELECT id, 'User', 'user@example.com', now() FROM unnest($1::text[]) AS id`,
        [part],
      );
      await app.rows(
        `INSERT INTO organization_members (id, organization_id, user_id, role, created_at)
         SELECT gen_random_uuid(), $1, id, 'member', now() FROM unnest($2::text[]) AS id`,
        [fixture.organization.organizationId, part],
      );
    }
    groups = app.application.get(ScimGroupsService);
    group = await fixture.group();
    await groups.addMembers(COMMAND_LINE, fixture.organization.organizationId, group, users);
  });

  const counts = async (workspace: string): Promise<Record<string, number>> => {
    const rows = await app.rows<{ source: string; count: number }>(
      `SELECT concat_ws(' ', 'manual ' || manual_role, 'scim ' || scim_role) AS source, count(*)::int AS count
       FROM workspace_members WHERE workspace_id = $1 GROUP BY 1`,
      [workspace],
    );
    return Object.fromEntries(rows.map(({ source, count }) => [source, count]));
  };

  const send = (method: string, id: string, options: object = {}, query = ''): Promise<Answer> =>
    app.api.send(method, `/scim/group-mappings/${id}${query}`, { key: fixture.organization.managementKey, ...options });

  it('can be mapped, mapped again, unmapped, kept, extended and deleted, each with 200', async () => {
    const { organizationId } = fixture.organization;
    const [one, other] = [await fixture.workspace(), await fixture.workspace()];
    const first = await fixture.map(group, one);
    expect(await counts(one)).toEqual({ 'scim member': COUNT });

    expect((await send('PATCH', first.id, { json: { role: 'admin' } })).status).toBe(200);
    expect(await counts(one)).toEqual({ 'scim admin': COUNT });

    expect((await send('DELETE', first.id, {}, '?keep_members=false')).status).toBe(200);
    expect(await counts(one)).toEqual({});

    const second = await fixture.map(group, one);
    expect((await send('DELETE', second.id, {}, '?keep_members=true')).status).toBe(200);
    expect(await counts(one)).toEqual({ 'manual member': COUNT });

    await fixture.map(group, one);
    await fixture.map(group, other, 'admin');
    const part = users.slice(0, COUNT / 10);
    expect(await groups.removeMembers(COMMAND_LINE, organizationId, group, part)).toBe(part.length);
    expect(await counts(other)).toEqual({ 'scim admin': COUNT - part.length });
    expect(await groups.addMembers(COMMAND_LINE, organizationId, group, part)).toBe(part.length);
    expect(await counts(other)).toEqual({ 'scim admin': COUNT });

    await groups.remove(COMMAND_LINE, organizationId, group);
    expect([await counts(one), await counts(other)]).toEqual([{ 'manual member': COUNT }, {}]);
  });
});
