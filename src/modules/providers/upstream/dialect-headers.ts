import type { UpstreamDialect } from '../../codecs/upstream-codecs.js';

/** What a dialect has in the headers of every request. */
interface DialectHeaders {
  /** The header of an API key, in lower case; in `authorization` it is a bearer token. */
  readonly key: string;
  /** The headers of the form that is spoken, at an address that does not have it elsewhere. */
  readonly form: Readonly<Record<string, string>>;
}

export const DIALECT_HEADERS: Readonly<Record<UpstreamDialect, DialectHeaders>> = {
  openai: { key: 'authorization', form: {} },
  'openai-responses': { key: 'authorization', form: {} },
  // The version of the Messages API that is written and read here.
  anthropic: { key: 'x-api-key', form: { 'anthropic-version': '2023-06-01' } },
  gemini: { key: 'x-goog-api-key', form: {} },
  converse: { key: 'authorization', form: {} },
};
