import { DATA_REGIONS, type DataRegion } from '../../../config/data-region.js';
import { DataOf, ListOf } from '../../../http/schema/answer-shapes.js';
import {
  BooleanField,
  EnumListField,
  IntegerField,
  ObjectField,
  TextField,
  TimestampField,
  UuidField,
} from '../../../http/schema/fields.js';
import { KeyUsage } from './key-usage.dto.js';

/** A key. */
export class Key extends KeyUsage {
  @TextField({
    description: 'The SHA-256 of the whole key, in lowercase hex. A rotation changes it.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  hash: string;

  @TextField({ description: 'The name.', example: 'Production' })
  name: string;

  @BooleanField({ description: 'Whether the key is refused.', example: false })
  disabled: boolean;

  @TimestampField({ description: 'When it was made.' })
  created_at: string;

  @TimestampField({ description: 'When it was last changed; null when never.', nullable: true })
  updated_at: string | null;

  @UuidField({
    description:
      'The workspace of the key. Null for a management key, which belongs to no workspace, once the default workspace is deleted.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61',
    nullable: true,
  })
  workspace_id: string | null;

  @TextField({
    description: "The partner's own identifier of the user whom the key is for; null when none was given.",
    example: 'customer-4711',
    nullable: true,
  })
  external_user: string | null;
}

/** The deprecated limit on requests. */
export class KeyRateLimit {
  @IntegerField({ description: 'Always -1: there is none.', example: -1 })
  requests: number;

  @TextField({ description: 'Of no meaning.', example: '10s' })
  interval: string;

  @TextField({ description: 'That it means nothing.', example: 'This field is deprecated and safe to ignore.' })
  note: string;
}

/** An allowance of requests to free models. */
export class FreeModelDailyRequests {
  @IntegerField({ description: 'Always 0: none are given by the day, and none are counted.', example: 0, minimum: 0 })
  limit: number;

  @IntegerField({ description: 'How many of them were used today: 0.', example: 0, minimum: 0 })
  used: number;

  @IntegerField({ description: 'How many of them are left today: 0.', example: 0, minimum: 0 })
  remaining: number;
}

/** A key as its own holder sees it. */
export class CurrentKey extends KeyUsage {
  @BooleanField({ description: 'Always false: there is no free tier.', example: false })
  is_free_tier: boolean;

  @BooleanField({ description: 'Whether it is a management key.', example: false })
  is_management_key: boolean;

  @BooleanField({ description: 'The former name of is_management_key.', example: false, deprecated: true })
  is_provisioning_key: boolean;

  @ObjectField(() => KeyRateLimit, { description: 'Of no meaning any more.', deprecated: true })
  rate_limit: KeyRateLimit;

  @TextField({
    description: 'The organization of the key.',
    example: 'org_019aa3f05b1e7c409d0e3d1c2b4a5f62',
    nullable: true,
  })
  organization_id: string | null;

  @UuidField({
    description: 'The workspace of the key, as in the answers of other operations on keys.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61',
    nullable: true,
  })
  workspace_id: string | null;

  @EnumListField(DATA_REGIONS, {
    description:
      'The regions through which requests with the key may arrive: those that all of its guardrails allow, and all regions where none restricts them. An empty list allows none.',
    example: ['global', 'europe', 'us'],
  })
  allowed_data_regions: DataRegion[];

  @ObjectField(() => FreeModelDailyRequests, {
    description: 'The allowance of requests to free models that is given each day: none.',
  })
  free_model_daily_requests: FreeModelDailyRequests;
}

/** The answer to getKey and updateKeys. */
export class KeyResponse extends DataOf(Key) {}

/** The answer to list. */
export class ListKeysResponse extends ListOf(Key) {}

/** The answer to getCurrentKey. */
export class CurrentKeyResponse extends DataOf(CurrentKey) {}

/** The answer to createKeys and rotateKey. */
export class IssuedKeyResponse extends DataOf(Key) {
  @TextField({
    description: 'The key itself. It is shown this once.',
    example: 'sk-gate-v1-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef01234567',
  })
  key: string;
}
