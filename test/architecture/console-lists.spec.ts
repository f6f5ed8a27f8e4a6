import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readEnvironment } from '../../src/config/environment.js';
import type { QuotaKind } from '../../src/config/quota-variables.js';

/** Lists that the console loads whole and sorts and searches itself, and the quota that makes them short. */
const SHORT: Readonly<Record<string, QuotaKind>> = {
  listMcpServers: 'mcp_servers',
  listFederationIssuers: 'federation_issuers',
  listPrivateProviders: 'private_providers',
  listPrivateEndpoints: 'private_endpoints',
  listSignInConnections: 'sign_in_connections',
  listBYOKKeys: 'workspace_provider_keys',
};

/** Lists that are neither short nor sorted by what one chooses, and why. */
const IN_AN_ORDER_OF_THEIR_OWN: Readonly<Record<string, string>> = {
  listAuditEvents: 'a chain: it has one order, and filters',
  listGenerations: 'without an end: the latest first, and filters',
  listPresetVersions: 'versions: the newest first',
  listExternalUsers: 'suggested, and no page: the first hundred, and another one can be typed',
  listBudgets: 'four of a workspace, by which the list is filtered: the most used first',
  listProviderConnections: 'one of a provider of the deployment',
  listGuardrailKeyAssignments: 'joins of two objects, each of which has a list that is searched',
  listGuardrailMemberAssignments: 'joins of two objects, each of which has a list that is searched',
  listScimGroups: 'as many as the directory has: the first thousand are loaded, and the page says so',
  listScimGroupMappings: 'as many as one makes of these groups: the first thousand are loaded, and the page says so',
};

/** The most rows of a list that the console loads whole: what `components/lists.tsx` says. */
const MOST_LOADED = 1_000;

interface Parameter {
  readonly name: string;
  readonly in: string;
}

interface Document {
  readonly paths: Readonly<
    Record<string, { readonly get?: { readonly operationId: string; readonly parameters?: readonly Parameter[] } }>
  >;
}

/** The sources of the pages of the console. */
function sources(): readonly string[] {
  const folder = 'packages/console/src';
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/schema\.d\.ts$|descriptions\.ts$/.test(file))
    .map((file) => readFileSync(path.join(folder, file), 'utf8'));
}

describe('the lists that the console shows', () => {
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as Document;
  const read = sources().flatMap((source) =>
    [...source.matchAll(/\bapi\.GET\(\s*'([^']+)'/g)].map(([, address]) => address!),
  );
  /** The operations that the console reads pages of, with the names of their parameters. */
  const lists = [...new Set(read)].flatMap((address) => {
    const { operationId, parameters = [] } = paths[address]!.get!;
    const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    return names.includes('limit') ? [{ operationId, names }] : [];
  });
  const sortedByService = lists.filter(({ names }) => names.includes('sort') && !names.includes('cursor'));

  it('are sorted and searched by the service, or short, or say why they have an order of their own', () => {
    expect(sortedByService.length).toBeGreaterThan(14);
    const others = lists.filter((list) => !sortedByService.includes(list)).map(({ operationId }) => operationId);
    expect(others.sort()).toEqual([...Object.keys(SHORT), ...Object.keys(IN_AN_ORDER_OF_THEIR_OWN)].sort());
  });

  it('are searched where they are sorted', () => {
    const unsearched = sortedByService.filter(({ names }) => !names.includes('search') && !names.includes('q'));
    expect(unsearched).toEqual([]);
  });

  it('are loaded whole where a quota keeps them short', () => {
    const { quotas } = readEnvironment({ DATABASE_URL: 'postgres://localhost/one' }, [], false);
    const long = Object.entries(SHORT).filter(([, kind]) => quotas[kind] > MOST_LOADED);
    expect(long).toEqual([]);
    const source = readFileSync('packages/console/src/components/lists.tsx', 'utf8');
    const [page, pages] = ['PAGE', 'PAGES'].map((name) =>
      Number(new RegExp(`const ${name} = (\\d+);`).exec(source)?.[1]),
    );
    expect(page! * pages!).toBe(MOST_LOADED);
  });
});
