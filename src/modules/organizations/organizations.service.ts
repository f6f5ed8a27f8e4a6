import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { newOrganizationId, newUserId, newUuid } from '../../database/identifiers.js';
import type { Page, PageWindow } from '../../http/pagination/page.js';
import type { OrganizationMemberEntity } from './entities/organization-member.entity.js';
import type { OrganizationEntity } from './entities/organization.entity.js';
import type { MemberRole } from './member-role.js';
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

  /** Makes an organization without members. @returns its id */
  async create(manager: EntityManager, name: string): Promise<string> {
    const id = newOrganizationId();
    await this.repository.insertOrganization(manager, { id, name, scimEnabled: false, createdAt: new Date() });
    return id;
  }

  /** Makes a user and the membership of an organization. @returns the user's id */
  async addMember(manager: EntityManager, organizationId: string, { name, email, role }: NewMember): Promise<string> {
    const userId = newUserId();
    const createdAt = new Date();
    const member = { id: newUuid(), organizationId, userId, role, createdAt };
    await this.repository.insertMember(manager, { id: userId, name, email, createdAt }, member);
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
