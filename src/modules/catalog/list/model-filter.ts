import type { CatalogModel } from '../catalog-model.js';
import { EUROPEAN_UNION } from '../countries.js';
import type { ListModelsQuery } from '../dto/list-models.dto.js';
import {
  agentic,
  coding,
  completionPrice,
  contextLength,
  intelligence,
  type ModelValue,
  promptPrice,
  toolSuccessRate,
} from './model-values.js';

type Filter = (model: CatalogModel) => boolean;

const SECONDS_A_DAY = 86_400;

/** Whether a model has one of the output modalities. @param outputs with commas between them, or `all` */
export function givesAnyOf(outputs = 'text'): Filter {
  if (outputs === 'all') return () => true;
  const wanted = new Set(outputs.split(','));
  return ({ row }) => row.architecture.output_modalities.some((output) => wanted.has(output));
}

/**
 * Whether a model matches all parameters of a query.
 *
 * @param now the current Unix time in seconds, to compute ages
 */
export function modelFilter(query: ListModelsQuery, now: number): Filter {
  const { category, q, context, distillable, zdr, region } = query;
  const inputs = query.input_modalities === undefined ? undefined : [...new Set(query.input_modalities.split(','))];
  const parameters =
    query.supported_parameters === undefined ? undefined : [...new Set(query.supported_parameters.split(','))];
  const families = namesOf(query.arch);
  const authors = namesOf(query.model_authors);
  const providers = namesOf(query.providers);
  const words = q === undefined ? undefined : new Set(q.toLowerCase().split(/\s+/));
  const age: ModelValue = ({ row }) => (now - row.created) / SECONDS_A_DAY;
  const filters: (Filter | undefined)[] = [
    givesAnyOf(query.output_modalities),
    inputs && (({ row }) => inputs.every((input) => row.architecture.input_modalities.includes(input))),
    parameters && (({ row }) => parameters.every((parameter) => row.supportedParameters.includes(parameter))),
    category && (({ row }) => row.traits?.categories?.includes(category) === true),
    words && containing([...words]),
    families && ofFamily([...families]),
    authors && (({ author }) => authors.has(author.toLowerCase())),
    providers &&
      (({ endpoints }) =>
        endpoints.some(({ provider }) => providers.has(provider.slug) || providers.has(provider.name.toLowerCase()))),
    distillable && (({ row }) => row.traits?.distillable === (distillable === 'true')),
    zdr && (({ endpoints }) => endpoints.some(({ row }) => row.isZdr)),
    region && servedIn(region === 'eu' ? EUROPEAN_UNION : ['US']),
    within(contextLength, context, undefined),
    within(promptPrice, query.min_price, query.max_price),
    within(completionPrice, query.min_output_price, query.max_output_price),
    within(age, query.min_age_days, query.max_age_days),
    within(intelligence, query.min_intelligence_index, query.max_intelligence_index),
    within(coding, query.min_coding_index, query.max_coding_index),
    within(agentic, query.min_agentic_index, query.max_agentic_index),
    within(toolSuccessRate, query.min_tool_success_rate, query.max_tool_success_rate),
  ];
  const asked = filters.filter((filter) => filter !== undefined);
  return (model) => asked.every((filter) => filter(model));
}

function within(valueOf: ModelValue, minimum: number | undefined, maximum: number | undefined): Filter | undefined {
  if (minimum === undefined && maximum === undefined) return undefined;
  return (model) => {
    const value = valueOf(model);
    return value !== undefined && value >= (minimum ?? -Infinity) && value <= (maximum ?? Infinity);
  };
}

function servedIn(countries: readonly string[]): Filter {
  return ({ endpoints }) =>
    endpoints.some(({ provider }) => provider.datacenters?.some((country) => countries.includes(country)));
}

function containing(words: readonly string[]): Filter {
  return ({ row }) => {
    const text = `${row.id} ${row.canonicalSlug} ${row.name}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

function ofFamily(families: readonly string[]): Filter {
  return ({ row }) => {
    const tokenizer = row.architecture.tokenizer?.toLowerCase();
    return tokenizer !== undefined && families.some((family) => tokenizer.startsWith(family));
  };
}

/** Each name once: a query may name the same thing a thousand times. */
function namesOf(text: string | undefined): ReadonlySet<string> | undefined {
  if (text === undefined) return undefined;
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  return new Set(names.filter((name) => name !== ''));
}
