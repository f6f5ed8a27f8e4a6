import { BODY_LIMITS, BodyLimit } from '../../../http/input/body-limit.js';
import { Rules } from '../../../http/input/rules.js';
import { BooleanField, IntegerListField, NumberField, TextField, TextListField } from '../../../http/schema/fields.js';
import { slugIsNoId } from '../workspace-rules.js';
import { WORKSPACE_FIELDS } from './workspace-fields.dto.js';

const OPTIONAL = { optional: true } as const;

/** The longest name of a model, or of what providers are sorted by, in characters. */
const MAXIMUM_NAME_LENGTH = 256;

const OPTIONAL_NAME = { ...OPTIONAL, maxLength: MAXIMUM_NAME_LENGTH } as const;

/** How many keys the requests of which are logged can be named; beyond that, log those of all keys. */
const MAXIMUM_LOGGED_KEYS = 1_000;

/** What a request can set a workspace to, and may leave out. */
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
}

/** The body of createWorkspace. */
@Rules(slugIsNoId)
export class CreateWorkspaceRequest extends WorkspaceSettings {
  @TextField(WORKSPACE_FIELDS.name)
  name: string;

  @TextField(WORKSPACE_FIELDS.slug)
  slug: string;
}

/** The body of updateWorkspace: what is left out stays as it is, and null clears. */
@Rules(slugIsNoId)
export class UpdateWorkspaceRequest extends WorkspaceSettings {
  @TextField({ ...WORKSPACE_FIELDS.name, ...OPTIONAL })
  name?: string;

  @TextField({ ...WORKSPACE_FIELDS.slug, ...OPTIONAL })
  slug?: string;
}
