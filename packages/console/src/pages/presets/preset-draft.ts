import { ApiError } from '../../api/client';
import type { Schema } from '../../api/types';

type Configuration = Schema<'PresetVersion'>['config'];

/** What stands in the form of a preset's version. */
export interface PresetDraft {
  readonly model: string;
  readonly fallbacks: readonly string[];
  readonly order: readonly string[];
  readonly only: readonly string[];
  readonly ignore: readonly string[];
  /** Empty for a choice weighted by price. */
  readonly sort: string;
  readonly deniesCollection: boolean;
  readonly zdr: boolean;
  readonly prompt: string;
  /** An object of JSON with all other fields, or empty. */
  readonly parameters: string;
}

/** What endpoints can be sorted by. */
export const SORTS = ['price', 'throughput', 'latency', 'exacto'] as const satisfies readonly Schema<'ProviderSort'>[];

/** Whether a field of the form can hold a value; what none can stays in the JSON. */
type Fits = ReadonlyMap<string, (value: unknown) => boolean>;

const FIELDS: Fits = new Map([
  ['model', isText],
  ['models', isTexts],
]);

const PREFERENCES: Fits = new Map([
  ['order', isTexts],
  ['only', isTexts],
  ['ignore', isTexts],
  ['sort', (value: unknown) => SORTS.some((sort) => sort === value)],
  ['data_collection', (value: unknown) => value === 'deny'],
  ['zdr', (value: unknown) => value === true],
]);

/** What a version has; what a new preset has at first without one. */
export function draftOf(version?: Pick<Schema<'PresetVersion'>, 'config' | 'system_prompt'>): PresetDraft {
  const { held, left } = parted(version?.config ?? {}, FIELDS);
  const preferences = parted(isObject(left['provider']) ? left['provider'] : {}, PREFERENCES);
  const parameters = Object.entries(left).flatMap(([name, value]) => {
    if (name !== 'provider' || !isObject(value)) return [[name, value] as const];
    return Object.keys(preferences.left).length === 0 ? [] : [[name, preferences.left] as const];
  });
  return {
    model: (held['model'] as string | undefined) ?? '',
    fallbacks: (held['models'] as string[] | undefined) ?? [],
    order: (preferences.held['order'] as string[] | undefined) ?? [],
    only: (preferences.held['only'] as string[] | undefined) ?? [],
    ignore: (preferences.held['ignore'] as string[] | undefined) ?? [],
    sort: (preferences.held['sort'] as string | undefined) ?? '',
    deniesCollection: 'data_collection' in preferences.held,
    zdr: 'zdr' in preferences.held,
    prompt: version?.system_prompt ?? '',
    parameters: parameters.length === 0 ? '' : JSON.stringify(Object.fromEntries(parameters), null, 2),
  };
}

/** The request that makes a version of a draft. @throws ApiError for parameters that are no object of JSON, or are not kept */
export function toRequest(draft: PresetDraft): Schema<'PresetInferenceRequest'> {
  const { provider, ...parameters } = parametersOf(draft.parameters);
  const preferences = {
    ...(isObject(provider) && provider),
    ...(draft.order.length > 0 && { order: draft.order }),
    ...(draft.only.length > 0 && { only: draft.only }),
    ...(draft.ignore.length > 0 && { ignore: draft.ignore }),
    ...(draft.sort !== '' && { sort: draft.sort }),
    ...(draft.deniesCollection && { data_collection: 'deny' }),
    ...(draft.zdr && { zdr: true }),
  };
  const hasPreferences = Object.keys(preferences).length > 0;
  return {
    ...parameters,
    ...(draft.model.trim() !== '' && { model: draft.model.trim() }),
    ...(draft.fallbacks.length > 0 && { models: [...draft.fallbacks] }),
    ...((hasPreferences || provider !== undefined) && { provider: hasPreferences ? preferences : provider }),
    messages: draft.prompt.trim() === '' ? [] : [{ role: 'system', content: draft.prompt }],
  };
}

/** The fields of a chat completion that a preset does not keep. */
const NOT_KEPT = ['messages', 'prompt', 'input', 'stream'];

function parametersOf(text: string): Configuration {
  if (text.trim() === '') return {};
  const value = parsed(text);
  if (!isObject(value)) throw refused('must be an object of JSON, between { and }');
  const lost = NOT_KEPT.filter((name) => Object.hasOwn(value, name));
  if (lost.length > 0) throw refused(`cannot have ${lost.join(', ')}: a preset does not keep the conversation`);
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refused(`must be JSON (${(error as Error).message})`);
  }
}

/** What is refused before it is sent, at the field of the form. */
function refused(message: string): ApiError {
  return new ApiError(0, 'Nothing was sent.', undefined, [{ path: 'parameters', message }]);
}

/** Parts an object into what fields of the form can hold, and what is left. */
function parted(
  object: Configuration,
  fits: Fits,
): { readonly held: Configuration; readonly left: Record<string, unknown> } {
  const isHeld = ([name, value]: readonly [string, unknown]): boolean => fits.get(name)?.(value) === true;
  const entries = Object.entries(object);
  return {
    held: Object.fromEntries(entries.filter(isHeld)),
    left: Object.fromEntries(entries.filter((entry) => !isHeld(entry))),
  };
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isText);
}

function isObject(value: unknown): value is Configuration {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
