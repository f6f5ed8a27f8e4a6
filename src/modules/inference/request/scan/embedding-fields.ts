import { DATA_OR_ADDRESS } from './addresses.js';
import { either, known, listOf, NUMBER, objectWith, oneOf, TEXT, unread } from './field-readers.js';
import { NAME, PICTURE } from './message-fields.js';
import { CHECKED_WORD, requestWith } from './request-fields.js';

/** A recording, a video or a file. None is looked into, but its address is. */
const MEDIA = objectWith(known({ data: DATA_OR_ADDRESS, format: NAME }));

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

const TOKENS = unread((value) => Array.isArray(value) && value.every((token) => typeof token === 'number'));

/** One input: a text, its tokens, or parts. */
export const EMBEDDED_INPUT = either(TEXT, TOKENS, objectWith(known({ content: listOf(PART) })));

/** The fields of a request for embeddings. */
export const EMBEDDINGS_REQUEST = requestWith(
  known({
    input: either(EMBEDDED_INPUT, listOf(EMBEDDED_INPUT)),
    input_type: TEXT,
    dimensions: NUMBER,
    encoding_format: CHECKED_WORD,
  }),
);
