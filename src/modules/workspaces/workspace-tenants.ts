import { Injectable } from '@nestjs/common';
import type { StatementRunner } from '../../database/statements.js';
import type { ReasonedIssue } from '../../http/errors/issue.js';

/** A workspace that is to be deleted. */
export interface DoomedWorkspace {
  readonly organizationId: string;
  readonly id: string;
  readonly isDefault: boolean;
}

/** A workspace that members are to be removed from. Never the default one. */
export type LeftWorkspace = Pick<DoomedWorkspace, 'organizationId' | 'id'>;

/** Why a member must stay. */
export type MemberObjection = Required<Pick<ReasonedIssue, 'message' | 'reason'>>;

/** What a module keeps in workspaces that does not go with them by itself. */
export interface WorkspaceTenant {
  /**
   * Why a workspace must stay. What speaks for it is held until the transaction ends, so that the answer stays true.
   *
   * @param on the transaction that deletes the workspace, and has locked it
   * @returns nothing where it may go
   */
  objections(on: StatementRunner, workspace: DoomedWorkspace): Promise<ReasonedIssue[]>;

  /**
   * Removes what is left in a workspace to which nobody objects.
   *
   * @returns what was removed, for the audit trail: never a secret
   */
  leave(on: StatementRunner, workspace: DoomedWorkspace): Promise<Readonly<Record<string, unknown>>>;

  /**
   * Why some users must stay members of a workspace.
   *
   * @param on the transaction that removes the members, and holds the workspace
   * @returns by user; whoever may go is not in it
   */
  memberObjections(
    on: StatementRunner,
    workspace: LeftWorkspace,
    userIds: readonly string[],
  ): Promise<ReadonlyMap<string, MemberObjection>>;
}

/** The modules above that keep something in workspaces. They make themselves known when they start. */
@Injectable()
export class WorkspaceTenants {
  private readonly tenants: WorkspaceTenant[] = [];

  register(tenant: WorkspaceTenant): void {
    this.tenants.push(tenant);
  }

  /** Why a workspace must stay, in the words of every module. */
  async objections(on: StatementRunner, workspace: DoomedWorkspace): Promise<ReasonedIssue[]> {
    const objections: ReasonedIssue[] = [];
    for (const tenant of this.tenants) objections.push(...(await tenant.objections(on, workspace)));
    return objections;
  }

  /** Has every module remove what it has left there. @returns what was removed */
  async leave(on: StatementRunner, workspace: DoomedWorkspace): Promise<Record<string, unknown>> {
    const removed: Record<string, unknown> = {};
    for (const tenant of this.tenants) Object.assign(removed, await tenant.leave(on, workspace));
    return removed;
  }
  /** Why users must stay members of a workspace, in the words of every module. @returns nothing of those who may go */
  async memberObjections(
    on: StatementRunner,
    workspace: LeftWorkspace,
    userIds: readonly string[],
  ): Promise<ReadonlyMap<string, MemberObjection>[]> {
    const objections: ReadonlyMap<string, MemberObjection>[] = [];
    for (const tenant of this.tenants) objections.push(await tenant.memberObjections(on, workspace, userIds));
    return objections;
  }
}
