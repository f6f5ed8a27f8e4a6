import { SchemaExample } from '../../../../../http/validation/dto-fields.js';
import { ObjectField, TextField } from '../../../../../http/validation/fields.js';
import { Rules } from '../../../../../http/validation/rules.js';
import { recordingRules } from '../transcription-rules.js';
import { TranscriptionFields } from './transcription-fields.dto.js';

/** A recording within JSON. */
export class InputAudio {
  @TextField({ description: 'The recording in base64.', example: 'UklGRiQAAABXQVZFZm10IA==', minLength: 1 })
  data: string;

  @TextField({ description: 'Its format.', example: 'wav' })
  format: string;
}

/** The body of a request to write down a recording, in JSON (docs/interface/audio.md). */
@Rules(recordingRules)
@SchemaExample({
  model: 'openai/whisper-1',
  input_audio: { data: 'UklGRiQAAABXQVZFZm10IA==', format: 'wav' },
})
export class TranscriptionRequest extends TranscriptionFields {
  @ObjectField(() => InputAudio, { description: 'The recording.' })
  input_audio: InputAudio;
}
