import { DATA_OR_ADDRESS } from './addresses.js';
import { either, known, listOf, NUMBER_OR_BOOLEAN, objectWith, oneOf, TEXT, unscanned } from './field-readers.js';
import { AUDIO_FORMATS, PICTURE } from './message-fields.js';
import { CHECKED_WORD, requestWith } from './request-fields.js';

/** Videos and files, as the providers of models name them. */
const OTHER_FORMATS = [
  ...['mov', 'mpg', 'avi', 'mkv', 'wmv', 'flv', '3gp', '3gpp'],
  ...['pdf', 'doc', 'docx', 'xls', 'xlsx', 'ppt', 'pptx', 'odt', 'ods', 'odp'],
  ...['txt', 'md', 'html', 'csv', 'json', 'xml'],
];

/** A recording, a video or a file. None is looked into, but its address is. */
const MEDIA = objectWith(known({ data: DATA_OR_ADDRESS, format: oneOf(...AUDIO_FORMATS, ...OTHER_FORMATS) }));

const PART = objectWith(
  known({
    type: oneOf('text', 'image_url', 'input_audio', 'input_video', 'input_file'),
    text: TEXT,
    image_url: PICTURE,
    input_audio: MEDIA,
    input_video: MEDIA,
    input_file: MEDIA,
  }),
);

const TOKENS = unscanned((value) => Array.isArray(value) && value.every((token) => typeof token === 'number'));

/** One input: a text, its tokens, or parts. */
export const EMBEDDED_INPUT = either(TEXT, TOKENS, objectWith(known({ content: listOf(PART) })));

export const EMBEDDINGS_REQUEST = requestWith(
  known({
    input: either(EMBEDDED_INPUT, listOf(EMBEDDED_INPUT)),
    input_type: TEXT,
    dimensions: NUMBER_OR_BOOLEAN,
    encoding_format: CHECKED_WORD,
  }),
);
