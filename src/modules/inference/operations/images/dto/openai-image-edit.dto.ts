import { BodyLimit } from '../../../../../http/input/body-limit.js';
import { MultipartBody } from '../../../../../http/input/multipart-body.js';
import type { UploadedFile } from '../../../../../http/input/uploaded-file.js';
import { SchemaExample } from '../../../../../http/validation/dto-fields.js';
import { ObjectField, ObjectListField, TextField } from '../../../../../http/validation/fields.js';
import { FileField } from '../../../../../http/validation/file-field.js';
import { Rules } from '../../../../../http/validation/rules.js';
import { editedAddressRules, editedFileRules, MAXIMUM_REFERENCES, openAiImageRules } from '../image-rules.js';
import { OpenAiImageFields } from './openai-image-request.dto.js';

const MEBIBYTE = 1024 * 1024;

/** The largest file of a form, and what all of a form may have, in bytes. */
const MAXIMUM_FILE = 25 * MEBIBYTE;
const MAXIMUM_FORM = 50 * MEBIBYTE;

const MASK = 'An image whose transparent places say what of the first image is edited.';

/** An image that is edited, by its address. */
export class EditedImage {
  @TextField({
    description: 'The address of an image (https), or a data URL.',
    example: 'https://example.com/bicycle.png',
    minLength: 1,
  })
  image_url: string;
}

/** The body of a request to edit images in the form of OpenAI, as JSON (docs/interface/images.md#openai). */
@Rules(openAiImageRules, editedAddressRules)
@SchemaExample({
  model: 'gatehouse/echo-image',
  prompt: 'Paint it red',
  images: [{ image_url: 'https://example.com/bicycle.png' }],
})
export class OpenAiImageEditRequest extends OpenAiImageFields {
  @ObjectListField(() => EditedImage, {
    description: 'The images that are edited, or that the model follows.',
    minItems: 1,
    maxItems: MAXIMUM_REFERENCES,
  })
  images: EditedImage[];

  @ObjectField(() => EditedImage, { description: MASK, optional: true, nullable: true })
  mask?: EditedImage | null;
}

/** A request to edit images as a form with the images as files, as clients of OpenAI send it. */
@BodyLimit(MAXIMUM_FORM)
@MultipartBody()
@Rules(openAiImageRules, editedFileRules)
export class OpenAiImageEditForm extends OpenAiImageFields {
  @FileField({
    description: 'The images that are edited, or that the model follows, each of at most 25 MiB.',
    maxBytes: MAXIMUM_FILE,
    maxFiles: MAXIMUM_REFERENCES,
  })
  image: UploadedFile[];

  @FileField({ description: MASK, maxBytes: MAXIMUM_FILE, optional: true })
  mask?: UploadedFile;
}
