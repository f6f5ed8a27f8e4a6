import {
  EnumField,
  FreeObjectListField,
  IntegerField,
  NumberField,
  ObjectField,
  TextField,
} from '../../../../../http/validation/fields.js';
import { ChargedUsage } from '../../../dto/cost-details.dto.js';

/** What tokens of the input were for. */
export class TranscriptionInputDetails {
  @IntegerField({ description: 'Tokens of audio.', example: 80 })
  audio_tokens: number;

  @IntegerField({ description: 'All others.', example: 5 })
  text_tokens: number;
}

/** What was used, and what it cost. */
export class TranscriptionUsage extends ChargedUsage {
  @EnumField(['tokens', 'duration'], {
    description: 'What is counted: tokens, or else the seconds. Absent where neither is known.',
    example: 'duration',
    optional: true,
  })
  type?: 'tokens' | 'duration';

  @NumberField({
    description: 'The length of the recording in seconds, as far as the provider or the file says it.',
    example: 8.47,
    optional: true,
  })
  seconds?: number;

  @IntegerField({ description: 'All tokens, where the provider counts them.', example: 98, optional: true })
  total_tokens?: number;

  @IntegerField({
    description: 'Tokens of the recording, where the provider counts them.',
    example: 85,
    optional: true,
  })
  input_tokens?: number;

  @ObjectField(() => TranscriptionInputDetails, {
    description: 'Tokens of the recording and of other input, where the provider counts them apart.',
    optional: true,
  })
  input_token_details?: TranscriptionInputDetails;

  @IntegerField({ description: 'Tokens of the text, where the provider counts them.', example: 13, optional: true })
  output_tokens?: number;
}

/** What was said in a recording. */
export class TranscriptionResponse {
  @TextField({ description: 'What was said.', example: 'Parcels can be returned within 30 days.' })
  text: string;

  @TextField({
    description: 'With `verbose_json` and `diarized_json`: what was asked for.',
    example: 'transcribe',
    optional: true,
  })
  task?: string;

  @TextField({ description: 'With `verbose_json`: the language.', example: 'english', optional: true })
  language?: string;

  @NumberField({
    description: 'With `verbose_json` and `diarized_json`: the length in seconds.',
    example: 8.47,
    optional: true,
  })
  duration?: number;

  @FreeObjectListField({
    description:
      'With `verbose_json`: the parts of the text with their times, in the words of the provider; with `diarized_json` each with its `speaker`.',
    example: [{ id: 0, start: 0, end: 3.2, text: 'Parcels can be returned' }],
    optional: true,
  })
  segments?: readonly object[];

  @FreeObjectListField({
    description: 'With `verbose_json`: the words with their times, in the words of the provider.',
    example: [{ word: 'Parcels', start: 0, end: 0.6 }],
    optional: true,
  })
  words?: readonly object[];

  @NumberField({ description: 'How sure the provider is, where it says so.', example: 0.97, optional: true })
  confidence?: number;

  @ObjectField(() => TranscriptionUsage, { description: 'What was used, and what it cost.' })
  usage: TranscriptionUsage;
}
