import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { newUuid } from '../../../src/persistence/identifiers.js';
import { type SampleOrganization, sampleOrganization } from '../../operations/sample-organization.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { sharedGateway } from '../inference/shared-gateway.js';

/** The table of a list, and which of its rows are in it. */
interface ListRows {
  readonly table: string;
  readonly where?: string;
}

/** The lists that can be searched and sorted by name, by their paths. */
const LISTS: Readonly<Record<string, ListRows>> = {
  '/alerts': { table: 'alerts' },
  '/federation/policies': { table: 'federation_policies' },
  '/guardrails': { table: 'guardrails' },
  '/inspectors': { table: 'inspectors' },
  '/keys': { table: 'api_keys', where: `kind = 'api_key'` },
  '/limits': { table: 'limits' },
  '/management-keys': { table: 'api_keys', where: `kind = 'management_key'` },
  '/observability/destinations': { table: 'observability_destinations' },
  '/organization/members': { table: 'organization_members' },
  '/presets': { table: 'presets' },
  '/workspaces': { table: 'workspaces' },
};

/** What no list can be asked for. */
const WRONG = ['sort=id', 'sort=--name', 'sort=', 'sort=name&sort=-name', 'search=', `search=${'x'.repeat(257)}`];

/** In the order in which they are made: neither that of their names nor its reverse. */
const NAMES = ['copy Ünder_Zeta', 'copy Alpha', 'Copy beta'];

interface ListParameter {
  readonly name?: string;
  readonly schema?: { readonly enum?: readonly string[] };
}

interface Document {
  readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters?: readonly ListParameter[] } }>>;
}

const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as Document;

/** What lists can be sorted by, by the paths of those that can be searched as well. */
const SORTS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(document.paths).flatMap(([path, { get }]) => {
    const parameters = get?.parameters ?? [];
    const named = (name: string): ListParameter | undefined => parameters.find((parameter) => parameter.name === name);
    // Those of one object are tested by lists-of-objects.e2e-spec.ts.
    if (named('search') === undefined || path.includes('{')) return [];
    return [[path.replace('/api/v1', ''), named('sort')?.schema?.enum ?? []]];
  }),
);

interface Item {
  readonly name?: string;
  readonly first_name?: string;
  readonly last_name?: string;
}

describe('lists', () => {
  const gateway = sharedGateway();
  let organization: SampleOrganization;
  let other: SampleOrganization;

  beforeAll(async () => {
    organization = await sampleOrganization(gateway.app);
    other = await sampleOrganization(gateway.app);
  });

  /** Adds rows of the names to a list, each a second younger than the one before: copies of one that is there. */
  async function add({ table, where = 'true' }: ListRows, { organizationId }: SampleOrganization): Promise<void> {
    for (const [seconds, name] of NAMES.entries()) {
      if (table === 'organization_members') {
        const userId = await gateway.app.factory.member(organizationId);
        await gateway.app.rows(
          `UPDATE organization_members SET name = $3, created_at = now() + $4 * interval '1 s'
           WHERE organization_id = $1 AND user_id = $2`,
          [organizationId, userId, name, seconds],
        );
        continue;
      }
      const slug = newUuid().replaceAll('-', '');
      const hash = `\\x${randomBytes(32).toString('hex')}`;
      const own = { id: newUuid(), name, slug, hash, is_default: false, default_guardrail_id: newUuid() };
      await gateway.app.rows(
        `INSERT INTO ${table} SELECT copy.* FROM (SELECT * FROM ${table} WHERE organization_id = $1 AND ${where}
             ORDER BY created_at LIMIT 1) AS row
           CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, to_jsonb(row) || $2::jsonb
             || jsonb_build_object('created_at', now() + $3 * interval '1 s', 'updated_at', now() + $3 * interval '1 s')) AS copy`,
        [organizationId, JSON.stringify(own), seconds],
      );
    }
  }

  const listed = async (path: string, query: string): Promise<{ names: string[]; total: number | undefined }> => {
    const answer = await gateway.app.api.get<{ data: Item[]; total_count?: number }>(`${path}?${query}`, {
      key: organization.managementKey,
    });
    expect([path, query, answer.status]).toEqual([path, query, 200]);
    const nameOf = ({ name, first_name: first, last_name: last }: Item): string => name ?? `${first} ${last}`;
    return { names: answer.body.data.map(nameOf), total: answer.body.total_count };
  };

  it('have one form of search and order, all of which are tested here', () => {
    expect(Object.keys(SORTS).sort()).toEqual(Object.keys(LISTS).sort());
    for (const sorts of Object.values(SORTS)) {
      expect(sorts).toEqual(expect.arrayContaining(['name', '-name', 'created_at', '-created_at']));
    }
  });

  it.each(Object.entries(LISTS))('answer 200 with what is searched in %s, in every order', async (path, rows) => {
    await add(rows, organization);
    await add(rows, other);
    const [zeta, alpha, beta] = NAMES as [string, string, string];
    const total = path === '/keys' ? undefined : NAMES.length;

    expect(await listed(path, 'search=COPY')).toEqual({
      names: path === '/presets' ? NAMES.toReversed() : NAMES,
      total,
    });
    expect(await listed(path, 'search=copy&sort=name')).toEqual({ names: [alpha, beta, zeta], total });
    expect(await listed(path, 'search=copy&sort=-name')).toEqual({ names: [zeta, beta, alpha], total });
    expect(await listed(path, 'search=copy&sort=created_at')).toEqual({ names: NAMES, total });
    expect(await listed(path, 'search=copy&sort=-created_at&limit=2&offset=1')).toEqual({
      names: [alpha, zeta],
      total,
    });
    expect((await listed(path, 'sort=-created_at&limit=3')).names).toEqual([beta, alpha, zeta]);
    expect(await listed(path, `search=${encodeURIComponent('Ünder_')}`)).toMatchObject({ names: [zeta] });
    for (const nothing of ['_a', '%', "' OR true --", 'copy%beta'])
      expect(await listed(path, `search=${encodeURIComponent(nothing)}`)).toMatchObject({ names: [] });
    const all = (await listed(path, '')).names;
    for (const sort of SORTS[path]!) {
      const { names } = await listed(path, `sort=${sort}`);
      expect(names.toSorted()).toEqual(all.toSorted());
    }
  });

  it.each(Object.keys(LISTS))('answer 400 for what %s cannot be sorted by, and for an empty text', async (path) => {
    for (const query of WRONG) {
      const answer = await gateway.app.api.get(`${path}?${query}`, { key: organization.managementKey });
      const paths = [query.split('=')[0]!];
      expectRefusal(answer, { status: 400, reason: 'invalid_parameters', paths, userId: organization.userId });
    }
  });
});
