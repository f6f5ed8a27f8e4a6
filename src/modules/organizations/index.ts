export { type ConsentBy, MEMBER_KINDS, MEMBER_STATUSES, type MemberKind, type MemberStatus } from './member-role.js';
export {
  type ChangedMembers,
  type ChangedMemberStates,
  type ErasedMember,
  type MemberHook,
  MemberHooks,
  type OneMember,
} from './members/member-hooks.js';
export { MemberErasureService } from './members/member-erasure.service.js';
export { emailKeyOf, type ListedMember, MembersService } from './members/members.service.js';
export {
  MemberEmailTaken,
  MemberEnded,
  OrganizationMemberNotFound,
  UNKNOWN_USER,
  UNKNOWN_USERS,
} from './organizations.errors.js';
export { OrganizationSettingsService } from './settings/organization-settings.service.js';
export { OrganizationsModule } from './organizations.module.js';
export { type OrganizationMember, type OrganizationOverview, OrganizationsService } from './organizations.service.js';
export {
  roleOf,
  type ListOrganizationMembersQuery,
  type ListOrganizationMembersResponse,
} from './dto/organization-member.dto.js';
export {
  type UpdateOrganizationMemberRequest,
  type CreateOrganizationMemberRequest,
  type ErasedOrganizationMemberResponse,
  type OrganizationMemberResponse,
} from './members/member.dto.js';
export { VIEW_BY_PERSON } from './persons-of-members.js';
