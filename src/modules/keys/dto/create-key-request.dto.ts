import { Rules } from '../../../http/input/rules.js';
import { ObjectField, TextField, TimestampField, UuidField } from '../../../http/schema/fields.js';
import { WholeExample } from '../../../http/schema/schema-registry.js';
import { withoutReservedPrefix } from '../external-api-key.js';
import { ExternalIdentity } from './external-identity.dto.js';
import { KeyFields, MAXIMUM_KEY_NAME_LENGTH } from './key-fields.dto.js';

/** The body of createKeys. */
@Rules(withoutReservedPrefix)
@WholeExample({ name: 'Production', limit: 25, limit_reset: 'monthly', include_byok_in_limit: true })
export class CreateKeyRequest extends KeyFields {
  @TextField({ description: 'The name.', example: 'Production', minLength: 1, maxLength: MAXIMUM_KEY_NAME_LENGTH })
  name: string;

  @TextField({
    description:
      'Whose key it is: a member of the organization; when left out or null, the user of the management key.',
    example: 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62',
    minLength: 1,
    optional: true,
    nullable: true,
  })
  creator_user_id?: string | null;

  @UuidField({
    description: 'The workspace of the key; when left out, the default workspace.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61',
    optional: true,
  })
  workspace_id?: string;

  @TimestampField({
    description: 'When the key expires; null for never.',
    example: '2027-01-01T00:00:00Z',
    optional: true,
    nullable: true,
  })
  expires_at?: string | null;

  @ObjectField(() => ExternalIdentity, {
    description: 'Whom the key is for in the system of a partner, and a secret that the partner brings.',
    optional: true,
  })
  external?: ExternalIdentity;
}
