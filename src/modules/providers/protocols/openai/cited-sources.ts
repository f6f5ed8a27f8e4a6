import { type JsonObject, listOf, objectOf, nonEmptyText } from '../../json-values.js';

/** Far more than any search gives. */
const MAXIMUM_SOURCES = 200;

/** Characters of an address, a title and an excerpt. Longer ones are left out, and with its address a source. */
const [MAXIMUM_URL_LENGTH, MAXIMUM_TITLE_LENGTH, MAXIMUM_EXCERPT_LENGTH] = [8_192, 1_024, 16_384];

/** A source in the form of OpenAI's own searches. */
export interface UrlCitation {
  readonly type: 'url_citation';
  readonly url_citation: {
    readonly url: string;
    readonly title: string;
    readonly content?: string;
    readonly start_index: 0;
    readonly end_index: 0;
  };
}

/**
 * Reads the sources of an answer that stand beside its choices, as at Perplexity and xAI: `citations`, each an address or an
 * object with one, and `search_results`, with titles and excerpts. Texts refer to them by their number in the list.
 *
 * @param answer a whole answer, or a chunk of one
 * @param known how many are known already
 * @returns the others, in their order
 */
export function citedSourcesIn(answer: JsonObject, known = 0): readonly UrlCitation[] {
  const results = listOf(answer['search_results']);
  const cited = listOf(answer['citations']);
  const sources = cited.length > 0 ? cited : results;
  // Each chunk may repeat all of them.
  if (sources.length <= known || known >= MAXIMUM_SOURCES) return [];
  const resultsByUrl = new Map(results.slice(0, MAXIMUM_SOURCES).map((result) => [urlOf(result), objectOf(result)]));
  return sources.slice(known, MAXIMUM_SOURCES).flatMap((source) => {
    const url = urlOf(source);
    return url === undefined ? [] : citationOf(url, { ...resultsByUrl.get(url), ...objectOf(source) });
  });
}

function urlOf(source: unknown): string | undefined {
  return textWithin(typeof source === 'string' ? source : objectOf(source)?.['url'], MAXIMUM_URL_LENGTH);
}

function citationOf(url: string, { title, snippet }: JsonObject): UrlCitation {
  const content = textWithin(snippet, MAXIMUM_EXCERPT_LENGTH);
  const cited = { url, title: textWithin(title, MAXIMUM_TITLE_LENGTH) ?? url, start_index: 0, end_index: 0 } as const;
  return { type: 'url_citation', url_citation: content === undefined ? cited : { ...cited, content } };
}

/** No part of a longer text, which would keep all of it in memory. */
function textWithin(value: unknown, longest: number): string | undefined {
  const text = nonEmptyText(value);
  return text !== undefined && text.length <= longest ? text : undefined;
}
