import { SLUG_IS_UUID } from '../workspaces.errors.js';
import { isUuid } from '../../../persistence/identifiers.js';
import type { IssueWithReason } from '../../../http/errors/issue.js';
import {
  BooleanField,
  FreeObjectField,
  IntegerListField,
  NumberField,
  ObjectField,
  TextField,
  TextListField,
  TimestampField,
  UuidField,
} from '../../../http/validation/fields.js';
import { UserIdField, WorkspaceIdField } from '../../../http/validation/id-fields.js';
import { DataOf, Deleted, PageOf } from '../../../http/openapi/response-envelopes.js';
import { ViewOf } from '../../../http/pagination/pagination.js';
import { BODY_LIMITS, BodyLimit } from '../../../http/input/body-limit.js';
import { RATE_LIMITS_INPUT, RateLimits, RateLimitsInput, SHOWN_RATE_LIMITS } from '../../rates/rate-limits.js';
import { Rules } from '../../../http/validation/rules.js';
import { ALLOWED_LABELS_FIELD, allowedLabelsIssues } from '../../labels/label-fields.js';
import type { AllowedLabels } from '../../labels/labels.js';

/** Ids and slugs share a path parameter, so a slug cannot have the form of a UUID. */
function slugIsNoId({ slug }: Readonly<Record<string, unknown>>): IssueWithReason[] {
  if (typeof slug !== 'string' || !isUuid(slug)) return [];
  return [SLUG_IS_UUID.at('slug')];
}

/** Which workspace. */
export class WorkspacePath {
  @TextField({ description: 'The workspace: its UUID or its slug.', example: 'default', minLength: 1 })
  id: string;
}

