import { DataOf, PageOf } from '../../../http/schema/answer-shapes.js';
import { IntegerField, SchemaField, TextField, TimestampField, UuidField } from '../../../http/schema/fields.js';

/** A version of a preset (SERVICE.md, section 2.9). */
export class PresetVersion {
  @UuidField({ description: 'The version.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f65' })
  id: string;

  @UuidField({ description: 'The preset.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f66' })
  preset_id: string;

  @IntegerField({ description: 'The number of the version, from 1 for the oldest.', example: 1, minimum: 1 })
  version: number;

  @SchemaField(() => ({ type: 'object', additionalProperties: true }), {
    description: 'Model selection and parameters.',
    example: { model: 'openai/gpt-5.5', temperature: 0.7 },
  })
  config: object;

  @TextField({ description: 'The system prompt, if there is one.', example: 'You are helpful.', nullable: true })
  system_prompt: string | null;

  @TextField({ description: 'The user who made the version.', example: 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62' })
  creator_id: string;

  @TimestampField({ description: 'When it was made.' })
  created_at: string;

  @TimestampField({ description: 'When it was last changed.' })
  updated_at: string;
}

/** The answer to listPresetVersions. */
export class ListPresetVersionsResponse extends PageOf(PresetVersion) {}

/** The answer to getPresetVersion. */
export class GetPresetVersionResponse extends DataOf(PresetVersion) {}
