export {
  type ConsentBy,
  type DeactivatedBy,
  KEYS_OF_DEACTIVATED_MEMBERS,
  type KeysOfDeactivatedMembers,
  MEMBER_KINDS,
  MEMBER_STATUSES,
  type MemberKind,
  type MemberStatus,
} from './member-role.js';
export {
  type ChangedMemberRoles,
  type ChangedMembers,
  type ChangedMemberStates,
  type ErasedMember,
  type MemberHook,
  MemberHooks,
  type OneMember,
} from './members/member-hooks.js';
export { type ErasedCounts, MemberErasureService } from './members/member-erasure.service.js';
export { emailKeyOf, type ListedMember, MembersService, type NewMember } from './members/members.service.js';
export {
  MemberEmailTaken,
  MemberEnded,
  MemberIsActive,
  OrganizationMemberNotFound,
  UNKNOWN_USER,
  UNKNOWN_USERS,
} from './organizations.errors.js';
export { OrganizationsModule } from './organizations.module.js';
export { type OrganizationMember, type OrganizationOverview, OrganizationsService } from './organizations.service.js';
