import {
  BooleanField,
  EnumField,
  EnumListField,
  FreeObjectField,
  IntegerField,
  NumberField,
  ObjectField,
  ObjectListField,
  TextField,
  TextListField,
  TimestampField,
  UuidField,
} from '../../../http/validation/fields.js';
import { UserIdField, WorkspaceIdField } from '../../../http/validation/id-fields.js';
import { type Permission, SCOPES } from '../../../auth/permissions.js';
import { DATA_REGIONS, type DataRegion } from '../../../config/data-region.js';
import { DataOf, Deleted, ListOf } from '../../../http/openapi/response-envelopes.js';
import {
  EXTERNAL_API_KEY_PATTERN,
  MAXIMUM_EXTERNAL_API_KEY_LENGTH,
  MINIMUM_EXTERNAL_API_KEY_LENGTH,
  withoutReservedPrefix,
} from '../credentials/external-api-key.js';
import { allowedAddressesIssues, MAXIMUM_ALLOWED_ADDRESSES, MAXIMUM_RANGE_LENGTH } from '../allowed-ranges.js';
import { Rules } from '../../../http/validation/rules.js';
import { SchemaExample } from '../../../http/validation/dto-fields.js';
import { KEY_BUDGET_SCOPES, type KeyBudgetScope } from '../../spend/budgets-of-key.js';
import { RATE_LIMITS_INPUT, RateLimits, RateLimitsInput, SHOWN_RATE_LIMITS } from '../../rates/rate-limits.js';
import { ViewOf } from '../../../http/pagination/pagination.js';
import { LABELS_FIELD, labelsIssues } from '../../labels/label-fields.js';
import { type Labels, LONGEST_LABEL } from '../../labels/labels.js';
import { SUSPENSION_CAUSES, type SuspensionCause } from '../suspension-causes.js';

/** How often the spending limit of a key resets. */
export const LIMIT_RESETS = ['daily', 'weekly', 'monthly'] as const;

export type LimitReset = (typeof LIMIT_RESETS)[number];

/** Why a key is refused; active if it is not. */
export const KEY_STATUSES = ['active', 'disabled', 'suspended', 'expired'] as const;

export type KeyStatus = (typeof KEY_STATUSES)[number];

const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** The hash of a key, as answers show it. */
export const KEY_HASH = {
  description: 'The SHA-256 of the whole key, in lowercase hex. A rotation changes it.',
  example: HASH,
} as const;

/** Which key. */
export class KeyPath {
  @TextField({
    description: 'The hash of the key: the SHA-256 of the whole key, in lowercase hex.',
    example: HASH,
    minLength: 1,
  })
  hash: string;
}

/** The name of a key, as requests say it. */
export const KEY_NAME = { description: 'The name.', example: 'Production', minLength: 1, maxLength: 256 } as const;

const LIMIT_RESET = {
  description:
    'How often the limit resets: at midnight, on Monday, or on the first of the month (UTC). null for never.',
  example: 'monthly',
  nullable: true,
} as const;

const INCLUDE_BYOK = {
  description: "Whether spend with the organization's own provider keys (BYOK) also counts toward the limit.",
  example: false,
} as const;

/** When a new key expires, as requests say it. */
export const EXPIRES_AT = {
  description: 'When the key expires; null for never.',
  example: '2027-01-01T00:00:00Z',
  optional: true,
  nullable: true,
  asSent: true,
} as const;

/** Limit and usage of a key. Amounts are in US dollars, periods in UTC. */
export class KeyUsage {
  @TextField({ description: 'The masked key.', example: 'sk-gate-v2-9f8...c21' })
  label: string;

  @NumberField({ description: 'The spending limit in US dollars; null for none.', example: 25, nullable: true })
  limit: number | null;

  @NumberField({
    description: 'What is left of the limit in US dollars, at least 0; null without a limit.',
    example: 25,
    nullable: true,
  })
  limit_remaining: number | null;

  @EnumField(LIMIT_RESETS, LIMIT_RESET)
  limit_reset: LimitReset | null;

  @BooleanField(INCLUDE_BYOK)
  include_byok_in_limit: boolean;

  @ObjectField(() => RateLimits, SHOWN_RATE_LIMITS)
  rate_limits: RateLimits | null;

  @NumberField({ description: 'Total spend of the key in US dollars.', example: 0 })
  usage: number;

  @NumberField({ description: 'Spend today (UTC) in US dollars.', example: 0 })
  usage_daily: number;

  @NumberField({ description: 'Spend this week in US dollars; weeks begin on Monday (UTC).', example: 0 })
  usage_weekly: number;

