import { shownTimes } from '../../persistence/rows/wire-fields.js';
import type { Guardrail } from './dto/guardrail.dto.js';
import type { GuardrailEntity, MemberGuardrailEntity } from './entities/guardrail.entity.js';
import type { ListedKeyAssignment } from './assignments/assignments.repository.js';
import type { KeyAssignment, MemberAssignment } from './assignments/assignment.dto.js';
import { heldTextsOf } from './content-filters/held-texts.js';
import { toAuditedFields } from './guardrail-settings.js';

/**
 * A guardrail as the interface shows it: that it refuses is what a guardrail without `enforcement` does, and one without `inspector_ids`, or without rules about
 * the tools of MCP servers, has none.
 *
 * @param isClassified whether there is a classifier of prompt injections
 */
export function toGuardrailResponse(guardrail: GuardrailEntity, isClassified: boolean): Guardrail {
  const { enforcement, inspector_ids, content_filter_builtins: builtins, ...audited } = toAuditedFields(guardrail);
  const { allowed_mcp_tools, ignored_mcp_tools, mcp_argument_rules, ...fields } = audited;
  const observing = enforcement === 'observe' ? { enforcement } : {};
  const inspected = inspector_ids === null ? {} : { inspector_ids };
  return {
    id: guardrail.id,
    ...fields,
    content_filter_builtins: builtins?.map((filter) => ({ ...filter, ...heldTextsOf(filter, isClassified) })) ?? null,
    ...inspected,
    ...(allowed_mcp_tools !== null && { allowed_mcp_tools }),
    ...(ignored_mcp_tools !== null && { ignored_mcp_tools }),
    ...(mcp_argument_rules !== null && { mcp_argument_rules }),
    ...observing,
    ...shownTimes(guardrail),
  };
}

/** Maps the guardrail assignment of a key to the response. */
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

/** Maps the guardrail assignment of a member to the response. */
export function toMemberAssignmentResponse(assignment: MemberGuardrailEntity): MemberAssignment {
  return {
    id: assignment.id,
    user_id: assignment.userId,
    organization_id: assignment.organizationId,
    ...(assignment.appliesEverywhere && { applies_everywhere: true }),
    guardrail_id: assignment.guardrailId,
    assigned_by: assignment.assignedBy,
    created_at: assignment.createdAt.toISOString(),
  };
}
