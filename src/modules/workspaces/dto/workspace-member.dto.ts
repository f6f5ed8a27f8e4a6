import { PageOf } from '../../../http/schema/answer-shapes.js';
import { EnumField, TextField, TimestampField, UuidField } from '../../../http/schema/fields.js';
import { MEMBER_ROLES, type MemberRole } from '../../organizations/member-role.js';

/** A member of a workspace (SERVICE.md, section 2.6). */
export class WorkspaceMember {
  @UuidField({
    description: 'The membership, the same on every call.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60',
  })
  id: string;

  @UuidField({ description: 'The workspace.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61' })
  workspace_id: string;

  @TextField({ description: 'The user.', example: 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62' })
  user_id: string;

  @EnumField(MEMBER_ROLES, { description: 'What the user is in the workspace.', example: 'member' })
  role: MemberRole;

  @TimestampField({ description: 'When the membership began.' })
  created_at: string;
}

/** The answer to listWorkspaceMembers. */
export class ListWorkspaceMembersResponse extends PageOf(WorkspaceMember) {}
