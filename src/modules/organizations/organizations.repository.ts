import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { PageReader } from '../../database/page-reader.js';
import { resumablePage } from '../../database/resumable-page.js';
import { type StatementRunner, Statements } from '../../database/statements.js';
import type { Page, PageWindow } from '../../http/pagination/page.js';
import type { MemberRole } from './member-role.js';
import { OrganizationMemberEntity } from './entities/organization-member.entity.js';
import { OrganizationEntity } from './entities/organization.entity.js';
import { UserEntity } from './entities/user.entity.js';
import type { MemberWithUser } from './organizations.mapper.js';

/** A page of an organization's members. */
export const ORGANIZATION_MEMBERS_PAGE = resumablePage({
  name: 'organization_members_page',
  entity: OrganizationMemberEntity,
  where: 'organization_id = $1',
  parameters: 1,
  scope: '$1',
  order: ['createdAt', 'id'],
});

/** A page of an organization's members, with what is known of the persons. */
export const ORGANIZATION_USERS_PAGE = {
  ...ORGANIZATION_MEMBERS_PAGE,
  name: 'organization_users_page',
  text: withUsers(ORGANIZATION_MEMBERS_PAGE.text),
  versioned: { name: 'organization_users_page_versioned', text: withUsers(ORGANIZATION_MEMBERS_PAGE.versioned.text) },
  resumed: { name: 'organization_users_page_resumed', text: withUsers(ORGANIZATION_MEMBERS_PAGE.resumed.text) },
};

function withUsers(page: string): string {
  return `SELECT page.*, u.name AS "userName", u.email AS "userEmail"
    FROM (${page}) AS page LEFT JOIN users u ON u.id = page."userId"
    ORDER BY page."createdAt", page.id`;
}

/** Whether a user is a member of an organization. */
export const ORGANIZATION_MEMBER = {
  name: 'organization_member',
  text: 'SELECT id FROM organization_members WHERE organization_id = $1 AND user_id = $2',
};

/** The roles of those among some users who are members of an organization. */
export const ORGANIZATION_MEMBER_ROLES = {
  name: 'organization_member_roles',
  text: `SELECT user_id, role FROM organization_members
    WHERE organization_id = $1 AND user_id = ANY ($2::text[])`,
};

/** Whether an organization has SCIM. */
export const SCIM_ENABLED = {
  name: 'organization_scim_enabled',
  text: 'SELECT scim_enabled FROM organizations WHERE id = $1',
};

// The database says when: the clocks of replicas may differ, and the list of members is in this order.
const MADE_NOW = { createdAt: () => 'now()' };

/** The rows of organizations, users and memberships. */
@Injectable()
export class OrganizationsRepository {
  constructor(
    private readonly statements: Statements,
    private readonly pages: PageReader,
    @InjectRepository(OrganizationEntity) private readonly organizations: Repository<OrganizationEntity>,
    @InjectRepository(OrganizationMemberEntity) private readonly members: Repository<OrganizationMemberEntity>,
  ) {}

  async insertOrganization(manager: EntityManager, organization: Omit<OrganizationEntity, 'createdAt'>): Promise<void> {
    await manager.insert(OrganizationEntity, { ...organization, ...MADE_NOW });
  }

  async insertMember(
    manager: EntityManager,
    user: Omit<UserEntity, 'createdAt'>,
    member: Omit<OrganizationMemberEntity, 'createdAt'>,
  ): Promise<void> {
    await manager.insert(UserEntity, { ...user, ...MADE_NOW });
    await manager.insert(OrganizationMemberEntity, { ...member, ...MADE_NOW });
  }

  /** The organization that was made first, if there is any. */
  async first(): Promise<OrganizationEntity | null> {
    const [first] = await this.organizations.find({ order: { createdAt: 'ASC', id: 'ASC' }, take: 1 });
    return first ?? null;
  }

  async find(organizationId: string): Promise<OrganizationEntity | null> {
    return this.organizations.findOneBy({ id: organizationId });
  }

  async findByName(name: string): Promise<OrganizationEntity | null> {
    return this.organizations.findOne({ where: { name }, order: { createdAt: 'ASC' } });
  }

  async membersOf(organizationId: string): Promise<OrganizationMemberEntity[]> {
    return this.members.find({ where: { organizationId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  async isMember(organizationId: string, userId: string): Promise<boolean> {
    return (await this.statements.first(ORGANIZATION_MEMBER, [organizationId, userId])) !== undefined;
  }

  async rolesOf(
    on: StatementRunner,
    organizationId: string,
    userIds: readonly string[],
  ): Promise<{ user_id: string; role: MemberRole }[]> {
    return on.rows(ORGANIZATION_MEMBER_ROLES, [organizationId, userIds]);
  }

  async membersPage(organizationId: string, window: PageWindow): Promise<Page<OrganizationMemberEntity>> {
    return this.pages.read(ORGANIZATION_MEMBERS_PAGE, [organizationId], window);
  }

  async membersWithUsersPage(organizationId: string, window: PageWindow): Promise<Page<MemberWithUser>> {
    return this.pages.read(ORGANIZATION_USERS_PAGE, [organizationId], window);
  }

  /** Runs ahead of every SCIM operation, so it is a named statement of one column. */
  async isScimEnabled(organizationId: string): Promise<boolean> {
    const row = await this.statements.first<{ scim_enabled: boolean }>(SCIM_ENABLED, [organizationId]);
    return row?.scim_enabled === true;
  }

  async setScimEnabled(organizationId: string, enabled: boolean): Promise<boolean> {
    const { affected } = await this.organizations.update({ id: organizationId }, { scimEnabled: enabled });
    return affected === 1;
  }
}
