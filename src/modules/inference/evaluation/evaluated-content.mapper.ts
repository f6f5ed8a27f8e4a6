import type { Finding, ScannedText, TextMatch } from '../../content/content-result.js';
import { nameOfFilter } from '../pipeline/request/filter-name.js';
import type { TextPlace } from '../pipeline/content/fields/request-texts.js';
import type { RoutedBody } from '../pipeline/request/operation.js';
import type { AnalyzerState, EvaluatedContent, EvaluatedFilter, RedactedText } from './dto/evaluated-content.dto.js';
import type { EvaluatedRequest } from './evaluated-request.js';
import { pathOf, placesOfMatches } from './match-places.js';

/** How many characters of redacted texts are shown, in UTF-16 code units. */
const SHOWN_CHARACTERS = 100_000;

/** What the content filters do with a request. @param sent what a provider would get; undefined where it gets nothing */
export function toEvaluatedContent<Body extends RoutedBody>(
  { asked, decision, matches: kept }: EvaluatedRequest<Body>,
  analyzer: AnalyzerState,
  sent: Body | undefined,
): EvaluatedContent {
  const { body, findings } = decision;
  const { matches, omitted } = kept;
  const { operation, stepsInRequest } = asked;
  const places = operation.texts
    .placesIn(body)
    .map(({ steps, isVerbatim }): TextPlace => ({ steps: stepsInRequest(steps), isVerbatim }));
  const texts = operation.texts.scannedIn(body).map(({ text }, index) => ({ text, place: places[index]! }));
  return {
    filters: findings.map(toEvaluatedFilter),
    matches: placesOfMatches(matches, texts),
    omitted_matches: omitted,
    analyzer,
    redacted_texts:
      sent === undefined || omitted > 0 ? [] : redactedTexts(matches, texts, operation.texts.scannedIn(sent)),
  };
}

/** Maps what a filter has found. */
export function toEvaluatedFilter({
  filter,
  action,
  guardrailIds,
  count,
  patterns = [],
  unavailable,
}: Finding): EvaluatedFilter {
  return {
    filter: nameOfFilter(filter),
    action,
    count,
    guardrail_ids: guardrailIds,
    patterns,
    unavailable: unavailable === true,
  };
}

/** The texts that were redacted. Texts with flagged matches are left out: they still contain what was found. */
function redactedTexts(
  matches: readonly TextMatch[],
  texts: readonly { readonly text: string; readonly place: TextPlace }[],
  redacted: readonly ScannedText[],
): RedactedText[] {
  // A replacement can change how many texts there are; then they cannot be paired.
  if (redacted.length !== texts.length) return [];
  const flagged = new Set(matches.filter(({ action }) => action === 'flag').map(({ textIndex }) => textIndex));
  let left = SHOWN_CHARACTERS;
  return redacted.flatMap(({ text }, index) => {
    if (text === texts[index]!.text || flagged.has(index) || text.length > left) return [];
    left -= text.length;
    return [{ path: pathOf(texts[index]!.place), text }];
  });
}
