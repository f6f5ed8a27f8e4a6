import { IntegerField, ObjectListField, TextListField } from '../../../http/schema/fields.js';
import { WorkspaceMember } from './workspace-member.dto.js';

const EXAMPLE_USER = 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62';

/** The body of bulkAddWorkspaceMembers. */
export class BulkAddWorkspaceMembersRequest {
  @TextListField({
    description: 'Members of the organization. Each gets the role that it has there.',
    example: [EXAMPLE_USER],
    minItems: 1,
    maxItems: 100,
  })
  user_ids: string[];
}

/** The answer to bulkAddWorkspaceMembers. */
export class BulkAddWorkspaceMembersResponse {
  @ObjectListField(() => WorkspaceMember, {
    description: 'The memberships of all the users in the request, each once, in its order.',
  })
  data: WorkspaceMember[];

  @IntegerField({
    description: 'How many memberships were made, or given by hand where only mapped groups had given them.',
    example: 1,
    minimum: 0,
  })
  added_count: number;
}

/** The body of bulkRemoveWorkspaceMembers. */
export class BulkRemoveWorkspaceMembersRequest {
  @TextListField({
    description: 'The members to be removed. Whoever is none does not matter.',
    example: [EXAMPLE_USER],
    minItems: 1,
    maxItems: 100,
  })
  user_ids: string[];
}

/** The answer to bulkRemoveWorkspaceMembers. */
export class BulkRemoveWorkspaceMembersResponse {
  @IntegerField({ description: 'How many memberships there were.', example: 1, minimum: 0 })
  removed_count: number;
}
