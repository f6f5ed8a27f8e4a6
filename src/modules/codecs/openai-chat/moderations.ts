import { countOf, listOf, objectOf, wordOf } from '../chat/json-values.js';
import { ProviderError } from '../errors/provider-error.js';

/** A request to classify texts and images, as a provider gets it. Fields that are not named here are handed on. */
export interface ModerationRequest {
  readonly model: string;
  /** A text, texts that are classified one by one, or the parts of one input. */
  readonly input: string | readonly (string | object)[];
  readonly [field: string]: unknown;
}

/** What a provider says of one input. */
export interface Moderation {
  readonly flagged: boolean;
  readonly categories: Readonly<Record<string, boolean>>;
  /** From 0 to 1. */
  readonly category_scores: Readonly<Record<string, number>>;
  /** The kinds of parts that a category was found by. */
  readonly category_applied_input_types: Readonly<Record<string, readonly string[]>>;
}

/** What a provider says of the inputs of a request. */
export interface Moderations {
  readonly upstreamId: string | null;
  readonly results: readonly Moderation[];
  /** Null where the provider counts none. */
  readonly promptTokens: number | null;
}

/**
 * Reads what a provider says of inputs, in the form of OpenAI or in that of Mistral, which reads texts alone and leaves it to its callers to
 * say what is flagged (docs/interface/inference.md#moderations).
 *
 * @throws ProviderError unless there is one result for each text, or one for all parts
 */
export function moderationsOf(document: unknown, { input }: ModerationRequest): Moderations {
  const answer = objectOf(document);
  const list = listOf(answer?.['results']);
  const count = Array.isArray(input) && typeof input[0] === 'string' ? input.length : 1;
  if (list.length !== count) {
    throw new ProviderError('invalid', 'The provider’s answer does not have one result for each input.');
  }
  return {
    upstreamId: wordOf(answer?.['id']) ?? null,
    results: list.map(moderationOf),
    promptTokens: countOf(objectOf(answer?.['usage'])?.['prompt_tokens']) ?? null,
  };
}

function moderationOf(value: unknown): Moderation {
  const result = objectOf(value);
  const categories = entriesOf(result?.['categories'], isBoolean);
  const applied = objectOf(result?.['category_applied_input_types']);
  if (categories.length === 0)
    throw new ProviderError('invalid', 'The provider’s answer has a result without categories.');
  return {
    flagged: result?.['flagged'] === true || categories.some(([, isIn]) => isIn),
    categories: Object.fromEntries(categories),
    category_scores: Object.fromEntries(entriesOf(result?.['category_scores'], isNumber)),
    category_applied_input_types: Object.fromEntries(
      applied === undefined ? categories.map(([name]) => [name, ['text']]) : entriesOf(applied, isListOfWords),
    ),
  };
}

/** Categories that a model does not judge are null at OpenAI. */
function entriesOf<Value>(value: unknown, isOfKind: (one: unknown) => one is Value): [string, Value][] {
  return Object.entries(objectOf(value) ?? {}).flatMap(([name, one]) => (isOfKind(one) ? [[name, one]] : []));
}

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

const isNumber = (value: unknown): value is number => typeof value === 'number';

const isListOfWords = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
