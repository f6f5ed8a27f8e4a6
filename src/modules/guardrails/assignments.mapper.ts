import type { ListedKeyAssignment } from './assignments.repository.js';
import type { KeyAssignment, MemberAssignment } from './dto/assignment.dto.js';
import type { GuardrailMemberAssignmentEntity } from './entities/guardrail-member-assignment.entity.js';

/** The guardrail of a key as the interface shows it. */
export function toKeyAssignmentResponse(assignment: ListedKeyAssignment): KeyAssignment {
  return {
    id: assignment.id,
    key_hash: assignment.keyHash,
    key_name: assignment.keyName,
    key_label: assignment.keyLabel,
    guardrail_id: assignment.guardrailId,
    assigned_by: assignment.assignedBy,
    created_at: assignment.createdAt.toISOString(),
  };
}

/** The guardrail of a member as the interface shows it. */
export function toMemberAssignmentResponse(assignment: GuardrailMemberAssignmentEntity): MemberAssignment {
  return {
    id: assignment.id,
    user_id: assignment.userId,
    organization_id: assignment.organizationId,
    guardrail_id: assignment.guardrailId,
    assigned_by: assignment.assignedBy,
    created_at: assignment.createdAt.toISOString(),
  };
}
