import { EnumField } from '../../../http/schema/fields.js';
import { MEMBER_ROLES, type MemberRole } from '../../organizations/member-role.js';

/** The body of updateScimGroupMapping. */
export class UpdateScimGroupMappingRequest {
  @EnumField(MEMBER_ROLES, { description: "The role of the group's members in the workspace.", example: 'admin' })
  role: MemberRole;
}
