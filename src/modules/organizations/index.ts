export { MEMBER_ROLES, type MemberRole } from './member-role.js';
export { UNKNOWN_USER, UNKNOWN_USERS } from './organizations.errors.js';
export { OrganizationsModule } from './organizations.module.js';
export { type OrganizationMember, type OrganizationOverview, OrganizationsService } from './organizations.service.js';
