import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../persistence/statements.js';
import type { Actor } from '../../audit/audit-trail.js';
import { type ChangedMemberStates, type MemberHook, MemberHooks } from '../../organizations/members/member-hooks.js';
import { WorkspaceHooks } from '../../workspaces/workspace-hooks.js';
import { ScimGroupsRepository } from '../scim-groups.repository.js';
import { ScimUsersRepository } from './scim-users.repository.js';

/**
 * Forgets what a directory has said of members who have ended by whatever means: their names are free for new users, and they are in no
 * group.
 */
@Injectable()
export class EndedMembersHook implements MemberHook {
  constructor(
    private readonly users: ScimUsersRepository,
    private readonly groups: ScimGroupsRepository,
    private readonly workspaces: WorkspaceHooks,
    hooks: MemberHooks,
  ) {
    hooks.register(this);
  }

  async ended(tx: Transaction, actor: Actor, { organizationId, userIds }: ChangedMemberStates): Promise<void> {
    for (const groupId of await this.users.delete(tx, organizationId, userIds)) {
      const workspaceIds = await this.groups.workspacesOf(tx, organizationId, groupId);
      await this.workspaces.membershipsChanged(tx, actor, { organizationId, workspaceIds, userIds });
    }
  }
}
