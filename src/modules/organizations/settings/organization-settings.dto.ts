import { DataOf } from '../../../http/openapi/response-envelopes.js';
import { SchemaExample } from '../../../http/validation/dto-fields.js';
import { EnumField } from '../../../http/validation/fields.js';
import { KEYS_OF_DEACTIVATED_MEMBERS, type KeysOfDeactivatedMembers } from '../member-role.js';

const KEYS_OF_DEACTIVATED = {
  description:
    'What becomes of keys for inference of members who are deactivated: suspended until the reactivation, or kept in force. Management keys are always suspended.',
  example: 'suspend',
} as const;

/** The settings of an organization. */
export class OrganizationSettings {
  @EnumField(KEYS_OF_DEACTIVATED_MEMBERS, KEYS_OF_DEACTIVATED)
  keys_of_deactivated_members: KeysOfDeactivatedMembers;
}

/** The body of updateOrganizationSettings. Absent fields stay. */
@SchemaExample({ keys_of_deactivated_members: 'keep_api_keys' })
export class UpdateOrganizationSettingsRequest {
  @EnumField(KEYS_OF_DEACTIVATED_MEMBERS, { ...KEYS_OF_DEACTIVATED, optional: true })
  keys_of_deactivated_members?: KeysOfDeactivatedMembers;
}

/** The answer to the operations on the settings. */
export class OrganizationSettingsResponse extends DataOf(OrganizationSettings) {}
