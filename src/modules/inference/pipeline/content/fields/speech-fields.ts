import { DATA_OR_ADDRESS } from './addresses.js';
import { known, listOf, NUMBER_OR_BOOLEAN, objectWith, oneOf, TEXT } from './field-readers.js';
import { OPTIONED_PREFERENCES } from './provider-fields.js';
import { CHECKED_WORD, requestWith } from './request-fields.js';

/** A recording of a voice, or what is said in it. */
const REFERENCE = objectWith(
  known({
    type: oneOf('input_audio', 'text'),
    text: TEXT,
    input_audio: objectWith(known({ data: DATA_OR_ADDRESS, format: TEXT })),
  }),
);

/** The fields of a request to speak a text. */
export const SPEECH_REQUEST = requestWith(
  known({
    input: TEXT,
    instructions: TEXT,
    voice: TEXT,
    response_format: CHECKED_WORD,
    speed: NUMBER_OR_BOOLEAN,
    input_references: listOf(REFERENCE),
    provider: OPTIONED_PREFERENCES,
  }),
);
