import { BODY_LIMITS, BodyLimit } from '../../../http/input/body-limit.js';
import { PageOf } from '../../../http/openapi/response-envelopes.js';
import {
  IntegerField,
  TextField,
  TextListField,
  TimestampField,
  TrueField,
  UuidField,
} from '../../../http/validation/fields.js';
import { UserIdField } from '../../../http/validation/id-fields.js';

const KEY_HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

const USER_ID = 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62';

class Assignment {
  @UuidField({ description: 'The id of the assignment.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f68' })
  id: string;

  @UuidField({ description: 'The id of the guardrail.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60' })
  guardrail_id: string;

  @UserIdField('The id of the user who assigned the guardrail.', { nullable: true })
  assigned_by: string | null;

  @TimestampField({ description: 'When the guardrail was assigned.' })
  created_at: string;
}

/** The guardrail of a key. */
export class KeyAssignment extends Assignment {
  @TextField({ description: 'The hash of the key.', example: KEY_HASH })
  key_hash: string;

  @TextField({ description: 'The name of the key.', example: 'Production' })
  key_name: string;

  @TextField({ description: 'The masked key.', example: 'sk-gate-v2-0e6...1c2' })
  key_label: string;
}

/** The guardrail of a member of the organization. */
export class MemberAssignment extends Assignment {
  @UserIdField('The id of the user.')
  user_id: string;

  @TextField({ description: 'The id of the organization.', example: 'org_019aa3f05b1e7c409d0e3d1c2b4a5f63' })
  organization_id: string;

  @TrueField({
    description:
      "Where it applies to the member's keys of all workspaces, and not to those of the guardrail's workspace alone: a guardrail of no workspace, and one that an earlier release has assigned.",
    optional: true,
  })
  applies_everywhere?: true;
}

/** The answer to listKeyAssignments and listGuardrailKeyAssignments. */
export class ListKeyAssignmentsResponse extends PageOf(KeyAssignment) {}

/** The answer to listMemberAssignments and listGuardrailMemberAssignments. */
export class ListMemberAssignmentsResponse extends PageOf(MemberAssignment) {}

@BodyLimit(BODY_LIMITS.large)
class KeyHashes {
  @TextListField({ description: 'The hashes of the keys.', example: [KEY_HASH], minItems: 1, items: { minLength: 1 } })
  key_hashes: string[];
}

@BodyLimit(BODY_LIMITS.large)
class MemberUserIds {
  @TextListField({
    description: 'The user ids of the members.',
    example: [USER_ID],
    minItems: 1,
    items: { minLength: 1 },
  })
  member_user_ids: string[];
}

/** The body of bulkAssignKeysToGuardrail. */
export class BulkAssignKeysRequest extends KeyHashes {}

/** The body of bulkUnassignKeysFromGuardrail. */
export class BulkUnassignKeysRequest extends KeyHashes {}

/** The body of bulkAssignMembersToGuardrail. */
export class BulkAssignMembersRequest extends MemberUserIds {}

/** The body of bulkUnassignMembersFromGuardrail. */
export class BulkUnassignMembersRequest extends MemberUserIds {}

/** How many assignments were made. */
export class AssignedCount {
  @IntegerField({ description: 'The number of assignments that changed.', example: 1, minimum: 0 })
  assigned_count: number;
}

/** How many assignments were removed. */
export class UnassignedCount {
  @IntegerField({ description: 'The number of assignments that were removed.', example: 1, minimum: 0 })
  unassigned_count: number;
}

/** The answer to bulkAssignKeysToGuardrail. */
export class BulkAssignKeysResponse extends AssignedCount {}

/** The answer to bulkUnassignKeysFromGuardrail. */
export class BulkUnassignKeysResponse extends UnassignedCount {}

/** The answer to bulkAssignMembersToGuardrail. */
export class BulkAssignMembersResponse extends AssignedCount {}

/** The answer to bulkUnassignMembersFromGuardrail. */
export class BulkUnassignMembersResponse extends UnassignedCount {}
