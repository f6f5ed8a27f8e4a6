import {
  BooleanField,
  EnumField,
  IntegerField,
  TextField,
  TextListField,
  TimestampField,
  UuidField,
} from '../../../../http/validation/fields.js';
import { DataOf, Deleted, PageOf } from '../../../../http/openapi/response-envelopes.js';
import { DECLARED_REGIONS, type DeclaredRegion } from '../../../catalog/private/private-endpoint.js';
import { PageQuery } from '../../../../http/pagination/pagination.js';

/** The maximum number of items of each list that restricts a key. */
const MAXIMUM_ITEMS = 100;

/** The maximum length of a key, in characters: one that is no document is sent in a header. */
const MAXIMUM_KEY_LENGTH = 4_096;

const WORKSPACE_EXAMPLE = '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61';

const HASH_EXAMPLE = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

const USER_EXAMPLE = 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62';

const IS_REQUIRED = {
  description: "Whether the deployment's own credentials for the provider are not used for the models of this key.",
  example: false,
} as const;

const IS_BYOK_ONLY = {
  description:
    "Whether the deployment's own credentials for the provider are used for no model, even after all own keys failed. Such a key is no fallback (`is_fallback`).",
  example: false,
} as const;

const DECLARED_ZDR = {
  description:
    'Whether the account of this key has zero data retention with the provider, so that the key may answer requests that demand it; null for what the endpoint says.',
  example: null,
} as const;

const DECLARED_REGION = {
  description: 'Where the account of this key works, as the organization says; shown and not checked.',
  example: 'europe',
  optional: true,
  nullable: true,
  publicOnly: true,
} as const;

/** Which provider key. */
export class BYOKKeyPath {
  @TextField({
    description: 'The id of the provider key. An id that is not a UUID is a 404.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f64',
    minLength: 1,
  })
  id: string;
}

/** A key of the organization's own for a provider. */
export class BYOKKey {
  @UuidField({ description: 'The id.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f64' })
  id: string;

  @TextField({ description: 'The slug of the provider.', example: 'openai' })
  provider: string;

  @UuidField({ description: 'The workspace that uses the key.', example: WORKSPACE_EXAMPLE, nullable: true })
  workspace_id: string | null;

  @TextField({ description: 'The name.', example: 'Production', nullable: true, optional: true })
  name?: string | null;

  @TextField({ description: 'The key, masked. No response contains the key itself.', example: 'sk-p...wxyz' })
  label: string;

  @BooleanField({ description: 'Whether the key is disabled: it is not used.', example: false })
  disabled: boolean;

  @BooleanField({
    description: "Whether the key is tried after the deployment's own credentials instead of before them.",
    example: false,
  })
  is_fallback: boolean;

  @BooleanField(IS_REQUIRED)
  is_required: boolean;

  @BooleanField(IS_BYOK_ONLY)
  is_byok_only: boolean;

  @BooleanField({ ...DECLARED_ZDR, nullable: true })
  declared_zdr: boolean | null;

  @EnumField(DECLARED_REGIONS, DECLARED_REGION)
  declared_region?: DeclaredRegion | null;

  @TextListField({
    description: 'The only models that the key is used for; null for all.',
    example: ['openai/gpt-5.5'],
    maxItems: MAXIMUM_ITEMS,
    nullable: true,
  })
  allowed_models: string[] | null;

  @TextListField({
    description: 'The hashes of the only API keys that the key is used for; null for all.',
    example: [HASH_EXAMPLE],
    maxItems: MAXIMUM_ITEMS,
    nullable: true,
  })
  allowed_api_key_hashes: string[] | null;

  @TextListField({
    description: 'The ids of the only users that the key is used for; null for all.',
    example: [USER_EXAMPLE],
    maxItems: MAXIMUM_ITEMS,
    nullable: true,
  })
  allowed_user_ids: string[] | null;

  @IntegerField({
    description: 'Keys for one provider in one workspace are tried in this order, which is that of their creation.',
    example: 0,
  })
  sort_order: number;

  @TimestampField({ description: 'When it was created.' })
  created_at: string;
}