  @NumberField({ description: 'Spend this month (UTC) in US dollars.', example: 0 })
  usage_monthly: number;

  @NumberField({
    description: "Total spend with the organization's own provider keys (BYOK) in US dollars.",
    example: 0,
  })
  byok_usage: number;

  @NumberField({ description: 'BYOK spend today (UTC) in US dollars.', example: 0 })
  byok_usage_daily: number;

  @NumberField({ description: 'BYOK spend this week in US dollars; weeks begin on Monday (UTC).', example: 0 })
  byok_usage_weekly: number;

  @NumberField({ description: 'BYOK spend this month (UTC) in US dollars.', example: 0 })
  byok_usage_monthly: number;

  @TimestampField({ description: 'When the key expires; null for never.', nullable: true, example: null })
  expires_at: string | null;

  @UserIdField('The id of the user who owns the key.', { nullable: true })
  creator_user_id: string | null;
}

/** The client addresses that a key is bound to, as requests say it. */
export const ALLOWED_ADDRESSES = {
  description:
    'The addresses and ranges (CIDR) of clients that the key is accepted from, IPv4 and IPv6; null for all. From elsewhere every request with the key is a 403.',
  example: ['203.0.113.0/24', '2001:db8::/32'],
  minItems: 1,
  maxItems: MAXIMUM_ALLOWED_ADDRESSES,
  items: { maxLength: MAXIMUM_RANGE_LENGTH },
  // What is an address is decided by the rule.
  form: { minLength: 2, pattern: '^[0-9A-Fa-f:.]+(?:/(?:0|[1-9][0-9]{0,2}))?$' },
  nullable: true,
} as const;

/** The end user that a key is bound to, as requests say it. */
const BOUND_USER = {
  description:
    'The only end user (`user`) that requests with the key may name, and that those count for which name none; null for any. A request of another one is a 403.',
  example: 'customer-7',
  minLength: 1,
  maxLength: LONGEST_LABEL,
  nullable: true,
  optional: true,
} as const;

/** The fields of both createKeys and updateKeys. */
@Rules(allowedAddressesIssues, labelsIssues)
export class KeyFields {
  @NumberField({
    description: 'The spending limit in US dollars; null for none.',
    example: 25,
    minimum: 0,
    optional: true,
    nullable: true,
  })
  limit?: number | null;

  @EnumField(LIMIT_RESETS, { ...LIMIT_RESET, optional: true })
  limit_reset?: LimitReset | null;

  @BooleanField({ ...INCLUDE_BYOK, optional: true })
  include_byok_in_limit?: boolean;

  @ObjectField(() => RateLimitsInput, RATE_LIMITS_INPUT)
  rate_limits?: RateLimitsInput | null;

  @TextListField({ ...ALLOWED_ADDRESSES, optional: true })
  allowed_addresses?: string[] | null;

  @FreeObjectField(LABELS_FIELD)
  labels?: Labels | null;

  @TextField(BOUND_USER)
  bound_user?: string | null;
}

/** A key. */
export class Key extends KeyUsage {
  @TextField(KEY_HASH)
  hash: string;

  @TextField({ description: 'The name.', example: 'Production' })
  name: string;

  @BooleanField({ description: 'Whether the key is disabled.', example: false })
  disabled: boolean;

  @EnumListField(SUSPENSION_CAUSES, {
    description:
      'Why the key is suspended and refused; empty if it is not. `workspace_membership`: its owner was taken out of its workspace. `member_deactivated`: its owner is deactivated in the organization, or has ended.',
    example: [],
  })
  suspension_causes: SuspensionCause[];

  @TextListField({ ...ALLOWED_ADDRESSES, example: null })
  allowed_addresses: string[] | null;

  @FreeObjectField({
    ...LABELS_FIELD,
    description: 'Labels of all requests with the key; absent for none.',
    nullable: false,
  })
  labels?: Labels;

  @TextField({
    ...BOUND_USER,
    description: 'The only end user that requests with the key may name; absent for any.',
    nullable: false,
  })
  bound_user?: string;

  @TimestampField({ description: 'When it was created.' })
  created_at: string;

  @TimestampField({ description: 'When it was last changed; null if never.', nullable: true, example: null })
  updated_at: string | null;

  @TextField({
    description: 'The id of the workspace; empty for management keys after the default workspace was deleted.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61',
  })
  workspace_id: string;

  @TextField({
    description: "The partner's identifier of the user; null if none was given.",
    example: 'customer-4711',
    nullable: true,
  })
  external_user: string | null;

  @TimestampField({
    description:
      'When the last request with the key came, answered or refused: to the minute, after eight days to the hour, after 93 to the day. null if none did, and for management keys.',
    nullable: true,
    example: '2026-11-21T09:30:00.000Z',
  })
  last_used_at: string | null;
}

