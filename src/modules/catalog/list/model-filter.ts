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

/** Whether a model gives any of some kinds of output. @param outputs with commas between them, or `all` */
export function givesAnyOf(outputs = 'text'): Filter {
  if (outputs === 'all') return () => true;
  const wanted = outputs.split(',');
  return ({ row }) => wanted.some((output) => row.architecture.output_modalities.includes(output));
}

/**
 * Whether a model is one that a query asks for: every parameter must let it pass.
 *
 * @param now Unix time in seconds, by which ages are told
 */
export function modelFilter(query: ListModelsQuery, now: number): Filter {
  const { category, q, context, distillable, zdr, region } = query;
  const inputs = query.input_modalities?.split(',');
  const parameters = query.supported_parameters?.split(',');
  const families = namesOf(query.arch);
  const authors = namesOf(query.model_authors);
  const providers = namesOf(query.providers);
  const words = q?.toLowerCase().split(/\s+/).filter((word) => word !== '');
  const age: ModelValue = ({ row }) => (now - row.created) / SECONDS_A_DAY;
  const filters: (Filter | undefined)[] = [
    givesAnyOf(query.output_modalities),
    inputs && (({ row }) => inputs.every((input) => row.architecture.input_modalities.includes(input))),
    parameters && (({ row }) => parameters.every((parameter) => row.supportedParameters.includes(parameter))),
    category && (({ row }) => row.traits?.categories?.includes(category) === true),
    words && (({ row }) => words.every((word) => `${row.id} ${row.canonicalSlug} ${row.name}`.toLowerCase().includes(word))),
    families && (({ row }) => families.some((family) => row.architecture.tokenizer?.toLowerCase().startsWith(family))),
    authors && (({ author }) => authors.includes(author.toLowerCase())),
    providers &&
      (({ endpoints }) =>
        endpoints.some(({ provider }) => providers.includes(provider.slug) || providers.includes(provider.name.toLowerCase()))),
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

function namesOf(text: string | undefined): string[] | undefined {
  return text
    ?.split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
}
