import type { ChatChunkChoice } from './chat-completion.js';
import { type JsonObject, listOf, nonEmptyText, objectOf } from './json-values.js';
import { messagesFieldsOf, type WithMessagesFields } from './messages-fields.js';
import type { ProviderFilter } from './provider-filter.js';

type Source = ProviderFilter['source'];

/** The most that is read of one list, and recorded of one request. */
const MAXIMUM_FILTERS = 32;

/** A word, which no text of a request or an answer is. */
const WORD = /^[a-z][a-z0-9_]{0,63}$/;

/** Words for how much there is, from nothing on. */
const SEVERITIES = ['safe', 'none', 'negligible', 'very_low', 'low', 'medium', 'high'];

/** A word of a provider as it is recorded: in lower case. @returns undefined for anything else, as for a text */
function filterWord(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 64) return undefined;
  const word = value.toLowerCase();
  return WORD.test(word) ? word : undefined;
}

/** What is read of the result of one category. */
type Verdict = Pick<ProviderFilter, 'severity' | 'detected'> & { readonly filtered?: boolean };

/** The results of each category, in Azure's form, without all that is no word or yes and no: citations, lists of terms, texts. */
function verdictsIn(results: unknown): [category: string, verdict: Verdict][] {
  const read: [string, Verdict][] = [];
  const given = objectOf(results) ?? {};
  for (const name in given) {
    if (read.length === MAXIMUM_FILTERS) break;
    const [category, result] = [filterWord(name), objectOf(given[name])];
    if (category === undefined || result === undefined) continue;
    const { filtered, detected } = result;
    const severity = filterWord(result['severity']);
    const verdict = {
      ...(typeof filtered === 'boolean' && { filtered }),
      ...(severity !== undefined && { severity }),
      ...(typeof detected === 'boolean' && { detected }),
    };
    if (Object.keys(verdict).length > 0) read.push([category, verdict]);
  }
  return read;
}

/** `prompt_filter_results` without texts, for answers whose texts are filtered. @returns undefined for none */
export function promptResultsWithoutTexts(results: unknown): readonly JsonObject[] | undefined {
  if (!Array.isArray(results)) return undefined;
  return results.slice(0, MAXIMUM_FILTERS).map((result, index) => ({
    prompt_index: index,
    content_filter_results: Object.fromEntries(verdictsIn(objectOf(result)?.['content_filter_results'])),
  }));
}

function azureFilters(results: unknown, source: Source): ProviderFilter[] {
  return verdictsIn(results).map(([category, verdict]) => ({ source, category, filtered: false, ...verdict }));
}

/** The name of a category of Gemini without what all begin with. */
const GEMINI_PREFIX = /^harm_(?:category|severity)_/;

function geminiFilters(ratings: unknown, source: Source): ProviderFilter[] {
  return listOf(ratings)
    .slice(0, MAXIMUM_FILTERS)
    .flatMap((rating) => {
      const { category: named, probability, severity: stated, blocked } = objectOf(rating) ?? {};
      const category = filterWord(named)?.replace(GEMINI_PREFIX, '');
      const severity = filterWord(stated ?? probability)?.replace(GEMINI_PREFIX, '');
      if (category === undefined) return [];
      return [{ source, category, filtered: blocked === true, ...(severity !== undefined && { severity }) }];
    });
}

/** What a document of Gemini, or of a stream of it, says of its filters: ratings of the prompt and of each candidate, and why a prompt was not answered. */
export function filtersInGemini(answer: JsonObject): { readonly providerFilters?: readonly ProviderFilter[] } {
  const { promptFeedback, candidates } = answer;
  const feedback = objectOf(promptFeedback);
  const reason = filterWord(feedback?.['blockReason']);
  const filters = [
    ...geminiFilters(feedback?.['safetyRatings'], 'prompt'),
    ...(reason === undefined ? [] : [{ source: 'prompt' as const, category: reason, filtered: true }]),
    ...listOf(candidates)
      .slice(0, MAXIMUM_FILTERS)
      .flatMap((candidate) => geminiFilters(objectOf(candidate)?.['safetyRatings'], 'answer')),
  ];
  return filters.length === 0 ? {} : { providerFilters: filters };
}

/** The lists of an assessment of Bedrock's guardrails, by their places, each with what its entries are called where they have no type. */
const BEDROCK_LISTS = [
  ['contentPolicy', 'filters', 'content'],
  ['topicPolicy', 'topics', 'topic'],
  ['wordPolicy', 'customWords', 'custom_word'],
  ['wordPolicy', 'managedWordLists', 'word_list'],
  ['sensitiveInformationPolicy', 'piiEntities', 'pii'],
  ['sensitiveInformationPolicy', 'regexes', 'regex'],
  ['contextualGroundingPolicy', 'filters', 'grounding'],
] as const;

