import { DataOf, PageOf } from '../../../http/schema/answer-shapes.js';
import { EnumField, ObjectField, TextField, TimestampField, UuidField } from '../../../http/schema/fields.js';
import { PRESET_STATUSES, type PresetStatus } from '../preset-status.js';
import { PresetVersion } from './preset-version.dto.js';

/** A named, versioned configuration of inference. */
export class Preset {
  @UuidField({ description: 'The preset.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f66' })
  id: string;

  @UuidField({ description: 'Its workspace.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61' })
  workspace_id: string;

  @TextField({ description: 'Its slug, unique in the workspace.', example: 'support-bot' })
  slug: string;

  @TextField({ description: 'The name.', example: 'Support bot' })
  name: string;

  @TextField({ description: 'What it is for.', example: null, nullable: true })
  description: string | null;

  @EnumField(PRESET_STATUSES, { description: 'Whether it can be used.', example: 'active' })
  status: PresetStatus;

  @TimestampField({ description: 'When the status was last changed; null when it never was.', nullable: true })
  status_updated_at: string | null;

  @UuidField({
    description: 'The version in force, which is the newest.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f65',
    nullable: true,
  })
  designated_version_id: string | null;

  @TextField({ description: 'The user who made it.', example: 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62' })
  creator_user_id: string;

  @TimestampField({ description: 'When it was made.' })
  created_at: string;

  @TimestampField({ description: 'When it last got a version.' })
  updated_at: string;
}

/** A preset with the version in force. */
export class PresetWithDesignatedVersion extends Preset {
  @ObjectField(() => PresetVersion, { description: 'The version in force, which is the newest.', nullable: true })
  designated_version: PresetVersion | null;
}

/** The answer to listPresets. */
export class ListPresetsResponse extends PageOf(Preset) {}

/** The answer to getPreset. */
export class GetPresetResponse extends DataOf(PresetWithDesignatedVersion) {}

/** The answer to createPresetsChatCompletions. */
export class CreatePresetFromInferenceResponse extends DataOf(PresetWithDesignatedVersion) {}
