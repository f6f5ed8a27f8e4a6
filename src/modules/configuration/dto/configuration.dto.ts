import { type Permission, PERMISSIONS } from '../../../auth/permissions.js';
import { BodyLimit } from '../../../http/input/body-limit.js';
import { DataOf, ListOf } from '../../../http/openapi/response-envelopes.js';
import { SchemaExample } from '../../../http/validation/dto-fields.js';
import {
  BooleanField,
  EnumField,
  EnumListField,
  FreeObjectField,
  FreeObjectListField,
  IntegerField,
  ObjectField,
  ObjectListField,
  SchemaField,
  TextField,
  TextListField,
  TimestampField,
} from '../../../http/validation/fields.js';
import type { JsonSchema } from '../../../http/openapi/json-schema.js';
import type { IssueWithReason } from '../../../http/errors/issue.js';
import { Rules } from '../../../http/validation/rules.js';
import {
  CHANGE_ACTIONS,
  type ChangeAction,
  CONFLICT_REASONS,
  type ConflictReason,
} from '../plan/configuration-plan.js';

/** A body with some thousands of objects, in bytes. */
const BODY_LIMIT = 8 * 1024 * 1024;

/** How many files and secrets a request has at most. */
const MOST_FILES = 200;
const MOST_SECRETS = 2_000;
/** The longest secret. */
export const MOST_SECRET_CHARACTERS = 65_536;

const DOCUMENT = {
  apiVersion: 'gatehouse/v1',
  owner: 'platform-team',
  guardrails: [{ name: 'Checkout', allowed_models: ['openai/gpt-5.5'] }],
};

const PLAN_ID = { description: 'The id of the plan.', example: 'plan_8f0d7c1b2a394e5f8f0d7c1b2a394e5f' } as const;
const OWNER = { description: 'The owner of the files.', example: 'platform-team' } as const;
const SECTION = { description: 'The list of files that it is in.', example: 'guardrails' } as const;
const WORKSPACE = {
  description: 'The slug of its workspace; null for none.',
  example: 'production',
  nullable: true,
} as const;
const NAME = { description: 'What files call it.', example: 'Checkout' } as const;

/** A file. */
export class ConfigurationFileInput {
  @TextField({
    description: 'Its name, which errors and the audit trail have.',
    example: 'gatehouse.yaml',
    minLength: 1,
    maxLength: 512,
  })
  name: string;

  @FreeObjectListField({
    description: 'Its documents, as JSON.',
    example: [DOCUMENT],
    minItems: 1,
    maxItems: MOST_FILES,
  })
  documents: Readonly<Record<string, unknown>>[];
}

function textsBySource({ secrets }: Readonly<Record<string, unknown>>): IssueWithReason[] {
  if (typeof secrets !== 'object' || secrets === null) return [];
  const entries = Object.entries(secrets);
  if (entries.length > MOST_SECRETS)
    return [{ path: 'secrets', message: `must NOT have more than ${MOST_SECRETS} properties` }];
  return entries
    .filter(([, value]) => typeof value !== 'string' || value === '' || value.length > MOST_SECRET_CHARACTERS)
    .map(([name]) => ({
      path: `secrets.${name.toWellFormed()}`,
      message: `must be a text of 1 to ${MOST_SECRET_CHARACTERS} characters`,
    }));
}

/** Files, and how they are applied. */
@BodyLimit(BODY_LIMIT)
@Rules(textsBySource)
@SchemaExample({ files: [{ name: 'gatehouse.yaml', documents: [DOCUMENT] }] })
class ConfigurationFilesRequest {
  @ObjectListField(() => ConfigurationFileInput, {
    description: 'The files, of one owner.',
    minItems: 1,
    maxItems: MOST_FILES,
  })
  files: ConfigurationFileInput[];

  @FreeObjectField({
    description: 'The secrets that the files refer to, by where they are from: `env:NAME` and `file:PATH`.',
    example: { 'env:OPENAI_KEY': 'sk-example' },
    optional: true,
  })
  secrets?: Readonly<Record<string, string>>;

  @BooleanField({
    description: 'Whether objects of the owner that no file has any more are deleted.',
    example: false,
    optional: true,
    default: false,
  })
  prune?: boolean;

  @BooleanField({
    description: 'Whether they are deleted although something depends on them.',
    example: false,
    optional: true,
    default: false,
  })
  cascade?: boolean;

  @BooleanField({
    description: 'Whether objects of these names that were made by other means become those of the owner.',
    example: false,
    optional: true,
    default: false,
  })
  adopt?: boolean;
}

/** Files to plan. */
@SchemaExample({ files: [{ name: 'gatehouse.yaml', documents: [DOCUMENT] }], replay_hours: 24 })
export class PlanConfigurationRequest extends ConfigurationFilesRequest {
  @IntegerField({
    description:
      'Also says which of the requests that were recorded in these last hours the changed guardrails and limits would have refused. It takes `usage_read`.',
    example: 24,
    minimum: 1,
    maximum: 168,
    optional: true,
  })
  replay_hours?: number;
}

