/** A media type that a client accepts: `type/subtype`, `type/*` or `*\/*`. */
interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  /** From 0, not acceptable, to 1. */
  readonly quality: number;
}

/** How well a range fits a media type, compared in this order; the greater is preferred. */
type Preference = readonly [quality: number, precision: number, place: number];

const NOT_ACCEPTED: Preference = [0, 0, 0];

/**
 * Which of the media types that an answer can have is preferred (RFC 9110, section 12.5.1): by quality, then the one that is named more
 * precisely, then the one that is named first.
 *
 * @param accept the header `Accept`, if there is one
 * @param types in lower case, without parameters; the first is taken where none is preferred, or accepted
 */
export function preferredMediaType<Type extends string>(accept: string | undefined, types: readonly Type[]): Type {
  const ranges = (accept ?? '*/*').split(',').map(rangeOf);
  let [preferred] = types;
  let most = NOT_ACCEPTED;
  for (const type of types) {
    const preference = preferenceOf(type, ranges);
    if (!isMore(preference, most)) continue;
    preferred = type;
    most = preference;
  }
  return preferred!;
}

function rangeOf(text: string): MediaRange {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const [type = '', subtype = ''] = name.split('/');
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = weight === undefined ? 1 : Number(weight.slice('q='.length));
  return { type, subtype, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}

/** What the most precise of the ranges says that the type is in. */
function preferenceOf(mediaType: string, ranges: readonly MediaRange[]): Preference {
  const [type, subtype] = mediaType.split('/');
  let found = NOT_ACCEPTED;
  for (const [index, range] of ranges.entries()) {
    const precision = precisionOf(range, type!, subtype!);
    if (precision > found[1]) found = [range.quality, precision, -index];
  }
  return found;
}

/** 3 for the type itself, 2 for `type/*`, 1 for any; 0 for another. */
function precisionOf(range: MediaRange, type: string, subtype: string): number {
  if (range.type === '*' && range.subtype === '*') return 1;
  if (range.type !== type) return 0;
  if (range.subtype === '*') return 2;
  return range.subtype === subtype ? 3 : 0;
}

function isMore(one: Preference, other: Preference): boolean {
  const difference = one.map((value, index) => value - other[index]!).find((value) => value !== 0) ?? 0;
  return one[0] > 0 && difference > 0;
}
