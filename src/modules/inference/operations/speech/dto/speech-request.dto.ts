import { SchemaExample } from '../../../../../http/validation/dto-fields.js';
import {
  EnumField,
  NumberField,
  ObjectField,
  ObjectListField,
  SchemaField,
  TextField,
} from '../../../../../http/validation/fields.js';
import { Rules } from '../../../../../http/validation/rules.js';
import { OptionedPreferences } from '../../../dto/provider-preferences.dto.js';
import { RoutedFields, RoutedRequest } from '../../../dto/routed-request.dto.js';
import { optionRules } from '../../../rules/option-rules.js';
import { preferenceRules } from '../../../rules/preference-rules.js';
import { AUDIO_FORMATS, type AudioFormat } from '../audio-formats.js';
import { LONGEST_VOICE, MAXIMUM_REFERENCE, referenceRules, streamFormatRules, voiceRules } from '../speech-rules.js';

/** A recording of a voice. */
export class SpeechRecording {
  @TextField({
    description: 'The recording in base64.',
    example: 'UklGRiQAAABXQVZFZm10IA==',
    minLength: 1,
    maxLength: MAXIMUM_REFERENCE,
  })
  data: string;

  @TextField({ description: 'Its format.', example: 'wav', maxLength: 64, optional: true })
  format?: string;
}

/** What shows a voice: a recording, or what is said in it. */
export class SpeechReference {
  @EnumField(['input_audio', 'text'], { description: 'What it is.' })
  type: 'input_audio' | 'text';

  @TextField({ description: 'What is said in the recording.', example: 'Good morning.', optional: true })
  text?: string;

  @ObjectField(() => SpeechRecording, { description: 'The recording.', optional: true })
  input_audio?: SpeechRecording;
}

/** The longest text that is spoken at once, in characters. */
const MAXIMUM_INPUT = 100_000;

/** The body of a request to speak a text (docs/interface/audio.md#speech). Fields that are not named here are handed on. */
@RoutedRequest({ traceName: 'announcement', preferences: OptionedPreferences })
@Rules(streamFormatRules, voiceRules, referenceRules, preferenceRules, optionRules)
@SchemaExample({ model: 'gatehouse/echo-speech', input: 'Good morning.', voice: 'tone', response_format: 'wav' })
export class SpeechRequest extends RoutedFields {
  declare provider?: OptionedPreferences | null;

  @TextField({
    description: 'A speech model by id, canonical slug or alias, with a variant (`:nitro`, `:floor`, ...).',
    example: 'openai/gpt-4o-mini-tts',
    minLength: 1,
    maxLength: 400,
  })
  model: string;

  @TextField({
    description: 'The text that is spoken.',
    example: 'Good morning.',
    minLength: 1,
    maxLength: MAXIMUM_INPUT,
  })
  input: string;

  @SchemaField(
    {
      anyOf: [
        { type: 'string', minLength: 1, maxLength: LONGEST_VOICE },
        {
          type: 'object',
          properties: {
            id: {
              type: 'string',
              minLength: 1,
              maxLength: LONGEST_VOICE,
              description: 'The id of the voice.',
              examples: ['voice_1234'],
            },
          },
          required: ['id'],
        },
        { type: 'null' },
      ],
    },
    {
      description:
        'The voice, by the name that the provider has for it, or the `id` of one that was made there; needed unless the provider has one of its own.',
      example: 'alloy',
      optional: true,
    },
  )
  voice?: string | { readonly id: string } | null;

  @TextField({
    description: 'How the text is to be spoken, for models that take that.',
    example: 'Speak slowly.',
    maxLength: MAXIMUM_INPUT,
    optional: true,
    nullable: true,
  })
  instructions?: string | null;

  @EnumField(AUDIO_FORMATS, {
    description:
      'The format of the audio. Without it: `mp3`, or `pcm` of a deployment with the public dialect; what the provider speaks by itself where it does not speak that.',
    example: 'mp3',
    optional: true,
    nullable: true,
  })
  response_format?: AudioFormat | null;

  @NumberField({
    description: 'How fast the text is spoken; 1 is usual.',
    example: 1,
    minimum: 0.25,
    maximum: 4,
    optional: true,
    nullable: true,
  })
  speed?: number | null;

  @ObjectListField(() => SpeechReference, {
    description: 'A recording of the voice, for models that imitate one, and perhaps what is said in it.',
    maxItems: 2,
    optional: true,
    nullable: true,
  })
  input_references?: SpeechReference[] | null;
}