/** The answer to createBYOKKey, getBYOKKey and updateBYOKKey. */
export class BYOKKeyResponse extends DataOf(BYOKKey) {}

/** The answer to listBYOKKeys. */
export class ListBYOKKeysResponse extends PageOf(BYOKKey) {}

/** The answer to deleteBYOKKey. */
export class DeleteBYOKKeyResponse extends Deleted('Always true: the key was deleted.') {}

const KEY = {
  description:
    'The key of the provider: printable ASCII characters without spaces, or for a cloud a JSON object of a credential. It is stored encrypted.',
  example: 'sk-proj-0123456789abcdefghijklmnopqrstuvwxyz',
  minLength: 1,
  maxLength: MAXIMUM_KEY_LENGTH,
  pattern: '^([\\x21-\\x7e]+|\\{[\\t\\n\\r\\x20-\\x7e]+\\}\\s*)$',
} as const;

/** The fields of both creating and updating a provider key. */
abstract class BYOKKeyRequest {
  @TextField({ description: 'The name.', example: 'Production', maxLength: 255, optional: true, nullable: true })
  name?: string | null;

  @BooleanField({ description: 'Whether the key is disabled: it is not used.', example: false, optional: true })
  disabled?: boolean;

  @BooleanField({
    description: "Whether the key is tried after the deployment's own credentials instead of before them.",
    example: false,
    optional: true,
  })
  is_fallback?: boolean;

  @BooleanField({ ...IS_REQUIRED, optional: true })
  is_required?: boolean;

  @BooleanField({ ...IS_BYOK_ONLY, optional: true })
  is_byok_only?: boolean;

  @BooleanField({ ...DECLARED_ZDR, optional: true, nullable: true })
  declared_zdr?: boolean | null;

  @EnumField(DECLARED_REGIONS, DECLARED_REGION)
  declared_region?: DeclaredRegion | null;

  @TextListField({
    description: 'The only models that the key is used for; null for all. An empty list allows none.',
    example: ['openai/gpt-5.5'],
    maxItems: MAXIMUM_ITEMS,
    optional: true,
    nullable: true,
  })
  allowed_models?: string[] | null;

  @TextListField({
    description: 'The hashes of the only API keys that the key is used for; null for all.',
    example: [HASH_EXAMPLE],
    minItems: 1,
    maxItems: MAXIMUM_ITEMS,
    items: { pattern: '^[a-f0-9]{64}$' },
    asSent: true,
    optional: true,
    nullable: true,
  })
  allowed_api_key_hashes?: string[] | null;

  @TextListField({
    description: 'The ids of the only users that the key is used for; null for all. An empty list allows none.',
    example: [USER_EXAMPLE],
    maxItems: MAXIMUM_ITEMS,
    asSent: true,
    optional: true,
    nullable: true,
  })
  allowed_user_ids?: string[] | null;
}

/** The body of createBYOKKey. */
export class CreateBYOKKeyRequest extends BYOKKeyRequest {
  @TextField({
    description: 'The slug of the provider in the catalog, which cannot be changed.',
    example: 'openai',
  })
  provider: string;

  @TextField(KEY)
  key: string;

  @UuidField({
    description: 'The workspace that uses the key; the default workspace if absent.',
    example: WORKSPACE_EXAMPLE,
    optional: true,
  })
  workspace_id?: string;
}

/** The body of updateBYOKKey: what is left out stays as it is. */
export class UpdateBYOKKeyRequest extends BYOKKeyRequest {
  @TextField({
    ...KEY,
    description: 'The new key of the provider. Sending back the label of the stored key keeps the stored key.',
    optional: true,
  })
  key?: string;
}

/** Which provider keys to list. */
export class ListBYOKKeysQuery extends PageQuery {
  @UuidField({
    description: 'The workspace whose keys to list; the default workspace if absent.',
    example: WORKSPACE_EXAMPLE,
    optional: true,
  })
  workspace_id?: string;

  @TextField({ description: 'The slug of the only provider to list keys for.', example: 'openai', optional: true })
  provider?: string;
}
