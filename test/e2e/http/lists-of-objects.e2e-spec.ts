import { readFileSync } from 'node:fs';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { ScimFixture } from '../../support/resources/scim.js';

/** In the order in which they are made: neither that of their names nor its reverse. */
const NAMES = ['copy Zeta', 'copy Alpha', 'Copy beta'] as const;

/** What no list can be asked for. */
const WRONG = ['sort=id', 'sort=--name', 'sort=', 'search=', `search=${'x'.repeat(257)}`];

interface ListParameter {
  readonly name?: string;
  readonly schema?: { readonly enum?: readonly string[] };
}

interface Document {
  readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters?: readonly ListParameter[] } }>>;
}

/** A list of an object, what of its items tells them apart, and in which order each sort has the names that were made. */
interface ListOfObject {
  readonly path: string;
  readonly nameOf: (item: Readonly<Record<string, unknown>>) => string;
  readonly orders: Readonly<Record<string, readonly string[]>>;
}

const [ZETA, ALPHA, BETA] = NAMES;

describe('lists of one object', () => {
  const app = sharedApplication({ topic: 'lists-of-objects' });
  let organization: NewOrganization;
  let fixture: ScimFixture;

  beforeEach(async () => {
    fixture = await ScimFixture.make(app);
    organization = fixture.organization;
  });

  const managed = async <Body>(path: string, json: object): Promise<Body> => {
    const { status, body } = await app.api.post<Body>(path, { key: organization.managementKey, json });
    expect([path, status < 300]).toEqual([path, true]);
    return body;
  };

  /** A member of each name, and the names by the ids of the users. */
  const people = async (): Promise<ReadonlyMap<string, string>> => {
    const names = new Map<string, string>();
    for (const name of NAMES) {
      const userId = await app.factory.member(organization.organizationId);
      await app.rows(
        `UPDATE organization_members SET name = $3, email = $4 WHERE organization_id = $1 AND user_id = $2`,
        [organization.organizationId, userId, name, `${name.slice(5).toLowerCase()}@example.com`],
      );
      names.set(userId, name);
    }
    return names;
  };

  const byPerson = { name: [ALPHA, BETA, ZETA], email: [ALPHA, BETA, ZETA] };

  const ofWorkspace = async (): Promise<ListOfObject> => {
    const names = await people();
    const workspace = await app.factory.workspace(organization);
    for (const userId of names.keys()) {
      await managed(`/workspaces/${workspace}/members/add`, { user_ids: [userId] });
    }
    return {
      path: `/workspaces/${workspace}/members`,
      nameOf: (item) => names.get(item['user_id'] as string)!,
      orders: { ...byPerson, created_at: NAMES },
    };
  };

  const ofDefaultWorkspace = async (): Promise<ListOfObject> => {
    const names = await people();
    return {
      path: `/workspaces/${organization.workspaceId}/members`,
      nameOf: (item) => names.get(item['user_id'] as string) ?? '',
      orders: { ...byPerson, created_at: NAMES },
    };
  };

  const ofGroup = async (): Promise<ListOfObject> => {
    const names = await people();
    const group = await fixture.group();
    await app.factory.scimMembers(organization, group, [...names.keys()]);
    return { path: `/scim/groups/${group}/members`, nameOf: (item) => item['name'] as string, orders: byPerson };
  };

  const limit = async (): Promise<string> => {
    const body = await managed<{ data: { id: string } }>('/limits', {
      name: 'Of each user',
      group_by: ['user'],
      measure: 'requests',
      window: 'monthly',
      amount: 100,
    });
    return body.data.id;
  };

  const userOf = (item: Readonly<Record<string, unknown>>): string => (item['values'] as { user: string }).user;

  const exceptions = async (): Promise<ListOfObject> => {
    const path = `/limits/${await limit()}/exceptions`;
    const ends = ['2999-01-01T00:00:00.000Z', null, '2998-01-01T00:00:00.000Z'];
    for (const [place, user] of NAMES.entries()) {
      await managed(path, { values: { user }, amount: [2, 3, 1][place]!, until: ends[place]! });
    }
    return {
      path,
      nameOf: userOf,
      orders: { amount: [BETA, ZETA, ALPHA], until: [BETA, ZETA, ALPHA], created_at: NAMES },
    };
  };

  const usage = async (): Promise<ListOfObject> => {
    const id = await limit();
    await managed(`/limits/${id}/exceptions`, { values: { user: ALPHA }, amount: 5 });
    for (const [place, user] of NAMES.entries()) {
      await app.rows(
        `INSERT INTO limit_counters SELECT row.* FROM jsonb_populate_record(NULL::limit_counters, jsonb_build_object(
           'organization_id', $1::text, 'limit_id', $2::text, 'combination', $3::text, 'values', jsonb_build_object('user', $4::text),
           'window_start', date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC', 'amount', $5::int, 'byok_amount', 0,
           'reserved', 0, 'reserved_with_byok', 0, 'key_id', gen_random_uuid(), 'last_used_at', now() + $6 * interval '1 s',
           'expires_at', now() + interval '2 months')) AS row`,
        [organization.organizationId, id, JSON.stringify([user]), user, [2, 3, 1][place]!, place],
      );
    }
    return {
      path: `/limits/${id}/usage`,
      nameOf: userOf,
      orders: { used: [BETA, ZETA, ALPHA], left: [ALPHA, ZETA, BETA], last_used_at: NAMES },
    };
  };

  /** The lists by their paths in the document. */
  const LISTS: Readonly<Record<string, readonly (() => Promise<ListOfObject>)[]>> = {
    '/limits/{id}/exceptions': [exceptions],
    '/limits/{id}/usage': [usage],
    '/scim/groups/{id}/members': [ofGroup],
    '/workspaces/{id}/members': [ofWorkspace, ofDefaultWorkspace],
  };

  /** What lists of an object can be sorted by, by their paths. */
  const sorts = (): Readonly<Record<string, readonly string[]>> => {
    const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as Document;
    return Object.fromEntries(
      Object.entries(paths).flatMap(([path, { get }]) => {
        const named = (name: string): ListParameter | undefined =>
          get?.parameters?.find((parameter) => parameter.name === name);
        if (named('search') === undefined || !path.includes('{')) return [];
        return [[path.replace('/api/v1', ''), named('sort')?.schema?.enum ?? []]];
      }),
    );
  };

  it('that can be searched and sorted are all tested here', () => {
    expect(Object.keys(sorts()).sort()).toEqual(Object.keys(LISTS).sort());
  });

  it.each(Object.entries(LISTS).flatMap(([path, makes]) => makes.map((make) => [path, make] as const)))(
    'answer 200 with what is searched in %s, in every order and in pages, and 400 for what they cannot be asked',
    async (documented, make) => {
      const { path, nameOf, orders } = await make();
      const key = organization.managementKey;
      const listed = async (query: string): Promise<{ names: string[]; total: number }> => {
        const answer = await app.api.get<{ data: Readonly<Record<string, unknown>>[]; total_count: number }>(
          `${path}?${query}`,
          { key },
        );
        expect([query, answer.status]).toEqual([query, 200]);
        return { names: answer.body.data.map(nameOf), total: answer.body.total_count };
      };
      expect(
        Object.keys(orders)
          .flatMap((sort) => [sort, `-${sort}`])
          .sort(),
      ).toEqual([...sorts()[documented]!].sort());
      for (const [sort, names] of Object.entries(orders)) {
        expect([sort, await listed(`search=COPY&sort=${sort}`)]).toEqual([sort, { names, total: 3 }]);
        expect([sort, await listed(`search=copy&sort=-${sort}`)]).toEqual([
          sort,
          { names: names.toReversed(), total: 3 },
        ]);
        expect((await listed(`search=copy&sort=${sort}&limit=1&offset=1`)).names).toEqual([names[1]]);
        expect((await listed(`sort=${sort}`)).names.filter((name) => name !== '')).toEqual(names);
      }
      expect(await listed('search=y%20alph')).toEqual({ names: [ALPHA], total: 1 });
      for (const nothing of ['_a', '%', "' OR true --"]) {
        expect(await listed(`search=${encodeURIComponent(nothing)}`)).toEqual({ names: [], total: 0 });
      }
      for (const query of WRONG) {
        const answer = await app.api.get(`${path}?${query}`, { key });
        const paths = [query.split('=')[0]!];
        expectRefusal(answer, { status: 400, reason: 'invalid_parameters', paths, userId: organization.userId });
      }
    },
  );
});
