import { ADMINISTRATOR, DEFAULT_ROLE, MEMBER_ROLES, type MemberRole } from '../../../auth/roles.js';
import { DataOf, Deleted, PageOf } from '../../../http/openapi/response-envelopes.js';
import { ViewOf } from '../../../http/pagination/pagination.js';
import { BooleanField, EnumField, TextField, TimestampField, UuidField } from '../../../http/validation/fields.js';
import { PathIdField, UserIdField, WorkspaceIdField } from '../../../http/validation/id-fields.js';
import { MEMBER_STATUSES, type MemberStatus } from '../../organizations/member-role.js';

const GROUP_ID = { description: 'The id of the group.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f63' };

const ORGANIZATION_ID = { description: 'The id of the organization.', example: 'org_019aa3f05b1e7c409d0e3d1c2b4a5f64' };

const ROLE = { description: "The role of the group's members in the workspace.", example: DEFAULT_ROLE } as const;

/** A group that the organization's identity provider has pushed. */
export class ScimGroup {
  @UuidField(GROUP_ID)
  id: string;

  @TextField(ORGANIZATION_ID)
  organization_id: string;

  @TextField({
    description: "The identity provider's id of the group.",
    example: '00g1emaKYZTWRYYRRTSK',
    nullable: true,
  })
  external_id: string | null;

  @TextField({ description: "The identity provider's name of the group.", example: 'Engineering' })
  display_name: string;

  @TimestampField({ description: 'When the group was first pushed.' })
  created_at: string;

  @TimestampField({ description: 'When it was last changed.' })
  updated_at: string;
}

/** The answer to listScimGroups. */
export class ListScimGroupsResponse extends PageOf(ScimGroup) {}

/** Which group. */
export class ScimGroupPath {
  @PathIdField('The id of the group.', '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f63')
  id: string;
}

/** A member of a group. */
export class ScimGroupMember {
  @UserIdField('The id of the user.')
  user_id: string;

  @TextField({ description: 'The name.', example: 'Ada Lovelace' })
  name: string;

  @TextField({ description: 'The email address.', example: 'ada@example.com' })
  email: string;

  @EnumField(MEMBER_STATUSES, {
    description: 'Whether the member is active. A deactivated one counts as nothing until the reactivation.',
    example: 'active',
  })
  status: MemberStatus;

  @TimestampField({ description: 'When the identity provider put the member into the group.' })
  created_at: string;
}

/** Which members of a group to list. */
export class ListScimGroupMembersQuery extends ViewOf('their name or e-mail address', ['name', 'email']) {}

/** The answer to listScimGroupMembers. */
export class ListScimGroupMembersResponse extends PageOf(ScimGroupMember) {}

/** Which mapping. */
export class ScimGroupMappingPath {
  @PathIdField('The id of the mapping.', '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60')
  id: string;
}

/** The role that the members of a group have in a workspace (docs/interface/scim.md#mappings). */
export class ScimGroupMapping {
  @UuidField({ description: 'The id of the mapping.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60' })
  id: string;

  @UuidField(GROUP_ID)
  scim_group_id: string;

  @WorkspaceIdField('The id of the workspace.')
  workspace_id: string;

  @TextField(ORGANIZATION_ID)
  organization_id: string;

  @EnumField(MEMBER_ROLES, ROLE)
  role: MemberRole;

  @TimestampField({ description: 'When the mapping was created.' })
  created_at: string;

  @TimestampField({ description: 'When it was last changed.' })
  updated_at: string;
}

/** The answer to createScimGroupMapping. */
export class CreateScimGroupMappingResponse extends DataOf(ScimGroupMapping) {}

/** The answer to getScimGroupMapping. */
export class GetScimGroupMappingResponse extends DataOf(ScimGroupMapping) {}

/** The answer to updateScimGroupMapping. */
export class UpdateScimGroupMappingResponse extends DataOf(ScimGroupMapping) {}

/** The answer to listScimGroupMappings. */
export class ListScimGroupMappingsResponse extends PageOf(ScimGroupMapping) {}

/** The body of createScimGroupMapping (docs/interface/scim.md#mappings). */
export class CreateScimGroupMappingRequest {
  @UuidField(GROUP_ID)
  scim_group_id: string;

  @WorkspaceIdField('The id of the workspace.')
  workspace_id: string;

  @EnumField(MEMBER_ROLES, { ...ROLE, optional: true, default: DEFAULT_ROLE })
  role?: MemberRole;
}

/** The body of updateScimGroupMapping. */
export class UpdateScimGroupMappingRequest {
  @EnumField(MEMBER_ROLES, { ...ROLE, example: ADMINISTRATOR })
  role: MemberRole;
}

/** Whether the members stay when a mapping is deleted. */
export class DeleteScimGroupMappingQuery {
  @BooleanField({
    description:
      'true: members from this mapping become manual members. false: members from this mapping only are removed.',
    example: false,
  })
  keep_members: boolean;
}

/** The answer to deleteScimGroupMapping. */
export class DeleteScimGroupMappingResponse extends Deleted('Always true: the mapping was deleted.') {}
