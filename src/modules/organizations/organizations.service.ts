import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { newOrganizationId, newUserId, newUuid } from '../../database/identifiers.js';
import type { StatementRunner } from '../../database/statements.js';
import { type Page, type PageWindow, toPageResponse, windowOf } from '../../http/pagination/page.js';
import type { PageQuery } from '../../http/pagination/page-query.dto.js';
import type { ListOrganizationMembersResponse } from './dto/organization-member.dto.js';
import type { OrganizationMemberEntity } from './entities/organization-member.entity.js';
import type { OrganizationEntity } from './entities/organization.entity.js';
import type { MemberRole } from './member-role.js';
import { toOrganizationMemberResponse } from './organizations.mapper.js';
import { OrganizationsRepository } from './organizations.repository.js';

/** A person to be made a member. */
export interface NewMember {
  readonly name: string;
  readonly email: string;
  readonly role: MemberRole;
}

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
  constructor(private readonly repository: OrganizationsRepository) {}

  /** Lists the members of the caller's organization, oldest first. */
  async listMembers(
    { organizationId }: ManagementPrincipal,
    input: PageQuery,
  ): Promise<ListOrganizationMembersResponse> {
    const page = await this.repository.membersWithUsersPage(organizationId, windowOf(input));
    return toPageResponse(page, toOrganizationMemberResponse);
  }

  /** Makes an organization without members. @returns its id */
  async create(manager: EntityManager, name: string): Promise<string> {
    const id = newOrganizationId();
    await this.repository.insertOrganization(manager, { id, name, scimEnabled: false });
    return id;
  }

  /** Makes a user and the membership of an organization. @returns the user's id */
  async addMember(manager: EntityManager, organizationId: string, { name, email, role }: NewMember): Promise<string> {
    const userId = newUserId();
    const member = { id: newUuid(), organizationId, userId, role };
    await this.repository.insertMember(manager, { id: userId, name, email }, member);
    return userId;
  }

  /** The organization that was made first, or null on a new database. */
  async first(): Promise<OrganizationEntity | null> {
    return this.repository.first();
  }

  async find(organizationId: string): Promise<OrganizationEntity | null> {
    return this.repository.find(organizationId);
  }

  async findByName(name: string): Promise<OrganizationEntity | null> {
    return this.repository.findByName(name);
  }

  /** Every member, oldest first. */
  async membersOf(organizationId: string): Promise<OrganizationMemberEntity[]> {
    return this.repository.membersOf(organizationId);
  }

  async isMember(organizationId: string, userId: string): Promise<boolean> {
    return this.repository.isMember(organizationId, userId);
  }

  /** The role of each of the users who is a member; the others are not in it. */
  async rolesOf(
    on: StatementRunner,
    organizationId: string,
    userIds: readonly string[],
  ): Promise<ReadonlyMap<string, MemberRole>> {
    const rows = await this.repository.rolesOf(on, organizationId, userIds);
    return new Map(rows.map(({ user_id: userId, role }) => [userId, role]));
  }

  /** One page of the members, oldest first. */
  async membersPage(organizationId: string, window: PageWindow): Promise<Page<OrganizationMember>> {
    return this.repository.membersPage(organizationId, window);
  }

  /** Whether an identity provider is connected. */
  async isScimEnabled(organizationId: string): Promise<boolean> {
    return this.repository.isScimEnabled(organizationId);
  }

  /** @returns whether there is such an organization */
  async enableScim(organizationId: string): Promise<boolean> {
    return this.repository.setScimEnabled(organizationId, true);
  }
}
