import { LRUCache } from 'lru-cache';
import defaults from '../../../../catalog/capabilities.json' with { type: 'json' };
import type { ModelCapabilities } from './model-capabilities.js';

/** What an entry of catalog/capabilities.json applies to: everything that meets all conditions that it has. */
interface CapabilityRule {
  /** Ids of models, without a variant; a `*` stands for any text. */
  readonly models?: readonly string[];
  /** Slugs of providers. */
  readonly providers?: readonly string[];
  readonly protocols?: readonly string[];
  /** Whether the address of the provider is well known; false for a server of one's own. */
  readonly well_known?: boolean;
  readonly capabilities: ModelCapabilities;
}

/** What is asked: a model at a provider. */
export interface ServedModel {
  /** The id in the catalog. */
  readonly model: string;
  /** The slug of the provider. */
  readonly provider: string;
  readonly protocol: string;
  /** Whether the address of the provider is well known. */
  readonly isWellKnown: boolean;
}

const RULES = (defaults as { readonly rules: readonly CapabilityRule[] }).rules.map(({ models, ...rule }) => ({
  ...rule,
  models: models?.map(patternOf),
}));

/**
 * Combines what is known of a model at a provider: the defaults by author and provider (catalog/capabilities.json), then the sources, each
 * over those before it. The lists `extra_body_fields` are added up (docs/interface/capabilities.md).
 *
 * @param sources what the catalog says of the model and of the endpoint, and the operator of the connection
 */
export function capabilitiesOf(
  served: ServedModel,
  sources: readonly (ModelCapabilities | null | undefined)[],
): ModelCapabilities {
  const given = sources.filter((source) => source != null && Object.keys(source).length > 0) as ModelCapabilities[];
  return given.length === 0 ? defaultsOf(served) : combined([defaultsOf(served), ...given]);
}

/** The defaults by model and provider: to try every rule for every request would take some percent of its time. */
const DEFAULTS = new LRUCache<string, ModelCapabilities>({ max: 10_000 });

function defaultsOf(served: ServedModel): ModelCapabilities {
  const key = JSON.stringify([served.model, served.provider, served.protocol, served.isWellKnown]);
  const known = DEFAULTS.get(key);
  if (known !== undefined) return known;
  const made = combined(RULES.filter((rule) => appliesTo(rule, served)).map(({ capabilities }) => capabilities));
  DEFAULTS.set(key, made);
  return made;
}

function combined(all: readonly ModelCapabilities[]): ModelCapabilities {
  const extra = all.flatMap(({ extra_body_fields: fields }) => fields ?? []);
  return { ...all.reduce((known, next) => ({ ...known, ...next }), {}), extra_body_fields: [...new Set(extra)] };
}

function appliesTo(
  { models, providers, protocols, well_known: wellKnown }: (typeof RULES)[number],
  { model, provider, protocol, isWellKnown }: ServedModel,
): boolean {
  if (providers?.includes(provider) === false || protocols?.includes(protocol) === false) return false;
  if (wellKnown !== undefined && wellKnown !== isWellKnown) return false;
  const base = model.split(':', 1)[0]!;
  return models === undefined || models.some((pattern) => pattern.test(base));
}

function patternOf(glob: string): RegExp {
  const literal = glob.split('*').map((text) => text.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${literal.join('.*')}$`);
}
