import { COMMAND_LINE } from '../../../src/modules/audit/audit-trail.js';
import { MembersService } from '../../../src/modules/organizations/members/members.service.js';
import { Statements } from '../../../src/persistence/statements.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { sharedAlertingGateway } from './shared-alerting-gateway.js';

describe('an alert of members who are deactivated', () => {
  const alerting = sharedAlertingGateway();

  it('notifies once when a directory has deactivated more than a fifth within an hour, and never of an administrator', async () => {
    const { factory, application } = alerting.app;
    const organization = await factory.organization();
    const { organizationId } = organization;
    const userIds: string[] = [];
    for (let index = 0; index < 9; index += 1) userIds.push(await factory.member(organizationId));
    const deactivate = (ids: readonly string[], by: 'directory' | 'administrator'): Promise<unknown> =>
      application
        .get(Statements)
        .transaction((tx) =>
          application.get(MembersService).deactivate(tx, COMMAND_LINE, { organizationId, userIds: ids, by }),
        );
    await alerting.alert(organization, { kind: 'members_deactivated' });

    await deactivate(userIds.slice(0, 3), 'administrator');
    await deactivate(userIds.slice(3, 4), 'directory');
    await alerting.notify();
    expect(alerting.sent).toEqual([]);
    await deactivate(userIds.slice(6, 8), 'directory');
    await alerting.app.rows(
      "UPDATE organization_members SET deactivated_at = now() - interval '61 minutes' WHERE user_id = ANY ($1)",
      [userIds.slice(6, 8)],
    );
    await alerting.notify();
    expect(alerting.sent).toEqual([]);
    await deactivate(userIds.slice(4, 6), 'directory');
    await alerting.notify();
    await alerting.notify();

    expect(alerting.sent).toMatchObject([
      { type: 'alert.members_deactivated', data: { deactivated_members: 3, active_members: 2 } },
    ]);
  });

  it.each([
    [19, []],
    [20, [20]],
  ])(
    'notifies of %i members of a large organization: from twenty on, however small a share they are',
    async (count, notified) => {
      const { factory, application } = alerting.app;
      const organization = await factory.organization();
      const { organizationId } = organization;
      const userIds: string[] = [];
      for (let index = 0; index < 110; index += 1) userIds.push(await factory.member(organizationId));
      await alerting.alert(organization, { kind: 'members_deactivated' });
      const changes = { organizationId, userIds: userIds.slice(0, count), by: 'directory' } as const;
      await application
        .get(Statements)
        .transaction((tx) => application.get(MembersService).deactivate(tx, COMMAND_LINE, changes));
      await alerting.notify();

      expect(alerting.sent.map(({ data }) => data['deactivated_members'])).toEqual(notified);
      const events = await auditEventsOf(alerting.app, organizationId);
      expect(events.filter(({ action }) => action === 'organization.mass_deactivation')).toHaveLength(notified.length);
    },
  );
});
