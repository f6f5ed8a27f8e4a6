import { known, listOf, NUMBER_OR_BOOLEAN, oneOf, TEXT, unscanned } from './field-readers.js';
import { OPTIONED_PREFERENCES } from './provider-fields.js';
import { CHECKED_WORD, requestWith } from './request-fields.js';

/** The fields of a request to write down a recording, which is not looked into. */
export const TRANSCRIPTION_REQUEST = requestWith(
  known({
    file: unscanned(() => true),
    prompt: TEXT,
    language: TEXT,
    temperature: NUMBER_OR_BOOLEAN,
    response_format: CHECKED_WORD,
    known_speaker_names: listOf(TEXT),
    // Recordings, which are not looked into either.
    known_speaker_references: unscanned((list) => Array.isArray(list)),
    timestamp_granularities: listOf(oneOf('word', 'segment')),
    provider: OPTIONED_PREFERENCES,
  }),
);
