import { newDestination } from '../../support/resources/destinations.js';
import { moveReplicaClock, restoreReplicaClock, trueTime } from '../../support/time/replica-clock.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** What lists show of every item. */
interface Listed {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at?: string | null;
}

interface Page {
  readonly data: Listed[];
}

/** A list, and what adds the next item to it. @returns the item as the answer shows it, where it does */
interface List {
  readonly path: string;
  readonly add: (number: number) => Promise<Listed | undefined>;
}

describe('a replica whose clock is a day behind the clock of the database', () => {
  const app = sharedApplication();
  const organization = organizationPerTest(app);

  beforeAll(() => app.factory.starterCatalog());

  beforeEach(() => app.factory.enableScim(organization));

  afterEach(restoreReplicaClock);

  const post = async <Body extends object = { data: Listed }>(path: string, json: object): Promise<Body> => {
    const answer = await app.api.post<Body>(path, { key: organization.managementKey, json });
    expect({ path, status: answer.status, isSuccess: answer.status < 300 }).toMatchObject({ path, isSuccess: true });
    return answer.body;
  };

  const made = async (path: string, json: object): Promise<Listed> => (await post(path, json)).data;

  const page = async (path: string, offset: number): Promise<Listed[]> => {
    const answer = await app.api.get<Page>(`${path}${path.includes('?') ? '&' : '?'}limit=2&offset=${offset}`, {
      key: organization.managementKey,
    });
    expect({ path, status: answer.status }).toEqual({ path, status: 200 });
    return answer.body.data;
  };

  const expectDatabaseTime = (item: Listed | undefined): void => {
    for (const shown of [item?.created_at, item?.updated_at]) {
      if (typeof shown === 'string') expect(Math.abs(Date.parse(shown) - trueTime())).toBeLessThan(DAY_MS / 2);
    }
  };

  const LISTS: Readonly<Record<string, () => List | Promise<List>>> = {
    guardrails: () => ({
      path: '/guardrails',
      add: (number) => made('/guardrails', { name: `Guardrail ${number}` }),
    }),
    workspaces: () => ({
      path: '/workspaces',
      add: (number) => made('/workspaces', { name: 'Workspace', slug: `workspace-${number}` }),
    }),
    destinations: () => ({
      path: '/observability/destinations',
      add: (number) => newDestination(app, organization, 'langfuse', { name: `Destination ${number}` }),
    }),
    'members of a workspace': async () => {
      const { id } = await made('/workspaces', { name: 'Workspace', slug: 'with-members' });
      return {
        path: `/workspaces/${id}/members`,
        add: async () => {
          const user_ids = [await app.factory.member(organization.organizationId)];
          return (await post<Page>(`/workspaces/${id}/members/add`, { user_ids })).data[0];
        },
      };
    },
    'members of the organization': () => ({
      path: `/workspaces/${organization.workspaceId}/members`,
      add: async () => {
        await app.factory.member(organization.organizationId);
        return undefined;
      },
    }),
    'guardrails of keys': async () => {
      const { id } = await made('/guardrails', { name: 'Assigned' });
      return {
        path: `/guardrails/${id}/assignments/keys`,
        add: async () => {
          await post(`/guardrails/${id}/assignments/keys`, {
            key_hashes: [(await app.factory.key(organization)).hash],
          });
          return undefined;
        },
      };
    },
    'guardrails of members': async () => {
      const { id } = await made('/guardrails', { name: 'Assigned' });
      return {
        path: '/guardrails/assignments/members',
        add: async () => {
          const member_user_ids = [await app.factory.member(organization.organizationId)];
          await post(`/guardrails/${id}/assignments/members`, { member_user_ids });
          return undefined;
        },
      };
    },
    'SCIM groups': () => ({
      path: '/scim/groups',
      add: async () => {
        await app.factory.scimGroup(organization);
        return undefined;
      },
    }),
    'SCIM group mappings': () => ({
      path: '/scim/group-mappings',
      add: async () => {
        const scim_group_id = await app.factory.scimGroup(organization);
        return made('/scim/group-mappings', { scim_group_id, workspace_id: organization.workspaceId });
      },
    }),
  };

  it.each(Object.keys(LISTS))('shows each item once (200) when the list of %s is read page by page', async (name) => {
    const { path, add } = await LISTS[name]!();
    // What the list has from the start is walked over first.
    const { body } = await app.api.get<Page>(`${path}${path.includes('?') ? '&' : '?'}limit=100`, {
      key: organization.managementKey,
    });
    const start = body.data.length;
    for (const number of [1, 2, 3]) await add(number);
    const first = await page(path, start);

    moveReplicaClock(-DAY_MS);
    const added = await add(4);
    const second = await page(path, start + 2);

    expect([...first, ...second].map(({ id }) => id)).toEqual([...new Set([...first, ...second].map(({ id }) => id))]);
    expect(second).toHaveLength(2);
    if (added !== undefined) expect(second[1]).toMatchObject({ id: added.id, created_at: added.created_at });
    expectDatabaseTime(second[1]);
  });

  it('lists the preset that was changed last first (200), with the time of its new version', async () => {
    const add = async (slug: string): Promise<{ designated_version: Listed } & Listed> =>
      (
        await post<{ data: { designated_version: Listed } & Listed }>(`/presets/${slug}/chat/completions`, {
          model: 'openai/gpt-5.4',
          messages: [],
        })
      ).data;
    await add('one');
    await add('two');

    moveReplicaClock(-DAY_MS);
    const [changed, fresh] = [await add('one'), await add('three')];
    const listed = await app.api.get<{ data: (Listed & { slug: string })[] }>('/presets', {
      key: organization.managementKey,
    });

    expect(listed.body.data.map(({ slug }) => slug)).toEqual(['three', 'one', 'two']);
    for (const item of [changed, fresh, changed.designated_version, fresh.designated_version]) expectDatabaseTime(item);
    expect(listed.body.data[1]).toMatchObject({ created_at: changed.created_at, updated_at: changed.updated_at });
    expect(changed.designated_version.created_at).toBe(changed.updated_at);
  });

  it('answers 200 with the time of the database for changes, as it is stored', async () => {
    const workspace = await made('/workspaces', { name: 'Workspace', slug: 'changed' });
    const guardrail = await made('/guardrails', { name: 'Guardrail' });
    const destination = await newDestination(app, organization);
    const scim_group_id = await app.factory.scimGroup(organization);
    const mapping = await made('/scim/group-mappings', { scim_group_id, workspace_id: workspace.id });
    const budget = `/workspaces/${workspace.id}/budgets/daily`;

    moveReplicaClock(-DAY_MS);
    const changes: readonly [string, object][] = [
      [`/workspaces/${workspace.id}`, { name: 'Renamed' }],
      [`/guardrails/${guardrail.id}`, { name: 'Renamed' }],
      [`/observability/destinations/${destination.id}`, { name: 'Renamed' }],
      [`/scim/group-mappings/${mapping.id}`, { role: 'admin' }],
    ];
    for (const [path, json] of changes) {
      const answer = await app.api.patch<{ data: Listed }>(path, { key: organization.managementKey, json });
      expect({ path, status: answer.status }).toEqual({ path, status: 200 });
      expect(answer.body.data.updated_at).not.toBeNull();
      expectDatabaseTime(answer.body.data);
      expect((await app.api.get<{ data: Listed }>(path, { key: organization.managementKey })).body.data).toEqual(
        answer.body.data,
      );
    }
    for (const limit_usd of [1, 2]) {
      const answer = await app.api.put<{ data: Listed }>(budget, {
        key: organization.managementKey,
        json: { limit_usd },
      });
      expectDatabaseTime(answer.body.data);
      expect((await app.api.get<{ data: Listed }>(budget, { key: organization.managementKey })).body.data).toEqual(
        answer.body.data,
      );
    }
  });

  it('records events with the time of the database, alone and in the statement of the change (201)', async () => {
    moveReplicaClock(-DAY_MS);
    await made('/guardrails', { name: 'Recorded with its row' });
    await made('/workspaces', { name: 'Recorded in the transaction', slug: 'recorded' });

    const since = new Date(trueTime() - DAY_MS / 2).toISOString();
    const answer = await app.api.get<{ data: { action: string; created_at: string }[] }>(
      `/audit-events?since=${encodeURIComponent(since)}&limit=100`,
      { key: organization.managementKey },
    );

    expect(answer.body.data.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['guardrail.create', 'workspace.create']),
    );
  });
});
