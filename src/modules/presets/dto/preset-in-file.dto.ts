import { FreeObjectField, TextField } from '../../../http/validation/fields.js';

/** What a file has of a preset (docs/configuration.md). */
export class PresetConfigurationInFile {
  @TextField({ description: 'The slug, by which requests name it.', example: 'support', minLength: 1, maxLength: 128 })
  slug: string;

  @FreeObjectField({
    description: 'The fields of a chat completion that requests with the preset have.',
    example: { model: 'openai/gpt-5.5', temperature: 0.2 },
    optional: true,
  })
  config?: object;

  @TextField({
    description: 'The system prompt; null for none.',
    example: 'You are helpful.',
    optional: true,
    nullable: true,
  })
  system_prompt?: string | null;
}