/** Files to apply. */
@SchemaExample({ files: [{ name: 'gatehouse.yaml', documents: [DOCUMENT] }], revision: '3f8a1c2' })
export class ApplyConfigurationRequest extends ConfigurationFilesRequest {
  @TextField({
    ...PLAN_ID,
    description: 'The id of the plan that is to be applied, and no other; absent for whatever it takes.',
    minLength: 1,
    maxLength: 64,
    optional: true,
  })
  plan_id?: string;

  @TextField({
    description: 'What the files are from, as a commit; recorded.',
    example: '3f8a1c2',
    minLength: 1,
    maxLength: 256,
    optional: true,
  })
  revision?: string;
}

/** Any JSON value. */
const ANY_VALUE: JsonSchema = {
  anyOf: [
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'array', items: {} },
    { type: 'object', additionalProperties: true },
  ],
};

/** A field before and after. */
export class PlannedFieldChange {
  @TextField({ description: 'The field, as files have it.', example: 'allowed_models' })
  field: string;

  @SchemaField(ANY_VALUE, { description: 'Its value before; of a secret its digest.', example: null, nullable: true })
  before: unknown;

  @SchemaField(ANY_VALUE, {
    description: 'Its value after; of a secret its digest.',
    example: ['openai/gpt-5.5'],
    nullable: true,
  })
  after: unknown;
}

/** What happens to an object. */
export class PlannedChangeResponse {
  @EnumField(CHANGE_ACTIONS, {
    description:
      'What happens to it. `adopt`: it becomes that of the owner, as it is. `release`: it is gone already, and forgotten.',
    example: 'create',
  })
  action: ChangeAction;

  @TextField(SECTION)
  section: string;

  @TextField(WORKSPACE)
  workspace: string | null;

  @TextField(NAME)
  name: string;

  @TextField({
    description: 'The file that has it; null for one that is deleted.',
    example: 'gatehouse.yaml',
    nullable: true,
  })
  file: string | null;

  @ObjectListField(() => PlannedFieldChange, { description: 'The fields that change.' })
  fields: PlannedFieldChange[];

  @TextListField({ description: 'What depends on an object that is deleted.', example: [] })
  dependents: readonly string[];
}

/** An object that stands in the way. */
export class PlanConflictResponse {
  @TextField(SECTION)
  section: string;

  @TextField(WORKSPACE)
  workspace: string | null;

  @TextField(NAME)
  name: string;

  @EnumField(CONFLICT_REASONS, { description: 'Why it stands in the way.', example: 'not_managed' })
  reason: ConflictReason;

  @TextField({
    description: 'The particulars.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60 was made by other means: adopt it, or give yours another name',
  })
  detail: string;
}

