import { sharedApplication } from '../../support/application/shared-application.js';
import { COMMAND_LINE } from '../../../src/modules/audit/audit-trail.js';
import { ScimGroupsService } from '../../../src/modules/scim/scim-groups.service.js';
import { auditEventsOf, type RecordedEvent } from '../../support/expectations/audit-events.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { ScimFixture } from '../../support/resources/scim.js';

describe('the members of a SCIM group, as the command line changes them', () => {
  const app = sharedApplication({ topic: 'suite' });
  const fixture = filledBefore(beforeAll, () => ScimFixture.make(app));

  const add = (group: string, userIds: string[]): Promise<number> =>
    app.application
      .get(ScimGroupsService)
      .addMembers(COMMAND_LINE, fixture.organization.organizationId, group, userIds);

  const remove = (group: string, userIds: string[]): Promise<number> =>
    app.application
      .get(ScimGroupsService)
      .removeMembers(COMMAND_LINE, fixture.organization.organizationId, group, userIds);

  const membersOf = async (group: string): Promise<string[]> => {
    const rows = await app.rows<{ user_id: string }>(
      'SELECT user_id FROM scim_group_members WHERE scim_group_id = $1 ORDER BY user_id',
      [group],
    );
    return rows.map(({ user_id }) => user_id);
  };

  /** What the audit trail says of a group since its creation, the users in alphabetical order. */
  const recordedOf = async (group: string): Promise<unknown[]> => {
    const sorted = ([name, { before, after }]: [string, { before?: unknown; after?: unknown }]): unknown[] => [
      name,
      ...[before, after].map((users) => (Array.isArray(users) ? users.toSorted() : users)),
    ];
    return (await auditEventsOf(app, group))
      .filter(({ action }) => action !== 'scim_group.create')
      .map(({ action, actor_kind: actor, changes }: RecordedEvent) => [
        action,
        actor,
        ...Object.entries(changes ?? {}).map(sorted),
      ]);
  };

  it('are recorded as added where they were not in it before, and only those', async () => {
    const [old, fresh, other] = (await fixture.users(3)) as [string, string, string];
    const group = await fixture.group();
    await add(group, [old]);

    expect(await add(group, [old, fresh, other])).toBe(2);

    expect(await membersOf(group)).toEqual([old, fresh, other].sort());
    expect(await recordedOf(group)).toEqual([
      ['scim_group.add_members', 'command_line', ['user_ids', undefined, [old]]],
      ['scim_group.add_members', 'command_line', ['user_ids', undefined, [fresh, other].sort()]],
    ]);
    expect(await add(group, [old, fresh])).toBe(0);
    expect(await recordedOf(group)).toHaveLength(2);
  });

  it('are recorded as removed where they were in it, and only those', async () => {
    const [member, stays, stranger] = (await fixture.users(3)) as [string, string, string];
    const [group, another] = [await fixture.group(), await fixture.group()];
    await add(group, [member, stays]);
    await add(another, [stranger]);

    expect(await remove(group, [stranger, member, 'user_nobody'])).toBe(1);

    expect([await membersOf(group), await membersOf(another)]).toEqual([[stays], [stranger]]);
    expect((await recordedOf(group)).slice(1)).toEqual([
      ['scim_group.remove_members', 'command_line', ['user_ids', [member], undefined]],
    ]);
    expect(await remove(group, [stranger, member])).toBe(0);
    expect(await recordedOf(group)).toHaveLength(2);
  });

  it('are recorded after the creation of the group, and its deletion after them', async () => {
    const group = await fixture.group();
    const groups = app.application.get(ScimGroupsService);
    const named = { displayName: 'Engineering', externalId: 'idp-7' };
    const other = await groups.add(COMMAND_LINE, fixture.organization.organizationId, named);
    await groups.remove(COMMAND_LINE, fixture.organization.organizationId, group);

    const recorded = async (id: string): Promise<unknown> => (await auditEventsOf(app, id)).at(-1);
    const place = { target_type: 'scim_group', actor_kind: 'command_line', actor_id: null };
    expect(await recorded(other)).toEqual({
      action: 'scim_group.create',
      target_id: other,
      ...place,
      changes: { display_name: { after: 'Engineering' }, external_id: { after: 'idp-7' } },
    });
    expect(await recorded(group)).toEqual({ action: 'scim_group.delete', target_id: group, ...place, changes: {} });
  });
});
