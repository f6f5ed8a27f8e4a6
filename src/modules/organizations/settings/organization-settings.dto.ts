import { DataOf } from '../../../http/openapi/response-envelopes.js';
import { SchemaExample } from '../../../http/validation/dto-fields.js';
import { BooleanField, EnumField, NumberField, TextField } from '../../../http/validation/fields.js';
import {
  CONSENT_BY,
  type ConsentBy,
  KEYS_OF_DEACTIVATED_MEMBERS,
  type KeysOfDeactivatedMembers,
} from '../member-role.js';

const KEYS_OF_DEACTIVATED = {
  description:
    'What becomes of keys for inference of members who are deactivated: suspended until the reactivation, or kept in force. Management keys are always suspended.',
  example: 'suspend',
} as const;

const CONSENT = {
  description: 'Who may allow applications a key on the consent page: every member, or administrators only.',
  example: 'members',
} as const;

const MAXIMUM_LIMIT = {
  description:
    'The highest limit in US dollars of a key that is allowed to an application, which then has to have one; null for any, and for none.',
  example: 50,
  minimum: 0,
  nullable: true,
} as const;

const FILTERED_CATALOG = {
  description:
    'Whether `GET /models` lists only the models that the policy of the key permits, as `/models/user` does. Only the public dialect has it set; otherwise it is false.',
  example: false,
} as const;

/** What can be set of an organization. */
export class ChangeableOrganizationSettings {
  @EnumField(KEYS_OF_DEACTIVATED_MEMBERS, KEYS_OF_DEACTIVATED)
  keys_of_deactivated_members: KeysOfDeactivatedMembers;

  @EnumField(CONSENT_BY, CONSENT)
  consent_by: ConsentBy;

  @NumberField(MAXIMUM_LIMIT)
  consent_maximum_limit: number | null;

  @BooleanField(FILTERED_CATALOG)
  is_filtered_model_catalog_enabled: boolean;
}

/** The settings of an organization. */
export class OrganizationSettings extends ChangeableOrganizationSettings {
  @TextField({ description: 'The id of the organization.', example: 'org_019aa3f05b1e7c409d0e3d1c2b4a5f62' })
  id: string;
}

/** The body of updateOrganizationSettings. Absent fields stay. */
@SchemaExample({ keys_of_deactivated_members: 'keep_api_keys' })
export class UpdateOrganizationSettingsRequest {
  @EnumField(KEYS_OF_DEACTIVATED_MEMBERS, { ...KEYS_OF_DEACTIVATED, optional: true })
  keys_of_deactivated_members?: KeysOfDeactivatedMembers;

  @EnumField(CONSENT_BY, { ...CONSENT, optional: true })
  consent_by?: ConsentBy;

  @NumberField({ ...MAXIMUM_LIMIT, optional: true })
  consent_maximum_limit?: number | null;

  @BooleanField({ ...FILTERED_CATALOG, optional: true, publicOnly: true })
  is_filtered_model_catalog_enabled?: boolean;
}

/** The answer to the operations on the settings. */
export class OrganizationSettingsResponse extends DataOf(OrganizationSettings) {}
