import { FreeObjectField } from '../../../../../http/validation/fields.js';
import { ProviderPreferences } from '../../../dto/provider-preferences.dto.js';

/** Which providers images are asked of, and what else each of them is told. */
export class ImageProviderPreferences extends ProviderPreferences {
  @FreeObjectField({
    description: 'Fields for one provider each, by its id: they are handed on to it as they are.',
    example: { openai: { moderation: 'low' } },
    optional: true,
    nullable: true,
  })
  options?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | null;
}
