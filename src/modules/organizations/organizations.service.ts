import { Injectable } from '@nestjs/common';
import type { MemberRole } from '../../auth/roles.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { newOrganizationId } from '../../persistence/identifiers.js';
import type { Page, PageRequest } from '../../persistence/page-statement.js';
import { type StatementRunner, Statements, type Transaction } from '../../persistence/statements.js';
import { BadRequestError } from '../../http/errors/bad-request-error.js';
import { joinPath, type IssueWithReason } from '../../http/errors/issue.js';
import { requireNoIssues } from '../../http/errors/require-all.js';
import { missingReferences } from '../../http/input/missing-references.js';
import { toPageRequest, toPageResponse } from '../../http/pagination/pagination.js';
import { AuditTrail, COMMAND_LINE } from '../audit/audit-trail.js';
import { DeploymentTrail } from '../audit/deployment-trail.service.js';
import type { ListOrganizationMembersQuery, ListOrganizationMembersResponse } from './dto/organization-member.dto.js';
import type { OrganizationMemberEntity, OrganizationEntity } from './entities/organization.entity.js';
import { MembersService, type NewMember } from './members/members.service.js';
import { UNKNOWN_USER } from './organizations.errors.js';
import { toOrganizationMemberResponse } from './organizations.mapper.js';
import { type OrganizationOverview, OrganizationsRepository } from './organizations.repository.js';

export type { OrganizationOverview };

/** A membership, as other modules know it. */
export interface OrganizationMember {
  readonly id: string;
  readonly userId: string;
  readonly role: MemberRole;
  readonly createdAt: Date;
}

/** Organizations and their members. */
@Injectable()
export class OrganizationsService {
  constructor(
    private readonly repository: OrganizationsRepository,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    private readonly deployment: DeploymentTrail,
    private readonly members: MembersService,
  ) {}

  /** Lists the members of the caller's organization, oldest first: the active ones, unless all are asked for. */
  async listMembers(
    { organizationId }: ManagementPrincipal,
    input: ListOrganizationMembersQuery,
  ): Promise<ListOrganizationMembersResponse> {
    const includesDeactivated = input.include_deactivated === 'true';
    const page = await this.repository.membersWithUsersPage(organizationId, toPageRequest(input), includesDeactivated);
    return toPageResponse(page, toOrganizationMemberResponse);
  }

  /** Creates an organization without members. @returns its id */
  async create(tx: Transaction, name: string): Promise<string> {
    const id = newOrganizationId();
    const consent = { consentBy: 'members', consentMaximumLimit: null } as const;
    await this.repository.insert(tx, {
      id,
      name,
      scimEnabled: false,
      keysOfDeactivatedMembers: 'suspend',
      isFilteredModelCatalogEnabled: false,
      ...consent,
    });
    return id;
  }

  /** Creates a user and a membership of an organization, of which nothing is recorded. @returns the user's id */
  async addMember(tx: Transaction, organizationId: string, member: NewMember): Promise<string> {
    return this.members.insert(tx, organizationId, member);
  }

  /** The oldest organization, or undefined on a new database. */
  async first(tx?: Transaction): Promise<OrganizationEntity | undefined> {
    return this.repository.first(tx);
  }

  /** The organization of a deployment that has one only; undefined where there are several, or none. */
  async only(): Promise<OrganizationEntity | undefined> {
    const [first, second] = await this.repository.firstTwo();
    return second === undefined ? first : undefined;
  }

  async find(organizationId: string): Promise<OrganizationEntity | undefined> {
    return this.repository.find(organizationId);
  }

  /** Every organization, oldest first, with how many members and keys it has. */
  async overview(): Promise<OrganizationOverview[]> {
    return this.repository.overview();
  }

  /** Every active member, oldest first. */
  async membersOf(organizationId: string): Promise<OrganizationMemberEntity[]> {
    return this.repository.membersOf(organizationId);
  }

  /** Whether a user is an active member of the organization. */
  async isMember(organizationId: string, userId: string): Promise<boolean> {
    return this.repository.isMember(organizationId, userId);
  }

