import { SchemaExample } from '../../../http/validation/dto-fields.js';
import { UserIdField } from '../../../http/validation/id-fields.js';

/** The body of transferKey. */
@SchemaExample({ user_id: 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62' })
export class TransferKeyRequest {
  @UserIdField('The new owner, an active member of the organization.', { minLength: 1 })
  user_id: string;
}