/** The deprecated limit on requests. */
export class KeyRateLimit {
  @IntegerField({ description: 'Deprecated. Always -1, for no limit.', example: -1 })
  requests: number;

  @TextField({ description: 'Deprecated. Always the same value.', example: '10s' })
  interval: string;

  @TextField({
    description: 'Deprecated. Says that the limit has no effect.',
    example: 'This field is deprecated and safe to ignore.',
  })
  note: string;
}

/** An allowance of requests to free models. */
export class FreeModelDailyRequests {
  @IntegerField({ description: 'Always 0: Gatehouse has no daily allowance.', example: 0, minimum: 0 })
  limit: number;

  @IntegerField({ description: 'Always 0: Gatehouse does not count these requests.', example: 0, minimum: 0 })
  used: number;

  @IntegerField({ description: 'Always 0: Gatehouse has no daily allowance.', example: 0, minimum: 0 })
  remaining: number;
}

/** A limit on what requests with a key may cost, with what was spent in its present window. Amounts are in US dollars. */
export class KeyBudget {
  @EnumField(KEY_BUDGET_SCOPES, {
    description:
      "Where it comes from: a budget of the workspace, the key's own limit (`key_limit`), or the guardrail that is the workspace's default (`workspace_default_key`), the owner's (`member`) or the key's (`api_key`).",
    example: 'workspace',
  })
  scope: KeyBudgetScope;

  @UuidField({
    description: 'The id of the budget of a workspace; null for the others.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f68',
    nullable: true,
  })
  budget_id: string | null;

  @UuidField({
    description: 'The id of the guardrail that has it; null for the others.',
    example: null,
    nullable: true,
  })
  guardrail_id: string | null;

  @EnumField(LIMIT_RESETS, LIMIT_RESET)
  reset_interval: LimitReset | null;

  @TimestampField({
    description: 'When the window ends and what is spent is 0 again; null for never.',
    example: '2026-12-01T00:00:00.000Z',
    nullable: true,
  })
  resets_at: string | null;

  @BooleanField(INCLUDE_BYOK)
  include_byok: boolean;

  @NumberField({ description: 'The limit.', example: 50 })
  limit_usd: number;

  @NumberField({ description: 'What was spent in the window by those who share it.', example: 32.5 })
  spend_usd: number;

  @NumberField({
    description: 'The limit less what was spent; at 0 and below, requests are refused until the window ends.',
    example: 17.5,
  })
  remaining_usd: number;
}

/** A key as its owner sees it. */
export class CurrentKey extends KeyUsage {
  @BooleanField({ description: 'Always false: there is no free tier.', example: false })
  is_free_tier: boolean;

  @BooleanField({ description: 'Whether the key is a management key.', example: false })
  is_management_key: boolean;

  @BooleanField({ description: 'Deprecated: the former name of is_management_key.', example: false, deprecated: true })
  is_provisioning_key: boolean;

  @ObjectField(() => KeyRateLimit, { description: 'Deprecated. Has no effect.', deprecated: true })
  rate_limit: KeyRateLimit;

  @TextField({
    description: 'The id of the organization.',
    example: 'org_019aa3f05b1e7c409d0e3d1c2b4a5f62',
    nullable: true,
  })
  organization_id: string | null;

  @WorkspaceIdField('The id of the workspace; null for management keys after the default workspace was deleted.', {
    nullable: true,
  })
  workspace_id: string | null;

  @EnumListField(DATA_REGIONS, {
    description:
      'The regions through which requests with the key may arrive: those that all of its guardrails allow, or all regions without a restriction. An empty list allows none.',
    example: ['global', 'europe', 'us'],
  })
  allowed_data_regions: DataRegion[];

  @EnumListField(SCOPES, {
    description:
      "What a management key may do now: its scopes, within its owner's current role. Null for an API key, which needs no permissions.",
    example: null,
    nullable: true,
  })
  permissions: Permission[] | null;

  @ObjectField(() => FreeModelDailyRequests, {
    description: 'The daily allowance of requests to free models. Gatehouse has none, so all numbers are 0.',
  })
  free_model_daily_requests: FreeModelDailyRequests;

  @ObjectListField(() => KeyBudget, {
    description: 'The limits that apply to requests with the key, the broadest first; empty without any.',
  })
  budgets: KeyBudget[];

  @ObjectField(() => KeyBudget, {
    description: 'The one of which the least is left; null without any.',
    nullable: true,
  })
  effective_budget: KeyBudget | null;
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
    description: 'The key. No other response contains it.',
    example:
      'sk-gate-v2-031f7GbuPo0GnCsEhZdbqU-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef01234567',
  })
  key: string;
}

