import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../persistence/statements.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { BadRequestError } from '../../http/errors/bad-request-error.js';
import type { WorkspaceEntity } from './entities/workspace.entity.js';
import { type NewWorkspace, newWorkspaceRow } from './new-workspace.js';
import { NO_DEFAULT_WORKSPACE, UNKNOWN_WORKSPACE, WorkspaceNotFound } from './workspaces.errors.js';
import { WorkspacesRepository } from './workspaces.repository.js';

/** Finds workspaces, for this module and others. */
@Injectable()
export class WorkspaceLookupService {
  constructor(private readonly repository: WorkspacesRepository) {}

  /**
   * A workspace of the organization.
   *
   * @param reference its id or its slug
   * @throws WorkspaceNotFound
   */
  async get(organizationId: string, reference: string): Promise<WorkspaceEntity> {
    const workspace = await this.repository.find(organizationId, reference);
    if (workspace === undefined) throw new WorkspaceNotFound();
    return workspace;
  }

  /** @returns the id of the organization's workspace with this id, in lower case; undefined when it has none */
  async find(organizationId: string, workspaceId: string): Promise<string | undefined> {
    return (await this.repository.find(organizationId, workspaceId))?.id;
  }

  /**
   * Finds the workspace in which a request creates something.
   *
   * @param requested the workspace that the request names; undefined for the default workspace
   * @returns the workspace's id
   * @throws BadRequestError for an unknown workspace, and for a deleted default workspace
   */
  async idFor(organizationId: string, requested: string | undefined): Promise<string> {
    const isDefault = requested === undefined;
    const id = await (isDefault ? this.defaultWorkspaceId(organizationId) : this.find(organizationId, requested));
    if (id === undefined)
      throw BadRequestError.of([(isDefault ? NO_DEFAULT_WORKSPACE : UNKNOWN_WORKSPACE).at('workspace_id')]);
    return id;
  }

  /** Whether a caller sees a workspace: all of them, or those of which they are a member where they reach only what is their own. */
  async isSeenBy({ organizationId, userId, onlyOwn }: ManagementPrincipal, workspaceId: string): Promise<boolean> {
    return !onlyOwn || this.repository.isMember(organizationId, workspaceId, userId);
  }

  /** @returns the id of a workspace as the caller has written it; undefined for one that the caller does not see */
  async idSeenBy(caller: ManagementPrincipal, workspaceId: string): Promise<string | undefined> {
    return (await this.isSeenBy(caller, workspaceId)) ? workspaceId : undefined;
  }

  /**
   * Does what {@link idFor} does, among the workspaces that the caller sees.
   *
   * @throws BadRequestError also for a workspace that the caller does not see
   */
  async idForCaller(caller: ManagementPrincipal, requested: string | undefined): Promise<string> {
    const id = await this.idFor(caller.organizationId, requested);
    if (!(await this.isSeenBy(caller, id))) throw BadRequestError.of([UNKNOWN_WORKSPACE.at('workspace_id')]);
    return id;
  }

  /** Returns the id of the default workspace; undefined after its deletion. */
  async defaultWorkspaceId(organizationId: string): Promise<string | undefined> {
    return this.repository.defaultId(organizationId);
  }

  /** Creates a workspace. @returns its id */
  async create(tx: Transaction, organizationId: string, workspace: NewWorkspace): Promise<string> {
    const row = newWorkspaceRow(organizationId, workspace);
    await this.repository.insert(tx, row);
    return row.id;
  }
}
