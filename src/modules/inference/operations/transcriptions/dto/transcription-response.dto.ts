import {
  EnumField,
  FreeObjectListField,
  IntegerField,
  NumberField,
  ObjectField,
  TextField,
} from '../../../../../http/validation/fields.js';
import type { JsonSchema } from '../../../../../http/openapi/json-schema.js';
import { namedSchema, objectWith, textOf, valueOf } from '../../../../../http/openapi/named-schemas.js';
import { ChargedUsage } from '../../../dto/cost-details.dto.js';

const SECOND = valueOf('number', 'In seconds from the beginning.', 0);

/** How one who speaks is named: `A`, or a number. */
const SPEAKER: JsonSchema = {
  description: 'Who speaks, where the provider says so.',
  anyOf: [{ type: 'string' }, { type: 'integer' }],
  examples: ['A'],
};

const SEGMENT = namedSchema(
  'TranscriptionSegment',
  objectWith('A part of the text.', {
    id: {
      description: 'Its number, or its name.',
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      examples: [0],
    },
    start: SECOND,
    end: SECOND,
    text: textOf('What is said.', 'Parcels can be returned'),
    speaker: SPEAKER,
    seek: valueOf('integer', 'Where the model read on, in its own units.', 0),
    tokens: valueOf('array', 'Its tokens.', [50364], { items: { type: 'integer' } }),
    temperature: valueOf('number', 'How freely the model chose.', 0),
    avg_logprob: valueOf('number', 'The mean of the natural logarithms of their probabilities.', -0.2),
    compression_ratio: valueOf('number', 'How much it repeats itself: how well it can be compressed.', 1.4),
    no_speech_prob: valueOf('number', 'How probable it is that there is no speech.', 0.01),
  }),
);

const WORD = namedSchema(
  'TranscriptionWord',
  objectWith('A word.', {
    word: textOf('The word.', 'Parcels'),
    start: SECOND,
    end: SECOND,
    speaker: SPEAKER,
  }),
);

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
    form: SEGMENT,
    optional: true,
  })
  segments?: readonly object[];

  @FreeObjectListField({
    description: 'With `verbose_json`: the words with their times, in the words of the provider.',
    example: [{ word: 'Parcels', start: 0, end: 0.6 }],
    form: WORD,
    optional: true,
  })
  words?: readonly object[];

  @NumberField({ description: 'How sure the provider is, where it says so.', example: 0.97, optional: true })
  confidence?: number;

  @ObjectField(() => TranscriptionUsage, { description: 'What was used, and what it cost.' })
  usage: TranscriptionUsage;
}