/** The longest name that a partner can have for a user, in characters. */
const MAXIMUM_EXTERNAL_USER_LENGTH = 256;

/** The user and secret of a key in the system of a partner. */
export class ExternalIdentity {
  @TextField({
    description: "The partner's identifier of the user. Stored as sent; it need not be unique.",
    example: 'customer-4711',
    minLength: 1,
    maxLength: MAXIMUM_EXTERNAL_USER_LENGTH,
  })
  user: string;

  @TextField({
    description:
      'A secret of the partner that is accepted in addition to the key. Only its SHA-256 is stored, and no response contains it.',
    example: 'partner-3f9b2c7d1e5a4086b1d2c3e4f5a60718',
    minLength: MINIMUM_EXTERNAL_API_KEY_LENGTH,
    maxLength: MAXIMUM_EXTERNAL_API_KEY_LENGTH,
    pattern: EXTERNAL_API_KEY_PATTERN,
    optional: true,
  })
  api_key?: string;
}

/** The body of createKeys. */
@Rules(withoutReservedPrefix)
@SchemaExample({ name: 'Production', limit: 25, limit_reset: 'monthly', include_byok_in_limit: true })
export class CreateKeyRequest extends KeyFields {
  @TextField(KEY_NAME)
  name: string;

  @UserIdField('The owner of the key, a member of the organization; whoever makes it if absent or null.', {
    minLength: 1,
    optional: true,
    nullable: true,
  })
  creator_user_id?: string | null;

  @WorkspaceIdField('The workspace of the key; the default workspace if absent.', { optional: true })
  workspace_id?: string;

  @TimestampField(EXPIRES_AT)
  expires_at?: string | null;

  @ObjectField(() => ExternalIdentity, {
    description: 'The user of the key in the system of a partner, and a secret that the partner brings.',
    optional: true,
  })
  external?: ExternalIdentity;
}

/** The body of updateKeys. Absent fields stay. */
export class UpdateKeyRequest extends KeyFields {
  @TextField({ ...KEY_NAME, optional: true })
  name?: string;

  @BooleanField({ description: 'Whether the key is disabled.', example: true, optional: true })
  disabled?: boolean;
}

/** The longest grace period: a week, in seconds. */
const MAXIMUM_GRACE_SECONDS = 604_800;

/** The body of rotateKey and rotateConnectClientSecret. */
export class RotateRequest {
  @IntegerField({
    description: 'The grace period in seconds, during which the old secret is also accepted; 0 if absent.',
    example: 3600,
    minimum: 0,
    maximum: MAXIMUM_GRACE_SECONDS,
    optional: true,
    default: 0,
  })
  grace_seconds?: number;
}

const CHOICES = ['true', 'false'] as const;

/** The default number of keys on a page. */
export const DEFAULT_KEYS_LIMIT = 100;

/** Which keys to list. */
export class ListKeysQuery extends ViewOf('their name or label, or whose hash begins with it', [
  'name',
  'created_at',
  'expires_at',
  'spent',
]) {
  @IntegerField({
    description: 'The maximum number of keys to return.',
    example: DEFAULT_KEYS_LIMIT,
    minimum: 1,
    maximum: 100,
    optional: true,
    default: DEFAULT_KEYS_LIMIT,
  })
  override limit?: number;

  @EnumField(CHOICES, {
    description: 'Whether to include disabled keys; false if absent.',
    example: 'true',
    optional: true,
  })
  include_disabled?: (typeof CHOICES)[number];

  @WorkspaceIdField('The workspace whose keys to list; all workspaces if absent.', { optional: true })
  workspace_id?: string;

  @UserIdField('Only keys of this member.', { minLength: 1, maxLength: 200, optional: true })
  user_id?: string;

  @EnumField(KEY_STATUSES, {
    description:
      'Only keys that are disabled, suspended or expired, whatever else they are; or `active`, only those that are none of these.',
    example: 'active',
    optional: true,
  })
  status?: KeyStatus;

  @NumberField({
    description: 'Only keys with a limit of which they have used at least this share since it was last reset.',
    example: 0.8,
    minimum: 0,
    maximum: 1,
    optional: true,
  })
  limit_used?: number;

  @BooleanField({
    description: 'The same as `sort=-created_at`, which it stands for where `sort` is absent.',
    example: true,
    optional: true,
    default: false,
  })
  newest_first?: boolean;
}

/** The answer to deleteKeys. */
export class DeleteKeysResponse extends Deleted('Always true: the key was deleted, and no replica accepts it.') {}
