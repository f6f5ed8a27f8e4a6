import { written } from '../chat/answer-work.js';
import { type JsonObject, listOf, nonEmptyText, objectOf, placeOf } from '../chat/json-values.js';

/** A source that an answer cites, in the form of OpenAI's own searches. Both indexes are 0 where the place is not known. */
export interface UrlCitation {
  readonly type: 'url_citation';
  readonly url_citation: {
    readonly url: string;
    readonly title: string;
    readonly start_index: number;
    readonly end_index: number;
  };
}

/** Far more than any search gives. */
const MAXIMUM_CITATIONS = 200;

/** Characters of an address and of a title. Longer ones are left out, and with its address a source. */
const [MAXIMUM_URL_LENGTH, MAXIMUM_TITLE_LENGTH] = [8_192, 1_024];

/** Finds the place in a text, in UTF-16 units, that the provider names in bytes of UTF-8; undefined where that is not known. */
export type PlaceOfByte = (byte: number) => number | undefined;

/**
 * Reads the sources of a candidate: those of `groundingMetadata`, each at every place that it supports, and the works that
 * `citationMetadata` names (https://ai.google.dev/api/generate-content#GroundingMetadata).
 */
export function citationsIn(candidate: JsonObject, placeOfByte: PlaceOfByte): readonly UrlCitation[] {
  const grounding = objectOf(candidate['groundingMetadata']);
  const cited = objectOf(candidate['citationMetadata']);
  if (grounding === undefined && cited === undefined) return [];
  const works = [...first(cited?.['citationSources']), ...first(cited?.['citations'])];
  const all = [
    ...(grounding === undefined ? [] : groundedCitations(grounding, placeOfByte)),
    ...works.flatMap((work) => citationOf(work['uri'], work['title'], placesOf(work, placeOfByte))),
  ];
  return all.slice(0, MAXIMUM_CITATIONS);
}

function groundedCitations(grounding: JsonObject, placeOfByte: PlaceOfByte): readonly UrlCitation[] {
  const sources = first(grounding['groundingChunks']).map(({ web, retrievedContext, maps }) =>
    objectOf(web ?? retrievedContext ?? maps),
  );
  const unsupported = new Set(sources);
  const citations = first(grounding['groundingSupports']).flatMap(({ segment, groundingChunkIndices: indices }) => {
    const places = placesOf(objectOf(segment) ?? {}, placeOfByte);
    return listOf(indices)
      .slice(0, MAXIMUM_CITATIONS)
      .flatMap((index) => {
        const source = sources[placeOf(index, sources.length)];
        unsupported.delete(source);
        return citationOf(source?.['uri'], source?.['title'], places);
      });
  });
  const others = [...unsupported].flatMap((source) => citationOf(source?.['uri'], source?.['title'], NOWHERE));
  return [...citations, ...others];
}

function first(value: unknown): readonly JsonObject[] {
  return listOf(value)
    .slice(0, MAXIMUM_CITATIONS)
    .map((entry) => objectOf(entry) ?? {});
}

const NOWHERE = { start_index: 0, end_index: 0 } as const;

/** A field that is zero is absent. Places count from the beginning of their part, which is that of the text for the first. */
function placesOf({ partIndex, startIndex, endIndex }: JsonObject, placeOfByte: PlaceOfByte): Places {
  if (placeOf(partIndex, 0) > 0) return NOWHERE;
  const [start, end] = [placeOfByte(placeOf(startIndex, 0)), placeOfByte(placeOf(endIndex, 0))];
  return start === undefined || end === undefined ? NOWHERE : { start_index: start, end_index: end };
}

type Places = Pick<UrlCitation['url_citation'], 'start_index' | 'end_index'>;

function citationOf(uri: unknown, title: unknown, places: Places): readonly UrlCitation[] {
  const url = textWithin(uri, MAXIMUM_URL_LENGTH);
  if (url === undefined) return [];
  // Many places may cite one source.
  written(url.length);
  return [
    { type: 'url_citation', url_citation: { url, title: textWithin(title, MAXIMUM_TITLE_LENGTH) ?? url, ...places } },
  ];
}

function textWithin(value: unknown, longest: number): string | undefined {
  const text = nonEmptyText(value);
  return text !== undefined && text.length <= longest ? text : undefined;
}
