import { MultipartBody } from '../../../../../http/input/multipart-body.js';
import type { UploadedFile } from '../../../../../http/input/uploaded-file.js';
import { FileField } from '../../../../../http/validation/file-field.js';
import { TranscriptionFields } from './transcription-fields.dto.js';

/** The largest recording in a form, in bytes. */
export const MAXIMUM_RECORDING = 25 * 1024 * 1024;

/** The body of a request to write down a recording, as a form with the file (docs/interface/audio.md). */
@MultipartBody()
export class TranscriptionForm extends TranscriptionFields {
  @FileField({ description: 'The recording, of at most 25 MiB.', maxBytes: MAXIMUM_RECORDING })
  file: UploadedFile;
}
