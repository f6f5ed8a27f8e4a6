import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { withEntityTag } from '../../http/entity-tags.js';
import { toPageRequest, toPageResponse } from '../../http/pagination/pagination.js';
import { Precondition } from '../../http/precondition.js';
import { newUuid } from '../../persistence/identifiers.js';
import { Statements } from '../../persistence/statements.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { created, updated } from '../audit/audited-event.js';
import { Quotas } from '../organization-limits/quotas.js';
import type {
  CreateExternalUserRequest,
  ExternalUserPath,
  ExternalUserResponse,
  ListExternalUsersQuery,
  ListExternalUsersResponse,
  UpdateExternalUserRequest,
} from './dto/external-user.dto.js';
import type { ExternalUserEntity } from './entities/external-user.entity.js';
import { ExternalUserNotFound } from './external-users.errors.js';
import { tagOfExternalUser, toExternalUserResponse } from './external-users.mapper.js';
import { EXTERNAL_USERS_QUOTA, ExternalUsersRepository } from './external-users.repository.js';

/** What is done to a user, and by which request. */
interface Change {
  readonly action: 'external_user.update' | 'external_user.delete';
  readonly user: string;
  /** Undefined leaves it. */
  readonly isActive: boolean | undefined;
  readonly precondition: Precondition;
}

/** Users that organizations have registered (docs/interface/external-users.md). */
@Injectable()
export class ExternalUsersService {
  constructor(
    private readonly repository: ExternalUsersRepository,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    private readonly quotas: Quotas,
  ) {}

  /** @throws ExternalUserExists also for one that is not active @throws BadRequestError beyond the quota */
  async create(caller: ManagementPrincipal, { user }: CreateExternalUserRequest): Promise<ExternalUserResponse> {
    const { organizationId } = caller;
    await this.quotas.requireBelowQuota(organizationId, EXTERNAL_USERS_QUOTA);
    const row = { organizationId, id: newUuid(), externalUser: user, isActive: true };
    const event = { action: 'external_user.create', targetId: user, changes: created({ is_active: true }) };
    const times = await this.repository.insert(row, caller, event);
    return shown({ ...row, ...times });
  }

  /** Lists the active users of the organization, or all, oldest first; with a name that one alone. */
  async list(caller: ManagementPrincipal, input: ListExternalUsersQuery): Promise<ListExternalUsersResponse> {
    const { organizationId } = caller;
    const request = toPageRequest(input);
    const includesInactive = input.include_inactive === 'true';
    if (input.user === undefined) {
      return toPageResponse(
        await this.repository.page(organizationId, includesInactive, request),
        toExternalUserResponse,
      );
    }
    const found = await this.repository.find(organizationId, input.user);
    const users = found !== undefined && (found.isActive || includesInactive) ? [found] : [];
    const { offset } = request;
    return toPageResponse({ items: users.slice(offset), totalCount: users.length }, toExternalUserResponse);
  }

  /** @throws ExternalUserNotFound */
  async get({ organizationId }: ManagementPrincipal, { user }: ExternalUserPath): Promise<ExternalUserResponse> {
    const found = await this.repository.find(organizationId, user);
    if (found === undefined) throw new ExternalUserNotFound();
    return shown(found);
  }

  /** Activates or deactivates a user; without a change nothing is written. @throws ExternalUserNotFound, PreconditionFailed */
  async update(
    caller: ManagementPrincipal,
    { user, is_active: isActive }: ExternalUserPath & UpdateExternalUserRequest,
    precondition = Precondition.NONE,
  ): Promise<ExternalUserResponse> {
    return shown(await this.change(caller, { action: 'external_user.update', user, isActive, precondition }));
  }

  /** Deactivates a user, as often as it is asked for. @throws ExternalUserNotFound, PreconditionFailed */
  async delete(
    caller: ManagementPrincipal,
    { user }: ExternalUserPath,
    precondition = Precondition.NONE,
  ): Promise<void> {
    await this.change(caller, { action: 'external_user.delete', user, isActive: false, precondition });
  }

  private async change(
    caller: ManagementPrincipal,
    { action, user, isActive, precondition }: Change,
  ): Promise<ExternalUserEntity> {
    const { organizationId } = caller;
    return this.statements.transaction(async (tx) => {
      const before = await this.repository.lock(tx, organizationId, user);
      if (before === undefined) throw new ExternalUserNotFound();
      precondition.require(tagOfExternalUser(before));
      if (isActive === undefined || isActive === before.isActive) return before;
      const after = { ...before, isActive };
      const times = await this.repository.update(tx, after);
      const changes = updated({ is_active: before.isActive }, { is_active: isActive });
      await this.audit.record(tx, organizationId, caller, { action, targetId: user, changes });
      return { ...after, ...times };
    });
  }
}

function shown(user: ExternalUserEntity): ExternalUserResponse {
  return withEntityTag({ data: toExternalUserResponse(user) }, tagOfExternalUser(user));
}