  /**
   * Refuses a user who is not an active member of the organization.
   *
   * @param field the field of the request that names the user
   * @throws BadRequestError
   */
  async requireMember(organizationId: string, userId: string, field: string): Promise<void> {
    if (!(await this.isMember(organizationId, userId))) throw BadRequestError.of([UNKNOWN_USER.at(field)]);
  }

  /**
   * An issue for every user who is not an active member of the organization.
   *
   * @param field the list of the request
   * @param known users that are already stored; they may have left
   */
  async unknownMembers(
    organizationId: string,
    field: string,
    userIds: readonly string[] | null | undefined,
    known: readonly string[] | null,
  ): Promise<IssueWithReason[]> {
    const missing = await missingReferences(userIds, known, (asked) =>
      this.rolesOf(this.statements, organizationId, asked),
    );
    return missing.map((index) => UNKNOWN_USER.at(joinPath(field, index)));
  }

  /** The roles of those users who are active members. */
  async rolesOf(
    runner: StatementRunner,
    organizationId: string,
    userIds: readonly string[],
  ): Promise<ReadonlyMap<string, MemberRole>> {
    const rows = await this.repository.rolesOf(runner, organizationId, userIds);
    return new Map(rows.map(({ user_id: userId, role }) => [userId, role]));
  }

  /**
   * The roles of users who must all be active members of the organization.
   *
   * @param field the list of the request that names the users
   * @throws BadRequestError that names each user who is not a member
   */
  async requireRolesOf(
    tx: Transaction,
    organizationId: string,
    userIds: readonly string[],
    field: string,
  ): Promise<ReadonlyMap<string, MemberRole>> {
    const roles = await this.rolesOf(tx, organizationId, userIds);
    requireAllKnown(userIds, roles, field);
    return roles;
  }

  /**
   * Requires that users are members of the organization, who may be deactivated: what a directory says of them is kept until they are
   * active again.
   *
   * @param field the list of the request that names the users
   * @throws BadRequestError that names each user who is no member, or has ended
   */
  async requireMembersOrDeactivated(
    tx: Transaction,
    organizationId: string,
    userIds: readonly string[],
    field: string,
  ): Promise<void> {
    requireAllKnown(userIds, await this.repository.membersAmong(tx, organizationId, userIds), field);
  }

  /** One page of the active members, oldest first. */
  async membersPage(organizationId: string, request: PageRequest): Promise<Page<OrganizationMember>> {
    return this.repository.membersPage(organizationId, request);
  }

  /** Whether an identity provider is connected. */
  async isScimEnabled(organizationId: string): Promise<boolean> {
    return this.repository.isScimEnabled(organizationId);
  }

  /** @returns whether there is such an organization */
  async enableScim(organizationId: string): Promise<boolean> {
    return this.setScim(organizationId, true);
  }

  /**
   * Refuses the operations of SCIM from now on. Groups, mappings and memberships stay as they are.
   *
   * @returns whether there is such an organization
   */
  async disableScim(organizationId: string): Promise<boolean> {
    return this.setScim(organizationId, false);
  }

  /** Recorded for the organization, whose identity provider it is about, and for the operators of the deployment. */
  private async setScim(organizationId: string, isEnabled: boolean): Promise<boolean> {
    const action = isEnabled ? 'organization.enable_scim' : 'organization.disable_scim';
    const isChanged = await this.statements.transaction(async (tx) => {
      if (!(await this.repository.setScimEnabled(tx, organizationId, isEnabled))) return false;
      await this.audit.record(tx, organizationId, COMMAND_LINE, { action, targetId: organizationId });
      await this.deployment.record(tx, { action, targetId: organizationId });
      return true;
    });
    return isChanged || (await this.repository.find(organizationId)) !== undefined;
  }
}

/** @throws BadRequestError that names each user who is not known */
function requireAllKnown(userIds: readonly string[], known: { has(userId: string): boolean }, field: string): void {
  const unknown = userIds.flatMap((userId, index) => (known.has(userId) ? [] : [joinPath(field, index)]));
  requireNoIssues(unknown.map((path) => UNKNOWN_USER.at(path)));
}
