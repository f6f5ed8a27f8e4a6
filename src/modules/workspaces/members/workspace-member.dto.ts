import { DEFAULT_ROLE, MEMBER_ROLES, type MemberRole } from '../../../auth/roles.js';
import { PageOf } from '../../../http/openapi/response-envelopes.js';
import { ViewOf } from '../../../http/pagination/pagination.js';
import {
  BooleanField,
  EnumField,
  IntegerField,
  ObjectListField,
  TextListField,
  TimestampField,
  UuidField,
} from '../../../http/validation/fields.js';
import { UserIdField, WorkspaceIdField } from '../../../http/validation/id-fields.js';

/** A member of a workspace (docs/interface/workspaces-and-budgets.md#members). */
export class WorkspaceMember {
  @UuidField({
    description: 'The id of the membership, the same in every response.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60',
  })
  id: string;

  @WorkspaceIdField('The id of the workspace.')
  workspace_id: string;

  @UserIdField('The id of the user.')
  user_id: string;

  @EnumField(MEMBER_ROLES, { description: 'The role of the user in the workspace.', example: DEFAULT_ROLE })
  role: MemberRole;

  @TimestampField({ description: 'When the membership began.' })
  created_at: string;
}

/** Which members of a workspace to list. */
export class ListWorkspaceMembersQuery extends ViewOf('their name or e-mail address', [
  'name',
  'email',
  'created_at',
]) {}

/** The answer to listWorkspaceMembers. */
export class ListWorkspaceMembersResponse extends PageOf(WorkspaceMember) {}

const EXAMPLE_USER = 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62';

/** The body of bulkAddWorkspaceMembers. */
export class BulkAddWorkspaceMembersRequest {
  @TextListField({
    description: 'The ids of the users to add. They must be members of the organization, and get the same role.',
    example: [EXAMPLE_USER],
    minItems: 1,
    maxItems: 100,
  })
  user_ids: string[];
}

/** The answer to bulkAddWorkspaceMembers. */
export class BulkAddWorkspaceMembersResponse {
  @ObjectListField(() => WorkspaceMember, {
    description: 'The memberships of the users in the request, without duplicates, in the order of the request.',
  })
  data: WorkspaceMember[];

  @IntegerField({
    description: 'The number of new memberships, and of memberships from SCIM groups that are now manual as well.',
    example: 1,
    minimum: 0,
  })
  added_count: number;
}

/** The body of bulkRemoveWorkspaceMembers. */
export class BulkRemoveWorkspaceMembersRequest {
  @TextListField({
    description: 'The ids of the users to remove. Users who are not members are ignored.',
    example: [EXAMPLE_USER],
    minItems: 1,
    maxItems: 100,
  })
  user_ids: string[];

  @BooleanField({
    description:
      'Whether the keys that the users have in the workspace are suspended until they are members again; if false or absent, members with active keys cannot be removed.',
    example: true,
    optional: true,
  })
  suspend_keys?: boolean;
}

/** The answer to bulkRemoveWorkspaceMembers. */
export class BulkRemoveWorkspaceMembersResponse {
  @IntegerField({ description: 'The number of memberships that were removed.', example: 1, minimum: 0 })
  removed_count: number;
}