/** The fields that requests and responses share. */
const WORKSPACE_FIELDS = {
  name: { description: 'The name of the workspace.', example: 'Research', minLength: 1, maxLength: 100 },
  slug: {
    description: 'The short name in paths, unique in the organization. It cannot have the form of a UUID.',
    example: 'research',
    minLength: 1,
    maxLength: 50,
    pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  },
  description: { description: 'The description.', example: 'Experiments', maxLength: 500, nullable: true },
  defaultTextModel: {
    description: 'The default model for text.',
    example: 'openai/gpt-5.5',
    nullable: true,
  },
  defaultImageModel: {
    description: 'The default model for images.',
    example: 'google/gemini-3-pro-image',
    nullable: true,
  },
  defaultProviderSort: {
    description: 'The default order of providers.',
    example: 'price',
    nullable: true,
  },
  isObservabilityIoLoggingEnabled: {
    description: 'Whether the input and output of requests are logged.',
    example: false,
  },
  isObservabilityBroadcastEnabled: {
    description: 'Whether generations are sent to the destinations of the workspace.',
    example: false,
  },
  isDataDiscountLoggingEnabled: {
    description: 'Whether requests are logged in exchange for a discount.',
    example: false,
  },
  ioLoggingSamplingRate: {
    description: 'The share of requests whose input and output are logged, from 0 to 1.',
    example: 1,
    minimum: 0,
    maximum: 1,
  },
  ioLoggingApiKeyIds: {
    description: 'The numbers of the keys whose requests are logged; null for all keys. Stored as sent.',
    example: null,
    nullable: true,
    items: { minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  },
  disabledServerTools: {
    description: 'The names of the server tools that are disabled in the workspace; null for none.',
    example: ['web_search'],
    nullable: true,
    maxItems: 100,
    items: { minLength: 1, maxLength: 128 },
  },
  isResponseCacheEnabled: {
    description:
      'Whether answers are cached for requests that ask for it; null: where the input and output of requests are logged.',
    example: null,
    nullable: true,
  },
} as const;

/** A field that responses about budgets have in addition to `data`. */
export const INCLUDE_BYOK_IN_BUDGETS = {
  description:
    "Whether spend with the organization's own provider keys (BYOK) also counts toward the workspace's budgets.",
  example: false,
} as const;

/** A workspace: a part of an organization with its own keys, members, budgets, guardrails, presets and destinations. */
export class Workspace {
  @WorkspaceIdField('The id of the workspace.')
  id: string;

  @UuidField({
    description: 'The id of the default guardrail, which applies to all traffic of the workspace.',
    example: '5b1ef019-7c40-5d0e-8d1c-2b4a5f61019a',
  })
  default_guardrail_id: string;

  @TextField(WORKSPACE_FIELDS.name)
  name: string;

  @TextField(WORKSPACE_FIELDS.slug)
  slug: string;

  @TextField(WORKSPACE_FIELDS.description)
  description: string | null;

  @TextField(WORKSPACE_FIELDS.defaultTextModel)
  default_text_model: string | null;

  @TextField(WORKSPACE_FIELDS.defaultImageModel)
  default_image_model: string | null;

  @TextField(WORKSPACE_FIELDS.defaultProviderSort)
  default_provider_sort: string | null;

  @BooleanField(WORKSPACE_FIELDS.isObservabilityIoLoggingEnabled)
  is_observability_io_logging_enabled: boolean;

  @BooleanField(WORKSPACE_FIELDS.isObservabilityBroadcastEnabled)
  is_observability_broadcast_enabled: boolean;

  @BooleanField(WORKSPACE_FIELDS.isDataDiscountLoggingEnabled)
  is_data_discount_logging_enabled: boolean;

  @NumberField(WORKSPACE_FIELDS.ioLoggingSamplingRate)
  io_logging_sampling_rate: number;

  @IntegerListField(WORKSPACE_FIELDS.ioLoggingApiKeyIds)
  io_logging_api_key_ids: number[] | null;

  @TextListField(WORKSPACE_FIELDS.disabledServerTools)
  disabled_server_tools: string[] | null;

  @ObjectField(() => RateLimits, SHOWN_RATE_LIMITS)
  rate_limits: RateLimits | null;

  @BooleanField(WORKSPACE_FIELDS.isResponseCacheEnabled)
  is_response_cache_enabled: boolean | null;

  @FreeObjectField({
    ...ALLOWED_LABELS_FIELD,
    description: 'The labels that requests may name; absent for all.',
    nullable: false,
  })
  allowed_labels?: AllowedLabels;

  @BooleanField(INCLUDE_BYOK_IN_BUDGETS)
  include_byok_in_budgets: boolean;

  @TimestampField({ description: 'When it was created.' })
  created_at: string;

  @TimestampField({ description: 'When it was last changed; null if never.', nullable: true, example: null })
  updated_at: string | null;

  @UserIdField('The id of the user who created the workspace; null if unknown.', { nullable: true })
  created_by: string | null;
}

/** The answer to createWorkspace. */
export class CreateWorkspaceResponse extends DataOf(Workspace) {}

/** The answer to getWorkspace. */
export class GetWorkspaceResponse extends DataOf(Workspace) {}

/** The answer to updateWorkspace. */
export class UpdateWorkspaceResponse extends DataOf(Workspace) {}

/** Which workspaces to list. */
export class ListWorkspacesQuery extends ViewOf('their name or slug', ['name', 'created_at']) {}

/** The answer to listWorkspaces. */
export class ListWorkspacesResponse extends PageOf(Workspace) {}

const OPTIONAL = { optional: true } as const;

/** The longest name of a model, or of what providers are sorted by, in characters. */
const MAXIMUM_NAME_LENGTH = 256;

const OPTIONAL_NAME = { ...OPTIONAL, maxLength: MAXIMUM_NAME_LENGTH } as const;

/** The maximum number of keys whose requests are logged. */
const MAXIMUM_LOGGED_KEYS = 1_000;

/** The optional settings of a workspace. */
@Rules(allowedLabelsIssues)
@BodyLimit(BODY_LIMITS.medium)
export class WorkspaceSettings {
  @TextField({ ...WORKSPACE_FIELDS.description, ...OPTIONAL })
  description?: string | null;

  @TextField({ ...WORKSPACE_FIELDS.defaultTextModel, ...OPTIONAL_NAME })
  default_text_model?: string | null;

  @TextField({ ...WORKSPACE_FIELDS.defaultImageModel, ...OPTIONAL_NAME })
  default_image_model?: string | null;

  @TextField({ ...WORKSPACE_FIELDS.defaultProviderSort, ...OPTIONAL_NAME })
  default_provider_sort?: string | null;

  @BooleanField({ ...WORKSPACE_FIELDS.isObservabilityIoLoggingEnabled, ...OPTIONAL })
  is_observability_io_logging_enabled?: boolean;

  @BooleanField({ ...WORKSPACE_FIELDS.isObservabilityBroadcastEnabled, ...OPTIONAL })
  is_observability_broadcast_enabled?: boolean;

  @BooleanField({ ...WORKSPACE_FIELDS.isDataDiscountLoggingEnabled, ...OPTIONAL })
  is_data_discount_logging_enabled?: boolean;

  @NumberField({ ...WORKSPACE_FIELDS.ioLoggingSamplingRate, ...OPTIONAL })
  io_logging_sampling_rate?: number;

  @IntegerListField({ ...WORKSPACE_FIELDS.ioLoggingApiKeyIds, ...OPTIONAL, maxItems: MAXIMUM_LOGGED_KEYS })
  io_logging_api_key_ids?: number[] | null;

  @TextListField({ ...WORKSPACE_FIELDS.disabledServerTools, ...OPTIONAL })
  disabled_server_tools?: string[] | null;

  @ObjectField(() => RateLimitsInput, RATE_LIMITS_INPUT)
  rate_limits?: RateLimitsInput | null;

  @BooleanField({ ...WORKSPACE_FIELDS.isResponseCacheEnabled, ...OPTIONAL })
  is_response_cache_enabled?: boolean | null;

  @FreeObjectField(ALLOWED_LABELS_FIELD)
  allowed_labels?: AllowedLabels | null;
}

/** The body of createWorkspace. */
@Rules(slugIsNoId)
export class CreateWorkspaceRequest extends WorkspaceSettings {
  @TextField(WORKSPACE_FIELDS.name)
  name: string;

  @TextField(WORKSPACE_FIELDS.slug)
  slug: string;
}

/** The body of updateWorkspace: absent fields stay, null clears. */
@Rules(slugIsNoId)
export class UpdateWorkspaceRequest extends WorkspaceSettings {
  @TextField({ ...WORKSPACE_FIELDS.name, ...OPTIONAL })
  name?: string;

  @TextField({ ...WORKSPACE_FIELDS.slug, ...OPTIONAL })
  slug?: string;
}

/** How to delete a workspace. */
export class DeleteWorkspaceQuery {
  @BooleanField({
    description: 'Must be true to delete the default workspace; without effect on others.',
    example: true,
    optional: true,
    default: false,
  })
  confirm_default_workspace_deletion?: boolean;
}

/** The answer to deleteWorkspace. */
export class DeleteWorkspaceResponse extends Deleted('Always true: the workspace and everything in it was deleted.') {}