/** A key that loses models. */
export class KeyLosingModelsResponse {
  @TextField({
    description: 'The hash of the key.',
    example: '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  })
  hash: string;

  @TextField({ description: 'The name of the key.', example: 'checkout-ci' })
  name: string;

  @TextListField({ description: 'The first of the models that it loses.', example: ['openai/gpt-5.5'] })
  models: readonly string[];

  @IntegerField({ description: 'How many it loses.', example: 1 })
  model_count: number;
}

/** What would break. */
export class PlanImpactResponse {
  @IntegerField({ description: 'How many keys were looked at: the 1,000 oldest at most.', example: 500 })
  keys_checked: number;

  @IntegerField({ description: 'How many of them lose models.', example: 1 })
  keys_losing_models: number;

  @ObjectListField(() => KeyLosingModelsResponse, { description: 'The first 20 of these.' })
  keys: KeyLosingModelsResponse[];
}

/** The refused requests of a key. */
export class ReplayedKeyOfPlan {
  @TextField({
    description: 'The hash of the key; null for one that was deleted.',
    example: '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
    nullable: true,
  })
  hash: string | null;

  @TextField({ description: 'The name of the key.', example: 'checkout-ci', nullable: true })
  name: string | null;

  @IntegerField({ description: 'How many of its requests would have been refused.', example: 12 })
  count: number;
}

/** What a new or changed object would have done. */
export class ReplayedChangeResponse {
  @TextField(SECTION)
  section: string;

  @TextField(WORKSPACE)
  workspace: string | null;

  @TextField(NAME)
  name: string;

  @IntegerField({ description: 'How many requests it was tried on.', example: 4_000 })
  read_count: number;

  @IntegerField({ description: 'How many of them it would have refused.', example: 12 })
  refused_count: number;

  @IntegerField({
    description: 'Of how many others it would have left out models or providers that they could have had.',
    example: 30,
  })
  excluded_count: number;

  @IntegerField({ description: 'In how many it would have redacted something.', example: 0 })
  redacted_count: number;

  @IntegerField({ description: 'Of how many nothing is known.', example: 0 })
  undecided_count: number;

  @TextListField({
    description: 'What of it was not tried, and on how many requests.',
    example: ['Its inspectors were not tried on 4000 requests: that asks their servers.'],
  })
  not_tried: readonly string[];

  @ObjectListField(() => ReplayedKeyOfPlan, { description: 'The 20 keys with most of the refused ones.' })
  keys: ReplayedKeyOfPlan[];
}

/** What the changes would have done to recorded requests. */
export class PlanReplayResponse {
  @TimestampField({ description: 'From when on requests count.' })
  from: string;

  @TimestampField({ description: 'Until when.' })
  to: string;

  @BooleanField({ description: 'Whether all of them were looked at, and not only the first.', example: true })
  is_complete: boolean;

  @ObjectListField(() => ReplayedChangeResponse, {
    description: 'The guardrails, limits and inspectors that are new or change.',
  })
  changes: ReplayedChangeResponse[];
}

/** What applying files would do, or has done. */
export class ConfigurationPlanResponse {
  @TextField(PLAN_ID)
  id: string;

  @TextField(OWNER)
  owner: string;

  @ObjectListField(() => PlannedChangeResponse, { description: 'What happens to which objects.' })
  changes: PlannedChangeResponse[];

  @ObjectListField(() => PlanConflictResponse, {
    description: 'What stands in the way: while there is any, the plan is not applied.',
  })
  conflicts: PlanConflictResponse[];

  @TextListField({ description: 'What people should know before.', example: [] })
  warnings: readonly string[];

  @IntegerField({ description: 'How many objects are as the files say.', example: 12 })
  unchanged: number;

  @EnumListField<Permission>(PERMISSIONS, {
    description: 'The permissions that applying it takes.',
    example: ['guardrails_write'],
  })
  required_permissions: readonly Permission[];

  @EnumListField<Permission>(PERMISSIONS, { description: 'Those that the caller lacks.', example: [] })
  missing_permissions: readonly Permission[];

  @ObjectField(() => PlanImpactResponse, {
    description:
      'What would break; null where nothing changes which models keys may use, and for what has been applied.',
    nullable: true,
  })
  impact: PlanImpactResponse | null;

  @ObjectField(() => PlanReplayResponse, {
    description: 'What the changes would have done to recorded requests; null unless `replay_hours` asks for it.',
    nullable: true,
  })
  replay: PlanReplayResponse | null;
}

/** The secret of a new key. */
export class NewKeySecret {
  @TextField(WORKSPACE)
  workspace: string | null;

  @TextField({ description: 'The name of the key.', example: 'checkout-ci' })
  name: string;

  @TextField({ description: 'The key, which is shown only now.', example: 'sk-gate-v2-...' })
  key: string;
}

/** What has been applied. */
export class AppliedConfigurationResponse extends ConfigurationPlanResponse {
  @BooleanField({
    description: 'Whether this plan had been applied before, so that nothing was done now.',
    example: false,
  })
  was_applied: boolean;

  @ObjectListField(() => NewKeySecret, { description: 'The secrets of new keys for which the request had none.' })
  new_keys: NewKeySecret[];
}

/** An object that files configure. */
export class ManagedObjectResponse {
  @TextField(SECTION)
  section: string;

  @TextField({
    description: 'Its id in the interface; of a key the hash.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60',
  })
  id: string;

  @TextField(NAME)
  name: string;

  @TextField(OWNER)
  owner: string;

  @TextField({ description: 'The file that has it.', example: 'gatehouse.yaml' })
  file: string;

  @TimestampField({ description: 'When a change of it was last applied.' })
  applied_at: string;

  @TimestampField({ description: 'When it was changed by other means since; null if it was not.', nullable: true })
  drifted_at: string | null;
}

/** Whose objects are listed. */
export class ManagedObjectsQuery {
  @TextField({ ...OWNER, description: 'Only those of this owner.', minLength: 1, maxLength: 64, optional: true })
  owner?: string;
}

/** What is exported. */
export class ExportConfigurationQuery {
  @TextField({
    ...OWNER,
    description: 'Only what files of this owner configure.',
    minLength: 1,
    maxLength: 64,
    optional: true,
  })
  owner?: string;

  @TextField({
    description: 'Only what is in the workspace of this slug.',
    example: 'production',
    minLength: 1,
    maxLength: 128,
    optional: true,
  })
  workspace?: string;
}

/** A document with what there is. */
export class ExportedConfigurationResponse {
  @FreeObjectField({ description: 'The document, as a file has it.', example: DOCUMENT })
  document: object;
}

/** The answer to planConfiguration. */
export class PlanConfigurationResponse extends DataOf(ConfigurationPlanResponse) {}

/** The answer to applyConfiguration. */
export class ApplyConfigurationResponse extends DataOf(AppliedConfigurationResponse) {}

/** The answer to exportConfiguration. */
export class ExportConfigurationResponse extends DataOf(ExportedConfigurationResponse) {}

/** The answer to listManagedObjects. */
export class ListManagedObjectsResponse extends ListOf(ManagedObjectResponse) {}
