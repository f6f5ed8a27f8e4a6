import { FreeObjectField } from '../../../http/validation/fields.js';
import { ProviderPreferences } from './provider-preferences.dto.js';

/** Which providers a request is sent to, and what each of them alone is told (docs/interface/audio.md#options-of-a-provider). */
export class OptionedPreferences extends ProviderPreferences {
  @FreeObjectField({
    example: { openai: { chunking_strategy: 'auto' } },
    description: 'Fields for one provider alone, by its slug. Fields of the request itself go before them.',
    optional: true,
    nullable: true,
  })
  options?: Readonly<Record<string, unknown>> | null;
}
