import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { StatementRunner } from '../../database/statements.js';
import type { ReasonedIssue } from '../../http/errors/issue.js';
import {
  type DoomedWorkspace,
  type LeftWorkspace,
  type MemberObjection,
  type WorkspaceTenant,
  WorkspaceTenants,
} from '../workspaces/workspace-tenants.js';
import { WorkspaceKeysRepository } from './workspace-keys.repository.js';

const HAS_ACTIVE_KEYS: MemberObjection = {
  message: 'has active keys in the workspace',
  reason: 'member_has_active_keys',
};

/**
 * The keys of a workspace. Active ones keep it from being deleted, and whoever they belong to from being removed from it; the
 * others go with it.
 */
@Injectable()
export class WorkspaceKeys implements WorkspaceTenant, OnModuleInit {
  constructor(
    private readonly tenants: WorkspaceTenants,
    private readonly repository: WorkspaceKeysRepository,
  ) {}

  onModuleInit(): void {
    this.tenants.register(this);
  }

  async objections(on: StatementRunner, { organizationId, id, isDefault }: DoomedWorkspace): Promise<ReasonedIssue[]> {
    const active = await this.repository.countActive(on, organizationId, id, isDefault);
    if (active === 0) return [];
    const message = `has ${active} active ${active === 1 ? 'key' : 'keys'}`;
    return [{ path: 'id', message, reason: 'workspace_has_active_keys' }];
  }

  async leave(
    on: StatementRunner,
    { organizationId, id, isDefault }: DoomedWorkspace,
  ): Promise<Record<string, unknown>> {
    await this.repository.deleteCodes(on, organizationId, id);
    const hashes = await this.repository.deleteInactive(on, organizationId, id, isDefault);
    return hashes.length === 0 ? {} : { deleted_keys: hashes };
  }
  async memberObjections(
    on: StatementRunner,
    { organizationId, id }: LeftWorkspace,
    userIds: readonly string[],
  ): Promise<ReadonlyMap<string, MemberObjection>> {
    const holders = await this.repository.activeHolders(on, organizationId, id, userIds);
    return new Map(holders.map((userId) => [userId, HAS_ACTIVE_KEYS]));
  }
}
