import type { MemberRole } from '../../../src/auth/roles.js';
import { Statements } from '../../../src/persistence/statements.js';
import { COMMAND_LINE } from '../../../src/modules/audit/audit-trail.js';
import type { DeactivatedBy } from '../../../src/modules/organizations/member-role.js';
import { MembersService, type NewMember } from '../../../src/modules/organizations/members/members.service.js';
import type { TestApplication } from '../application/test-application.js';

/** Changes what members of an organization are, as the command line and a directory do. */
export class MemberStates {
  constructor(
    private readonly app: TestApplication,
    private readonly organizationId: () => string,
  ) {}

  deactivate(userIds: readonly string[], by: DeactivatedBy = 'administrator'): Promise<readonly string[]> {
    return this.transaction((members, tx) => members.deactivate(tx, COMMAND_LINE, this.of(userIds, by)));
  }

  reactivate(userIds: readonly string[], by: DeactivatedBy = 'administrator'): Promise<readonly string[]> {
    return this.transaction((members, tx) => members.reactivate(tx, COMMAND_LINE, this.of(userIds, by)));
  }

  end(userIds: readonly string[], by: DeactivatedBy = 'directory'): Promise<readonly string[]> {
    return this.transaction((members, tx) => members.end(tx, COMMAND_LINE, this.of(userIds, by)));
  }

  changeRole(userIds: readonly string[], role: MemberRole): Promise<readonly string[]> {
    const changed = { organizationId: this.organizationId(), userIds, role };
    return this.transaction((members, tx) => members.changeRole(tx, COMMAND_LINE, changed));
  }

  add(added: readonly NewMember[]): Promise<readonly string[]> {
    return this.transaction((members, tx) => members.add(tx, COMMAND_LINE, this.organizationId(), added));
  }

  private of(userIds: readonly string[], by: DeactivatedBy) {
    return { organizationId: this.organizationId(), userIds, by };
  }

  private transaction<T>(
    work: (members: MembersService, tx: Parameters<Parameters<Statements['transaction']>[0]>[0]) => Promise<T>,
  ): Promise<T> {
    const members = this.app.application.get(MembersService);
    return this.app.application.get(Statements).transaction((tx) => work(members, tx));
  }
}
