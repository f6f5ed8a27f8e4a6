import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { isUuid, newUuid } from '../../database/identifiers.js';
import { type StatementRunner, Statements } from '../../database/statements.js';
import { BadRequestError } from '../../http/errors/domain-error.js';
import { toPageResponse, windowOf } from '../../http/pagination/page.js';
import type { PageQuery } from '../../http/pagination/page-query.dto.js';
import { type Actor, AuditTrail } from '../audit/audit-trail.js';
import { type AuditedChanges, type AuditedEvent, created } from '../audit/audited-event.js';
import { unknownMember } from '../organizations/organizations.errors.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import type { ListScimGroupsResponse } from './dto/scim-group.dto.js';
import { requireScim } from './require-scim.js';
import { ScimGroupNotFound } from './scim.errors.js';
import { toGroupResponse } from './scim.mapper.js';
import { ScimGroupsRepository } from './scim-groups.repository.js';

/** A group as an identity provider pushes it. */
export interface NewScimGroup {
  readonly displayName: string;
  /** The identity provider's own id of it. */
  readonly externalId: string | null;
}

/**
 * Groups of an identity provider, and who is in them: what is provisioned. The database makes the memberships of mapped
 * workspaces follow (docs/adr/0010).
 */
@Injectable()
export class ScimGroupsService {
  constructor(
    private readonly repository: ScimGroupsRepository,
    private readonly organizations: OrganizationsService,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Lists the groups that the identity provider has pushed, oldest first.
   *
   * @throws ScimNotEnabled
   */
  async list(caller: ManagementPrincipal, input: PageQuery): Promise<ListScimGroupsResponse> {
    await requireScim(this.organizations, caller.organizationId);
    return toPageResponse(await this.repository.page(caller.organizationId, windowOf(input)), toGroupResponse);
  }

  /** Makes a group without members. @returns its id */
  async add(actor: Actor, organizationId: string, { displayName, externalId }: NewScimGroup): Promise<string> {
    const id = newUuid();
    return this.statements.transaction(async (on) => {
      await this.repository.insert(on, { id, organizationId, displayName, externalId });
      const changes = created({ display_name: displayName, external_id: externalId });
      await this.audit.record(on, organizationId, actor, eventOf('create', id, changes));
      return id;
    });
  }

  /**
   * Removes a group, with its mappings, and the memberships of workspaces that come from it alone.
   *
   * @throws ScimGroupNotFound
   */
  async remove(actor: Actor, organizationId: string, id: string): Promise<void> {
    await this.statements.transactionOfAnySize(async (on) => {
      const isDeleted = isUuid(id) && (await this.repository.delete(on, organizationId, id));
      if (!isDeleted) throw new ScimGroupNotFound();
      await this.audit.record(on, organizationId, actor, eventOf('delete', id, {}));
    });
  }

  /**
   * Puts members of the organization into a group; who is in it already stays.
   *
   * @returns how many were not in it before
   * @throws ScimGroupNotFound
   * @throws BadRequestError that names each user who is not a member of the organization; then nobody is added
   */
  async addMembers(actor: Actor, organizationId: string, id: string, userIds: readonly string[]): Promise<number> {
    return this.statements.transactionOfAnySize(async (on) => {
      await this.hold(on, organizationId, id);
      const roles = await this.organizations.rolesOf(on, organizationId, userIds);
      const unknown = userIds.flatMap((userId, index) => (roles.has(userId) ? [] : [unknownMember('user_ids', index)]));
      if (unknown.length > 0) throw BadRequestError.of(unknown);
      const added = await this.repository.insertMembers(on, organizationId, id, userIds);
      if (added.length > 0) {
        const changes = { user_ids: { after: added } };
        await this.audit.record(on, organizationId, actor, eventOf('add_members', id, changes));
      }
      return added.length;
    });
  }

  /**
   * Takes users out of a group; who is not in it does not matter.
   *
   * @returns how many were in it before
   * @throws ScimGroupNotFound
   */
  async removeMembers(actor: Actor, organizationId: string, id: string, userIds: readonly string[]): Promise<number> {
    return this.statements.transactionOfAnySize(async (on) => {
      await this.hold(on, organizationId, id);
      const removed = await this.repository.deleteMembers(on, organizationId, id, userIds);
      if (removed.length > 0) {
        const changes = { user_ids: { before: removed } };
        await this.audit.record(on, organizationId, actor, eventOf('remove_members', id, changes));
      }
      return removed.length;
    });
  }

  private async hold(on: StatementRunner, organizationId: string, id: string): Promise<void> {
    if (!isUuid(id) || !(await this.repository.hold(on, organizationId, id))) throw new ScimGroupNotFound();
  }
}

function eventOf(verb: string, id: string, changes: AuditedChanges): AuditedEvent {
  return { action: `scim_group.${verb}`, target: { type: 'scim_group', id }, changes };
}
