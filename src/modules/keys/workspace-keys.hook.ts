import {
  type ChangedMemberships,
  type WorkspaceHook,
  WorkspaceHooks,
  type WorkspaceOfMembers,
  type WorkspaceToDelete,
} from '../workspaces/workspace-hooks.js';
import { MEMBER_HAS_ACTIVE_KEYS, WORKSPACE_HAS_ACTIVE_KEYS } from '../workspaces/workspaces.errors.js';
import type { IssueKind } from '../../http/errors/issue-kind.js';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../../persistence/statements.js';
import type { IssueWithReason } from '../../http/errors/issue.js';
import { type Actor, AuditTrail } from '../audit/audit-trail.js';
import { type SuspensionChange, WorkspaceKeysRepository } from './workspace-keys.repository.js';

/**
 * The keys of a workspace. Active keys prevent the deletion of the workspace, and the removal of their owners from it unless they are to be
 * suspended; other keys are deleted with it. A directory that takes their owners out suspends them until these are back.
 */
@Injectable()
export class WorkspaceKeysHook implements WorkspaceHook, OnModuleInit {
  constructor(
    private readonly hooks: WorkspaceHooks,
    private readonly repository: WorkspaceKeysRepository,
    private readonly audit: AuditTrail,
  ) {}

  onModuleInit(): void {
    this.hooks.register(this);
  }

  async deletionIssues(
    tx: Transaction,
    { organizationId, id, isDefault }: WorkspaceToDelete,
  ): Promise<IssueWithReason[]> {
    const active = await this.repository.lockForUpdateAndCountActive(tx, organizationId, id, isDefault);
    return active === 0 ? [] : [WORKSPACE_HAS_ACTIVE_KEYS.at('id', active)];
  }

  async beforeDelete(
    tx: Transaction,
    { organizationId, id, isDefault }: WorkspaceToDelete,
  ): Promise<Record<string, unknown>> {
    await this.repository.deleteCodes(tx, organizationId, id);
    const hashes = await this.repository.deleteInactive(tx, organizationId, id, isDefault);
    return hashes.length === 0 ? {} : { deleted_keys: hashes };
  }
  async memberRemovalIssues(
    tx: Transaction,
    { organizationId, id }: WorkspaceOfMembers,
    userIds: readonly string[],
  ): Promise<ReadonlyMap<string, IssueKind>> {
    const owners = await this.repository.usersWithActiveKeys(tx, organizationId, id, userIds);
    return new Map(owners.map((userId) => [userId, MEMBER_HAS_ACTIVE_KEYS]));
  }

  /** Suspends the keys of those who are no members any more, and lifts that from the keys of those who are members again. */
  async membershipsChanged(tx: Transaction, actor: Actor, changed: ChangedMemberships): Promise<void> {
    const { organizationId } = changed;
    const record = async (verb: string, keys: readonly SuspensionChange[]): Promise<void> => {
      for (const { hash, before, after } of keys) {
        const event = { action: `key.${verb}`, targetId: hash, changes: { suspension_causes: { before, after } } };
        await this.audit.record(tx, organizationId, actor, event);
      }
    };
    await record('suspend', await this.repository.suspendThoseOfFormerMembers(tx, changed));
    await record('reinstate', await this.repository.reinstateThoseOfMembers(tx, changed));
  }
}
