import { isDeepStrictEqual } from 'node:util';
import type { Fields } from '../../modules/configuration/kinds/configured-kind.js';
import { type Deployment, slugOf, unusedName } from './deployments.js';
import { joinPath } from '../../http/errors/issue.js';
import type { Findings, Settings } from './settings.js';

/** What `routing_strategy` is here. */
const SORTS: Readonly<Record<string, string>> = {
  'latency-based-routing': 'latency',
  'cost-based-routing': 'price',
};

/** The strategies in place of which the order of the gateway stands. */
const USUAL_STRATEGIES = new Set(['simple-shuffle', 'least-busy', 'usage-based-routing', 'usage-based-routing-v2']);

/** The longest slug of a preset, in characters. */
const LONGEST_SLUG = 100;

/** A group of deployments that clients of LiteLLM ask for by one name, and what stands in for it. */
export interface Route {
  /** The slug of its preset. */
  readonly slug: string;
  readonly group: string;
  readonly config: Fields;
}

/** Presets of all groups of chats, and of aliases, by what clients of LiteLLM ask for. */
export function routesOf(
  deployments: readonly Deployment[],
  router: Settings | undefined,
  library: Settings | undefined,
  findings: Findings,
): Route[] {
  const groups = new Map<string, Deployment[]>();
  for (const deployment of deployments) {
    if (!deployment.isChat) continue;
    groups.set(deployment.group, [...(groups.get(deployment.group) ?? []), deployment]);
  }
  for (const [first, ...others] of groups.values()) {
    for (const other of others.filter(({ defaults }) => !isDeepStrictEqual(defaults, first!.defaults))) {
      const message = `parameters are those of the first entry of ${other.group}`;
      findings.leftOut.push({ path: joinPath(other.path, 'litellm_params'), message });
    }
  }
  const settings = [router, library].filter((one) => one !== undefined);
  const fallbacks = fallbacksOf(settings, 'fallbacks', groups);
  const longer = fallbacksOf(settings, 'context_window_fallbacks', groups);
  const usual = settings.flatMap((one) =>
    knownGroups(one, 'default_fallbacks', one.texts('default_fallbacks'), groups),
  );
  const sort = sortOf(router);
  const slugs = new Set<string>();
  const routeOf = (name: string, group: string): Route => {
    const next = [...(fallbacks.get(group) ?? fallbacks.get('*') ?? usual), ...(longer.get(group) ?? [])];
    const slug = unusedName(slugOf(name, LONGEST_SLUG - 4) || 'preset', slugs, '-');
    slugs.add(slug);
    return {
      slug,
      group,
      config: configOf(
        groups.get(group)!,
        next.flatMap((one) => groups.get(one) ?? []),
        sort,
      ),
    };
  };
  const aliases = settings.flatMap((one) => aliasesOf(one, groups));
  return [
    ...[...groups.keys()].map((group) => routeOf(group, group)),
    ...aliases.map(([alias, group]) => routeOf(alias, group)),
  ];
}

function configOf(own: readonly Deployment[], next: readonly Deployment[], sort: string | undefined): Fields {
  const all = [...own, ...next];
  const [model, ...models] = new Set(all.map((one) => one.model!));
  const providers = new Set(all.map(({ provider }) => provider));
  const ordered = own.filter(({ order, provider }) => order !== undefined && provider !== undefined);
  const order = new Set(ordered.sort((one, other) => one.order! - other.order!).map(({ provider }) => provider));
  const provider = {
    // A model without a provider is for any.
    ...(!providers.has(undefined) && { only: [...providers] }),
    ...(order.size > 0 && { order: [...order] }),
    ...(sort !== undefined && { sort }),
  };
  return {
    model,
    ...(models.length > 0 && { models }),
    ...own[0]!.defaults,
    ...(Object.keys(provider).length > 0 && { provider }),
  };
}

/** Which groups are asked after one, by its name. */
function fallbacksOf(
  settings: readonly Settings[],
  name: string,
  groups: ReadonlyMap<string, unknown>,
): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const entry of settings.flatMap((one) => one.mappings(name))) {
    for (const group of entry.names) {
      const names = entry.texts(group);
      if (group !== '*' && !groups.has(group)) entry.leaveOut(group, 'no model of this name is imported for chats');
      else found.set(group, knownGroups(entry, group, names, groups));
    }
  }
  return found;
}

function knownGroups(
  settings: Settings,
  field: string,
  names: readonly string[],
  groups: ReadonlyMap<string, unknown>,
): string[] {
  const [known, unknown]: [string[], string[]] = [[], []];
  for (const name of names) (groups.has(name) ? known : unknown).push(name);
  if (unknown.length > 0) settings.leaveOut(field, `no model is imported for chats by the name ${unknown.join(', ')}`);
  return known;
}

/** Other names of groups: of the router, and of the library. */
function aliasesOf(settings: Settings, groups: ReadonlyMap<string, unknown>): (readonly [string, string])[] {
  return ['model_group_alias', 'model_alias_map'].flatMap((field) => {
    const aliases = settings.mapping(field);
    if (aliases === undefined) return [];
    return aliases.names.flatMap((alias) => {
      const value = aliases.value(alias);
      const group = typeof value === 'object' ? aliases.mapping(alias)?.text('model') : aliases.text(alias);
      if (group === undefined) return [];
      if (groups.has(alias)) aliases.leaveOut(alias, 'a model has this name already');
      else if (groups.has(group)) return [[alias, group] as const];
      else aliases.leaveOut(alias, `no model is imported for chats by the name ${group}`);
      return [];
    });
  });
}

function sortOf(router: Settings | undefined): string | undefined {
  const strategy = router?.value('routing_strategy');
  if (router === undefined || strategy === undefined) return undefined;
  if (typeof strategy === 'string' && Object.hasOwn(SORTS, strategy)) return SORTS[strategy];
  router.leaveOut(
    'routing_strategy',
    typeof strategy === 'string' && USUAL_STRATEGIES.has(strategy)
      ? 'the gateway has an order of its own: docs/interface/inference.md#order'
      : 'there is no such order: docs/interface/inference.md#order',
  );
  return undefined;
}
