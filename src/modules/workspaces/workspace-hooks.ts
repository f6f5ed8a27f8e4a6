import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../persistence/statements.js';
import type { IssueKind } from '../../http/errors/issue-kind.js';
import type { IssueWithReason } from '../../http/errors/issue.js';
import type { Actor } from '../audit/audit-trail.js';

/** A workspace that is being deleted. */
export interface WorkspaceToDelete {
  readonly organizationId: string;
  readonly id: string;
  readonly isDefault: boolean;
}

/** A workspace that members are being removed from. Never the default workspace. */
export type WorkspaceOfMembers = Pick<WorkspaceToDelete, 'organizationId' | 'id'>;

/** Users who have become, or ceased to be, members of workspaces. None of them is the default workspace. */
export interface ChangedMemberships {
  readonly organizationId: string;
  readonly workspaceIds: readonly string[];
  readonly userIds: readonly string[];
}

/** What a workspace stands for where a request does not say it. Absent fields stay; null is none. */
export interface WorkspaceDefaults {
  readonly default_text_model?: string | null;
  readonly default_image_model?: string | null;
  readonly default_provider_sort?: string | null;
}

/** Hooks of a module that the settings of a workspace mean something to, or whose rows in a workspace are not deleted by a foreign key. */
export interface WorkspaceHook {
  /**
   * Lists why a workspace cannot have these defaults.
   *
   * @returns with the names of the fields as paths
   */
  defaultsIssues?(defaults: WorkspaceDefaults): Promise<IssueWithReason[]>;

  /**
   * Lists why a workspace cannot be deleted. Locks the rows that prevent it until the transaction ends.
   *
   * @param tx the transaction that deletes the workspace, and has locked it
   * @returns an empty list if it can be deleted
   */
  deletionIssues?(tx: Transaction, workspace: WorkspaceToDelete): Promise<IssueWithReason[]>;

  /**
   * Deletes the module's rows in a workspace.
   *
   * @returns what was removed, for the audit trail: never a secret
   */
  beforeDelete?(tx: Transaction, workspace: WorkspaceToDelete): Promise<Readonly<Record<string, unknown>>>;

  /**
   * Lists why users cannot be removed from a workspace.
   *
   * @param tx the transaction that removes the members, and holds the workspace
   * @returns by user; without users that can be removed
   */
  memberRemovalIssues?(
    tx: Transaction,
    workspace: WorkspaceOfMembers,
    userIds: readonly string[],
  ): Promise<ReadonlyMap<string, IssueKind>>;

  /**
   * Follows changes of who is a member, which the transaction has made. What the users have in a workspace is judged by whether they
   * are members of it now, so that it may be called for those of whom nothing has changed.
   *
   * @param tx holds the workspaces
   */
  membershipsChanged?(tx: Transaction, actor: Actor, changed: ChangedMemberships): Promise<void>;
}

/** The hooks of dependent modules, which register them when they start. */
@Injectable()
export class WorkspaceHooks {
  private readonly hooks: WorkspaceHook[] = [];

  register(hook: WorkspaceHook): void {
    this.hooks.push(hook);
  }

  /** Collects from every module why a workspace cannot have these defaults. */
  async defaultsIssues(defaults: WorkspaceDefaults): Promise<IssueWithReason[]> {
    const issues: IssueWithReason[] = [];
    for (const hook of this.hooks) issues.push(...((await hook.defaultsIssues?.(defaults)) ?? []));
    return issues;
  }

  /** Collects from every module why a workspace cannot be deleted. */
  async deletionIssues(tx: Transaction, workspace: WorkspaceToDelete): Promise<IssueWithReason[]> {
    const issues: IssueWithReason[] = [];
    for (const hook of this.hooks) issues.push(...((await hook.deletionIssues?.(tx, workspace)) ?? []));
    return issues;
  }

  /** Lets every module delete its rows in a workspace. @returns what was deleted */
  async beforeDelete(tx: Transaction, workspace: WorkspaceToDelete): Promise<Record<string, unknown>> {
    const removed: Record<string, unknown> = {};
    for (const hook of this.hooks) Object.assign(removed, await hook.beforeDelete?.(tx, workspace));
    return removed;
  }

  /** Lets every module follow changes of who is a member. */
  async membershipsChanged(tx: Transaction, actor: Actor, changed: ChangedMemberships): Promise<void> {
    if (changed.workspaceIds.length === 0 || changed.userIds.length === 0) return;
    for (const hook of this.hooks) await hook.membershipsChanged?.(tx, actor, changed);
  }

  /** Collects from every module why users cannot be removed from a workspace. */
  async memberRemovalIssues(
    tx: Transaction,
    workspace: WorkspaceOfMembers,
    userIds: readonly string[],
  ): Promise<ReadonlyMap<string, IssueKind>[]> {
    const issues: ReadonlyMap<string, IssueKind>[] = [];
    for (const hook of this.hooks) {
      const found = await hook.memberRemovalIssues?.(tx, workspace, userIds);
      if (found !== undefined) issues.push(found);
    }
    return issues;
  }
}
