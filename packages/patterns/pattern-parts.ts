/** What a pattern in RE2 syntax consists of: quoted text, an escape, a class, the start of a group, flags, a quantifier, or any other character. */
export const PATTERN_PART =
  /\\Q(?<quoted>(?:(?!\\E)[^])*)(?:\\E)?|(?<unicode>\\[pP](?:\{[^}]*\}|[^])?)|(?<perl>\\[dDsSwW])|\\x\{[^}]*\}|\\[^]?|(?<class>\[\^?\]?(?:\[:\^?\w+:\]|\\[^]|[^\]\\])*\]?)|(?<flags>\(\?[a-zA-Z-]*\))|(?<open>\((?:\?(?:P?<[^>]*>|[a-zA-Z-]*:?))?)|(?<counted>\{(?<least>\d+)(?:,(?<most>\d*))?\}\??)|(?<quantifier>[*+?]\??)|[^]/gu;

/** The named groups of {@link PATTERN_PART} in a part. */
export type PatternPart = Readonly<Record<string, string | undefined>>;

/** Whether a part matches places of a text instead of characters. */
export function isEmptyWidth(part: string): boolean {
  return part === '^' || part === '$' || /^\\[AbBz]$/.test(part);
}

/** A number; of many digits, one that is beyond every bound. */
export function countOf(digits: string): number {
  return Number(digits.slice(0, 9));
}

/** How often a counted part occurs at most; undefined if as often as it likes. */
export function mostOf({ least, most }: PatternPart): number | undefined {
  if (most === '') return undefined;
  return countOf(most ?? least!);
}
