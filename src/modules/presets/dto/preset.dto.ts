import {
  EnumField,
  IntegerField,
  ObjectField,
  SchemaField,
  TextField,
  TimestampField,
  UuidField,
} from '../../../http/validation/fields.js';
import { UserIdField, WorkspaceIdField } from '../../../http/validation/id-fields.js';
import { DataOf, PageOf } from '../../../http/openapi/response-envelopes.js';
import { PageQuery, ViewOf } from '../../../http/pagination/pagination.js';

/** Whether a preset can be used (the contract's PresetStatus). */
const PRESET_STATUSES = ['active', 'disabled', 'archived'] as const;

/** Whether a preset can be used. */
export type PresetStatus = (typeof PRESET_STATUSES)[number];

/** A version of a preset (docs/interface/presets.md). */
export class PresetVersion {
  @UuidField({ description: 'The id of the version.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f65' })
  id: string;

  @UuidField({ description: 'The id of the preset.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f66' })
  preset_id: string;

  @IntegerField({ description: 'The number of the version, from 1.', example: 1, minimum: 1 })
  version: number;

  @SchemaField(
    { type: 'object', additionalProperties: true },
    {
      description: 'Model selection and parameters.',
      example: { model: 'openai/gpt-5.5', temperature: 0.7 },
    },
  )
  config: object;

  @TextField({ description: 'The system prompt, if there is one.', example: 'You are helpful.', nullable: true })
  system_prompt: string | null;

  @UserIdField('The id of the user who created the version.')
  creator_id: string;

  @TimestampField({ description: 'When it was created.' })
  created_at: string;

  @TimestampField({ description: 'When it was last changed.' })
  updated_at: string;
}

/** The answer to listPresetVersions. */
export class ListPresetVersionsResponse extends PageOf(PresetVersion) {}

/** The answer to getPresetVersion. */
export class GetPresetVersionResponse extends DataOf(PresetVersion) {}

/** Which preset. */
export class PresetPath {
  @TextField({
    description: 'The slug of the preset, unique in its workspace.',
    example: 'support-bot',
    minLength: 1,
    maxLength: 100,
    pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  })
  slug: string;
}

/** Which version of a preset. */
export class PresetVersionPath extends PresetPath {
  @TextField({ description: 'The number of the version.', example: '1', minLength: 1 })
  version: string;
}

function WorkspaceField(): PropertyDecorator {
  return WorkspaceIdField(
    "The workspace of the preset. If absent: the key's workspace; for a management key, the default workspace.",
    { optional: true },
  );
}

/** Which workspace. */
export class PresetWorkspaceQuery {
  @WorkspaceField()
  workspace_id?: string;
}

/** Which versions of a preset to list. */
export class ListPresetVersionsQuery extends PageQuery {
  @WorkspaceField()
  workspace_id?: string;
}

/** Which presets to list. */
export class ListPresetsQuery extends ViewOf('their name or slug', ['name', 'created_at', 'updated_at']) {
  @WorkspaceField()
  workspace_id?: string;
}

/** A named, versioned configuration of inference. */
export class Preset {
  @UuidField({ description: 'The id of the preset.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f66' })
  id: string;

  @WorkspaceIdField('The id of the workspace.')
  workspace_id: string;

  @TextField({ description: 'The slug, unique in the workspace.', example: 'support-bot' })
  slug: string;

  @TextField({ description: 'The name of the preset.', example: 'Support bot' })
  name: string;

  @TextField({ description: 'The description.', example: null, nullable: true })
  description: string | null;

  @EnumField(PRESET_STATUSES, { description: 'The status: whether the preset can be used.', example: 'active' })
  status: PresetStatus;

  @TimestampField({ description: 'When the status was last changed; null if never.', nullable: true })
  status_updated_at: string | null;

  @UuidField({
    description: 'The newest version, which is in force.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f65',
    nullable: true,
  })
  designated_version_id: string | null;

  @UserIdField('The id of the user who created the preset.')
  creator_user_id: string;

  @TimestampField({ description: 'When it was created.' })
  created_at: string;

  @TimestampField({ description: 'When the last version was created.' })
  updated_at: string;
}

/** A preset with the version in force. */
export class PresetWithDesignatedVersion extends Preset {
  @ObjectField(() => PresetVersion, { description: 'The newest version, which is in force.', nullable: true })
  designated_version: PresetVersion | null;
}

/** The answer to listPresets. */
export class ListPresetsResponse extends PageOf(Preset) {}

/** The answer to getPreset. */
export class GetPresetResponse extends DataOf(PresetWithDesignatedVersion) {}

/** The answer to createPresetsChatCompletions. */
export class CreatePresetFromInferenceResponse extends DataOf(PresetWithDesignatedVersion) {}
