import { BODY_BOUNDS, exceededBound, type JsonBounds, parsedIfJson } from '../../../http/input/json-bounds.js';
import type { LongWork } from '../../../concurrency/long-work.js';
import type { Span } from '../../../../packages/content-detectors/index.js';
import { joinOverlapping, type RedactedSpan, replaceSpans } from './redaction.js';
import type { ScanTarget } from './scan-target.js';
import { saidBy, ValuePlaces } from './value-places.js';

/**
 * What is parsed. Arguments are refused beyond the bounds of a body before they come here, unless they are no JSON; what
 * describes tools and the answer can come from a body and from a preset, each of them within these bounds.
 */
const PARSED_BOUNDS: JsonBounds = { depth: 2 * BODY_BOUNDS.depth, values: 2 * BODY_BOUNDS.values };

/** How many characters are read before the time is looked at: less than a millisecond of work. */
const PORTION = 65_536;

/**
 * The arguments of a tool call: the names, strings and numbers in them are scanned as one text, each on a line of its own
 * (docs/interface/content-filters.md#tool-calls). A redaction replaces part of a name or string, or a whole number by a string,
 * so what was JSON stays JSON, and everything else in it stays as it was written.
 *
 * @param work lets others use the event loop where the arguments are long
 * @returns undefined for what is not JSON, in which anything can stand outside of strings and numbers
 * @throws the reason of the work's signal
 */
export async function toolArguments(source: string, work: LongWork): Promise<ScanTarget | undefined> {
  if (exceededBound(source, PARSED_BOUNDS) !== undefined) return undefined;
  if (work.mustRest) await work.rest();
  if (parsedIfJson(source) === undefined) return undefined;
  const places = new ValuePlaces(source);
  while (!places.isAtEnd) {
    if (work.mustRest) await work.rest();
    places.read(PORTION);
  }
  if (work.mustRest) await work.rest();
  return new ArgumentsTarget(source, places);
}

/** The names, strings and numbers of arguments as one text. */
class ArgumentsTarget implements ScanTarget {
  readonly text: string;
  readonly leadLength = 0;

  /** @param places the places of all values, after all of them were read */
  constructor(
    private readonly source: string,
    private readonly places: ValuePlaces,
  ) {
    this.text = places.joined();
  }

  redacted(spans: readonly RedactedSpan[]): string {
    const joined = joinOverlapping(spans);
    const replacements: RedactedSpan[] = [];
    let first = 0;
    for (let index = 0; index < this.places.count; index += 1) {
      const { start, end } = this.places.scannedOf(index);
      while (first < joined.length && joined[first]!.end <= start) first += 1;
      const inside: RedactedSpan[] = [];
      for (let next = first; next < joined.length && joined[next]!.start < end; next += 1) {
        const span = joined[next]!;
        inside.push({ ...span, start: Math.max(span.start - start, 0), end: Math.min(span.end - start, end - start) });
      }
      if (inside.length > 0) replacements.push(this.replacement(index, inside));
    }
    return replaceSpans(this.source, replacements);
  }

  /** The whole strings and numbers that a match touches: parts of them cannot be replaced, because their escapes are decoded. */
  placeOf({ start, end }: Span): Span {
    const { places } = this;
    const first = places.sourceOf(places.reaching(start));
    const last = places.sourceOf(places.reaching(end - 1));
    return { start: first.start, end: last.end };
  }

  private replacement(index: number, inside: readonly RedactedSpan[]): RedactedSpan {
    const place = this.places.sourceOf(index);
    return { ...place, placeholder: replacedValue(this.source.slice(place.start, place.end), inside) };
  }
}

/** A name, string or number of JSON without what was matched in it: a string. @param inside places in what it says, in their order */
export function replacedValue(value: string, inside: readonly RedactedSpan[]): string {
  return JSON.stringify(value.startsWith('"') ? replaceSpans(saidBy(value), inside) : inside[0]!.placeholder);
}
