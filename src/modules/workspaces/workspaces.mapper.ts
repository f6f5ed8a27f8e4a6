import type { OrganizationMember } from '../organizations/organizations.service.js';
import type { WorkspaceMember } from './dto/workspace-member.dto.js';
import type { WorkspaceMemberEntity } from './entities/workspace-member.entity.js';

/** A membership as the interface shows it. */
export function toMemberResponse(member: WorkspaceMemberEntity): WorkspaceMember {
  return {
    id: member.id,
    workspace_id: member.workspaceId,
    user_id: member.userId,
    role: member.role,
    created_at: member.createdAt.toISOString(),
  };
}

/** The membership of the default workspace that a member of the organization has implicitly, with a lasting id. */
export function toImplicitMemberResponse(member: OrganizationMember, workspaceId: string): WorkspaceMember {
  return {
    id: member.id,
    workspace_id: workspaceId,
    user_id: member.userId,
    role: member.role,
    created_at: member.createdAt.toISOString(),
  };
}
