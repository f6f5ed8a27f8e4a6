import { ADDRESS } from './addresses.js';
import { JSON_TEXT, known, listOf, NUMBER_OR_BOOLEAN, objectWith, TEXT, unscanned } from './field-readers.js';
import { CHECKED_WORD, requestWith } from './request-fields.js';

/** Which providers are asked, which none of them is told. */
const CHECKED = unscanned(() => true);

/** Fields for one provider are sent to it, so they are read; all else decides about providers. */
const PROVIDER = objectWith({ get: (name) => (name === 'options' ? JSON_TEXT : CHECKED) });

/** The fields of a request to draw images. */
export const IMAGES_REQUEST = requestWith(
  known({
    prompt: TEXT,
    references: listOf(ADDRESS),
    mask: ADDRESS,
    n: NUMBER_OR_BOOLEAN,
    partial_images: NUMBER_OR_BOOLEAN,
    output_compression: NUMBER_OR_BOOLEAN,
    size: CHECKED_WORD,
    resolution: CHECKED_WORD,
    aspect_ratio: CHECKED_WORD,
    quality: CHECKED_WORD,
    background: CHECKED_WORD,
    output_format: CHECKED_WORD,
    further: JSON_TEXT,
    provider: PROVIDER,
  }),
);