function bedrockFilters(assessment: unknown, source: Source): ProviderFilter[] {
  return BEDROCK_LISTS.flatMap(([policy, list, kind]) =>
    listOf(objectOf(objectOf(assessment)?.[policy])?.[list])
      .slice(0, MAXIMUM_FILTERS)
      .map((entry): ProviderFilter => {
        const { type, confidence, action, detected } = objectOf(entry) ?? {};
        const severity = filterWord(confidence);
        return {
          source,
          // What customers call their topics and expressions is theirs to read in their own account.
          category: kind === 'topic' ? kind : (filterWord(type) ?? kind),
          filtered: action === 'BLOCKED' || action === 'ANONYMIZED',
          ...(severity !== undefined && { severity }),
          ...(typeof detected === 'boolean' && { detected }),
        };
      }),
  );
}

/** What the trace of Bedrock's guardrails says (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_GuardrailTraceAssessment.html). */
export function filtersInBedrock(answer: JsonObject): { readonly providerFilters?: readonly ProviderFilter[] } {
  const { inputAssessment, outputAssessments } = objectOf(objectOf(answer['trace'])?.['guardrail']) ?? {};
  const assessments = (value: unknown): unknown[] =>
    Object.values(objectOf(value) ?? {})
      .slice(0, MAXIMUM_FILTERS)
      .flatMap((one) => (Array.isArray(one) ? one.slice(0, MAXIMUM_FILTERS) : [one]) as unknown[]);
  const filters = [
    ...assessments(inputAssessment).flatMap((one) => bedrockFilters(one, 'prompt')),
    ...assessments(outputAssessments).flatMap((one) => bedrockFilters(one, 'answer')),
  ];
  return filters.length === 0 ? {} : { providerFilters: filters };
}

/** A choice of a whole answer, or what a chunk adds to one. */
interface SaidChoice
  extends
    WithMessagesFields,
    Pick<ChatChunkChoice, 'finish_reason' | 'native_finish_reason' | 'content_filter_results'> {
  readonly message?: { readonly refusal?: unknown };
  readonly delta?: { readonly refusal?: unknown };
}

/** A whole answer, or a chunk of one. */
interface SaidAnswer {
  readonly choices: readonly SaidChoice[];
  readonly promptFilterResults?: unknown;
  readonly providerFilters?: readonly ProviderFilter[];
}

/** Gathers what the filters of providers say of one request: of each category once, the strictest. */
export class ProviderFilters {
  private readonly filters = new Map<string, ProviderFilter>();
  /** Why an answer was not given where nothing else says it. */
  private ending: string | undefined;

  /** What was said, at most 32. */
  get list(): readonly ProviderFilter[] {
    const filters = [...this.filters.values()];
    const { ending } = this;
    if (ending === undefined || filters.some(({ filtered }) => filtered)) return filters;
    return [...filters, { source: 'answer', category: ending, filtered: true }];
  }

  /** Takes an answer, or the next chunk of one. */
  add({ choices, promptFilterResults, providerFilters = [] }: SaidAnswer): void {
    for (const result of listOf(promptFilterResults).slice(0, MAXIMUM_FILTERS)) {
      this.addAll(azureFilters(objectOf(result)?.['content_filter_results'], 'prompt'));
    }
    this.addAll(providerFilters);
    for (const choice of choices) this.addChoice(choice);
  }

  /** Takes the categories for which a provider refused the prompt. */
  addRefused(categories: readonly string[]): void {
    this.addAll(categories.map((category) => ({ source: 'prompt', category, filtered: true })));
  }

  private addChoice(choice: SaidChoice): void {
    const { content_filter_results: results, finish_reason: reason } = choice;
    if (results !== undefined) this.addAll(azureFilters(results, 'answer'));
    if (nonEmptyText((choice.message ?? choice.delta)?.refusal) !== undefined) this.ending = 'refusal';
    if (reason !== 'content_filter') return;
    const category = filterWord(objectOf(messagesFieldsOf(choice)['stop_details'])?.['category']);
    if (category !== undefined) this.addAll([{ source: 'answer', category, filtered: true }]);
    this.ending ??= filterWord(choice.native_finish_reason) ?? reason;
  }

  private addAll(filters: readonly ProviderFilter[]): void {
    for (const filter of filters) {
      const key = `${filter.source} ${filter.category}`;
      const known = this.filters.get(key);
      if (known === undefined && this.filters.size === MAXIMUM_FILTERS - 1) continue;
      this.filters.set(key, known === undefined ? filter : strictest(known, filter));
    }
  }
}

function strictest(one: ProviderFilter, other: ProviderFilter): ProviderFilter {
  const rank = ({ severity }: ProviderFilter): number => SEVERITIES.indexOf(severity ?? '');
  const severity = rank(other) > rank(one) ? other.severity : one.severity;
  const isKnown = one.detected !== undefined || other.detected !== undefined;
  return {
    source: one.source,
    category: one.category,
    filtered: one.filtered || other.filtered,
    ...(severity !== undefined && { severity }),
    ...(isKnown && { detected: one.detected === true || other.detected === true }),
  };
}
