import { DataOf } from '../../../http/openapi/response-envelopes.js';
import { SchemaExample } from '../../../http/validation/dto-fields.js';
import { IntegerField } from '../../../http/validation/fields.js';
import { PathIdField, UserIdField } from '../../../http/validation/id-fields.js';

/** The body of transferKey and transferMemberKeys. */
@SchemaExample({ user_id: 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62' })
export class TransferKeyRequest {
  @UserIdField('The new owner, an active member of the organization.', { minLength: 1 })
  user_id: string;
}

/** Whose keys. */
export class FormerOwnerPath {
  @PathIdField('The id of the user.', 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62')
  id: string;
}

/** What was transferred. */
export class TransferredKeys {
  @IntegerField({ description: 'How many keys have the new owner.', example: 3 })
  keys: number;
}

/** The answer to transferMemberKeys. */
export class TransferredKeysResponse extends DataOf(TransferredKeys) {}
