import { type Permission, SCOPES } from '../../../auth/permissions.js';
import { PageOf, DataOf, Deleted } from '../../../http/openapi/response-envelopes.js';
import {
  BooleanField,
  EnumListField,
  TextField,
  TextListField,
  TimestampField,
} from '../../../http/validation/fields.js';
import { UserIdField } from '../../../http/validation/id-fields.js';
import { Rules } from '../../../http/validation/rules.js';
import { SchemaExample } from '../../../http/validation/dto-fields.js';
import { allowedAddressesIssues } from '../allowed-ranges.js';
import { ALLOWED_ADDRESSES, EXPIRES_AT, KEY_HASH, KEY_NAME } from '../dto/key.dto.js';
import { SUSPENSION_CAUSES, type SuspensionCause } from '../suspension-causes.js';

const RESTRICTION = {
  description:
    "The permissions that the key is restricted to, within its owner's current role; null for all that the owner has.",
  example: ['keys_read', 'usage_read'],
  nullable: true,
} as const;

/** A management key. */
export class ManagementKey {
  @TextField(KEY_HASH)
  hash: string;

  @TextField({ description: 'The masked key.', example: 'mk-gate-v2-9f8...c21' })
  label: string;

  @TextField(KEY_NAME)
  name: string;

  @BooleanField({ description: 'Whether the key is disabled.', example: false })
  disabled: boolean;

  @EnumListField(SUSPENSION_CAUSES, {
    description: 'Why the key is suspended and refused; empty if it is not.',
    example: [],
  })
  suspension_causes: SuspensionCause[];

  @EnumListField(SCOPES, RESTRICTION)
  scopes: Permission[] | null;

  @BooleanField({
    description:
      "Whether the key may do no more than its owner's role permits. false only for keys from before there were permissions, until the role is first changed.",
    example: true,
  })
  follows_owner_role: boolean;

  @TextListField({ ...ALLOWED_ADDRESSES, example: null })
  allowed_addresses: string[] | null;

  @UserIdField('The id of the member who owns the key, as whom its holder acts.')
  creator_user_id: string;

  @TimestampField({ description: 'When the key expires; null for never.', nullable: true, example: null })
  expires_at: string | null;

  @TimestampField({ description: 'When it was created.' })
  created_at: string;

  @TimestampField({ description: 'When it was last changed; null if never.', nullable: true, example: null })
  updated_at: string | null;
}

/** The answer to getManagementKey and updateManagementKey. */
export class ManagementKeyResponse extends DataOf(ManagementKey) {}

/** The answer to listManagementKeys. */
export class ListManagementKeysResponse extends PageOf(ManagementKey) {}

/** The answer to createManagementKey and rotateManagementKey. */
export class IssuedManagementKeyResponse extends DataOf(ManagementKey) {
  @TextField({
    description: 'The key. No other response contains it.',
    example:
      'mk-gate-v2-031f7GbuPo0GnCsEhZdbqU-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef01234567',
  })
  key: string;
}

/** The answer to deleteManagementKey. */
export class DeleteManagementKeyResponse extends Deleted(
  'Always true: the key was deleted, and no replica accepts it.',
) {}

/** The body of createManagementKey. */
@Rules(allowedAddressesIssues)
@SchemaExample({ name: 'Reporting', scopes: ['usage_read', 'keys_read'] })
export class CreateManagementKeyRequest {
  @TextField(KEY_NAME)
  name: string;

  @EnumListField(SCOPES, { ...RESTRICTION, minItems: 1, optional: true })
  scopes?: Permission[] | null;

  @TextListField({ ...ALLOWED_ADDRESSES, optional: true })
  allowed_addresses?: string[] | null;

  @TimestampField(EXPIRES_AT)
  expires_at?: string | null;

  @UserIdField('The owner: the caller if absent, or a service account of the organization.', {
    minLength: 1,
    optional: true,
  })
  creator_user_id?: string;
}

/** The body of updateManagementKey. Absent fields stay. */
@Rules(allowedAddressesIssues)
@SchemaExample({ scopes: ['usage_read'] })
export class UpdateManagementKeyRequest {
  @TextField({ ...KEY_NAME, optional: true })
  name?: string;

  @BooleanField({ description: 'Whether the key is disabled.', example: true, optional: true })
  disabled?: boolean;

  @EnumListField(SCOPES, {
    ...RESTRICTION,
    description: 'The permissions that the key is restricted to from now on: only such as it has.',
    minItems: 1,
    optional: true,
  })
  scopes?: Permission[] | null;

  @TextListField({ ...ALLOWED_ADDRESSES, optional: true })
  allowed_addresses?: string[] | null;
}
