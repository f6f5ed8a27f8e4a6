import { DataOf, PageOf } from '../../../http/schema/answer-shapes.js';
import {
  BooleanField,
  IntegerListField,
  NumberField,
  TextField,
  TextListField,
  TimestampField,
  UuidField,
} from '../../../http/schema/fields.js';
import { INCLUDE_BYOK_IN_BUDGETS, WORKSPACE_FIELDS } from './workspace-fields.dto.js';

/** A workspace: a part of an organization with its own keys, members, budgets, guardrails, presets and destinations. */
export class Workspace {
  @UuidField({ description: 'The workspace.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61' })
  id: string;

  @UuidField({
    description: 'The guardrail that applies to all traffic of the workspace: always the same, stored once it is set.',
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

  @BooleanField(INCLUDE_BYOK_IN_BUDGETS)
  include_byok_in_budgets: boolean;

  @TimestampField({ description: 'When it was created.' })
  created_at: string;

  @TimestampField({ description: 'When it was last changed; null when never.', nullable: true })
  updated_at: string | null;

  @TextField({
    description: 'The user who created it; null where nobody is known to have.',
    example: 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62',
    nullable: true,
  })
  created_by: string | null;
}

/** The answer to createWorkspace. */
export class CreateWorkspaceResponse extends DataOf(Workspace) {}

/** The answer to getWorkspace. */
export class GetWorkspaceResponse extends DataOf(Workspace) {}

/** The answer to updateWorkspace. */
export class UpdateWorkspaceResponse extends DataOf(Workspace) {}

/** The answer to listWorkspaces. */
export class ListWorkspacesResponse extends PageOf(Workspace) {}
