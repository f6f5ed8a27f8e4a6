import { DATA_OR_ADDRESS } from './addresses.js';
import { either, known, listOf, NUMBER_OR_BOOLEAN, objectWith, TEXT } from './field-readers.js';
import { requestWith } from './request-fields.js';

/** A document: a text, or an object with a text or an image. */
export const RANKED_DOCUMENT = either(TEXT, objectWith(known({ text: TEXT, image: DATA_OR_ADDRESS })));

/** The fields of a request to rank documents. */
export const RERANK_REQUEST = requestWith(
  known({
    query: TEXT,
    documents: listOf(RANKED_DOCUMENT),
    top_n: NUMBER_OR_BOOLEAN,
    max_tokens_per_doc: NUMBER_OR_BOOLEAN,
  }),
);
