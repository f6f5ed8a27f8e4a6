import { OrganizationEntity } from './organization.entity.js';
import { OrganizationMemberEntity } from './organization-member.entity.js';
import { UserEntity } from './user.entity.js';

/** Every entity of this module. */
export const ORGANIZATIONS_ENTITIES = [OrganizationEntity, OrganizationMemberEntity, UserEntity];
