import {
  EnumField,
  EnumListField,
  NumberField,
  SchemaField,
  TextField,
  TextListField,
} from '../../../../../http/validation/fields.js';
import { Rules } from '../../../../../http/validation/rules.js';
import { OptionedPreferences } from '../../../dto/provider-preferences.dto.js';
import { RoutedFields, RoutedRequest } from '../../../dto/routed-request.dto.js';
import { optionRules } from '../../../rules/option-rules.js';
import { preferenceRules } from '../../../rules/preference-rules.js';
import { MOST_SPEAKERS, speakerRules, streamRules } from '../transcription-rules.js';
import { TRANSCRIPTION_FORMATS, type TranscriptionFormat } from '../../../../codecs/chat/transcription.js';
import { MultipartBody } from '../../../../../http/input/multipart-body.js';
import type { UploadedFile } from '../../../../../http/input/uploaded-file.js';
import { FileField } from '../../../../../http/validation/file-field.js';

/** What a request to write down a recording has besides it. Fields that are not named here are handed on. */
@RoutedRequest({ traceName: 'dictation', preferences: OptionedPreferences })
@Rules(streamRules, speakerRules, preferenceRules, optionRules)
export abstract class TranscriptionFields extends RoutedFields {
  declare provider?: OptionedPreferences | null;

  @TextField({
    description: 'A transcription model by id, canonical slug or alias, with a variant (`:nitro`, `:floor`, ...).',
    example: 'openai/whisper-1',
    minLength: 1,
    maxLength: 400,
  })
  model: string;

  @TextField({
    description: 'The language that is spoken (ISO 639-1); the model finds out where it is left out.',
    example: 'en',
    maxLength: 64,
    optional: true,
    nullable: true,
  })
  language?: string | null;

  @TextField({
    description: 'Words that may be said, such as names, or the text before the recording, for models that take it.',
    example: 'Gatehouse, Kubernetes',
    maxLength: 100_000,
    optional: true,
    nullable: true,
  })
  prompt?: string | null;

  @EnumField(TRANSCRIPTION_FORMATS, {
    description:
      '`verbose_json`: the answer has the language, the length and the segments too; `diarized_json`: it has segments that say who speaks, of models that know.',
    example: 'json',
    default: 'json',
    optional: true,
    nullable: true,
  })
  response_format?: TranscriptionFormat | null;

  @NumberField({
    description: 'How freely the model chooses among words.',
    example: 0,
    minimum: 0,
    maximum: 2,
    optional: true,
    nullable: true,
  })
  temperature?: number | null;

  @EnumListField(['word', 'segment'], {
    description: 'What is given its times in the answer, with `verbose_json`.',
    example: ['segment'],
    optional: true,
    nullable: true,
  })
  timestamp_granularities?: readonly ('word' | 'segment')[] | null;

  @SchemaField(
    { anyOf: [{ type: 'string' }, { type: 'object' }, { type: 'null' }] },
    {
      description:
        'How the recording is cut: `auto`, or an object of the type `server_vad`. Models that say who speaks need it for recordings of more than 30 seconds.',
      example: 'auto',
      optional: true,
    },
  )
  chunking_strategy?: string | Readonly<Record<string, unknown>> | null;

  @TextListField({
    description: 'With `diarized_json`: the names of speakers, in the order of `known_speaker_references`.',
    example: ['Jane'],
    maxItems: MOST_SPEAKERS,
    optional: true,
    nullable: true,
  })
  known_speaker_names?: readonly string[] | null;

  @TextListField({
    description: 'With `diarized_json`: a recording of two to ten seconds of each speaker, as a data URL in base64.',
    example: ['data:audio/wav;base64,UklGRiQAAABXQVZFZm10IA=='],
    maxItems: MOST_SPEAKERS,
    optional: true,
    nullable: true,
  })
  known_speaker_references?: readonly string[] | null;
}

/** The largest recording in a form, in bytes. */
export const MAXIMUM_RECORDING = 25 * 1024 * 1024;

/** The body of a request to write down a recording, as a form with the file (docs/interface/audio.md). */
@MultipartBody()
export class TranscriptionForm extends TranscriptionFields {
  @FileField({ description: 'The recording, of at most 25 MiB.', maxBytes: MAXIMUM_RECORDING })
  file: UploadedFile;
}
