export {
  type DeactivatedBy,
  KEYS_OF_DEACTIVATED_MEMBERS,
  type KeysOfDeactivatedMembers,
  MEMBER_KINDS,
  MEMBER_ROLES,
  type MemberKind,
  type MemberRole,
  type MemberStatus,
} from './member-role.js';
export {
  type ChangedMemberRoles,
  type ChangedMembers,
  type ChangedMemberStates,
  type MemberHook,
  MemberHooks,
} from './members/member-hooks.js';
export { emailKeyOf, MembersService, type NewMember } from './members/members.service.js';
export { MemberEmailTaken, UNKNOWN_USER, UNKNOWN_USERS } from './organizations.errors.js';
export { OrganizationsModule } from './organizations.module.js';
export { type OrganizationMember, type OrganizationOverview, OrganizationsService } from './organizations.service.js';
