import { DESTINATION_TYPES } from '../../../src/modules/observability/destination-settings.js';
import type {
  ListObservabilityDestinationsResponse,
  ObservabilityDestination,
} from '../../../src/modules/observability/dto/destination.dto.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { SECRET_MARK } from '../../support/resources/destination-samples.js';
import { EVERY_DESTINATION_OPTION, newDestination, resolveHostsTo } from '../../support/resources/destinations.js';
import { SOME_INVALID_PAGE_QUERIES } from '../../support/requests/invalid-page-queries.js';
import { expectEveryPage, walkPages } from '../../support/expectations/pages.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

const PATH = '/observability/destinations';

const CONFIG = { url: 'https://public.example.com/' };

describe('listObservabilityDestinations', () => {
  const app = sharedApplication();
  const organization = organizationPerTest(app);

  beforeAll(() => resolveHostsTo(app));

  const list = async (query = '', owner = organization): Promise<ListObservabilityDestinationsResponse> => {
    const answer = await app.api.get<ListObservabilityDestinationsResponse>(`${PATH}${query}`, {
      key: owner.managementKey,
    });
    expect(answer.status).toBe(200);
    expectToFitContract('listObservabilityDestinations', 200, answer.body);
    expect(answer.text).not.toContain(SECRET_MARK);
    return answer.body;
  };

  const make = (fields: object = {}): Promise<ObservabilityDestination> =>
    newDestination(app, organization, 'webhook', { ...fields });

  const ids = ({ data }: { data: ObservabilityDestination[] }): string[] => data.map(({ id }) => id);

  it('answers 200 with an empty page at first', async () => {
    expect(await list()).toEqual({ data: [], total_count: 0 });
  });

  it('answers 200 with one destination of each type as getObservabilityDestination does, oldest first', async () => {
    const made: ObservabilityDestination[] = [];
    for (const type of DESTINATION_TYPES.toReversed())
      made.push(await newDestination(app, organization, type, EVERY_DESTINATION_OPTION));

    expect(await list()).toEqual({ data: made, total_count: 17 });
  });

  it('answers 200 with the matching slice of the list for every offset and limit', async () => {
    for (let count = 0; count < 3; count += 1) await make();

    const { data } = await list();

    await expectEveryPage(app, { path: PATH, key: organization.managementKey }, data);
  });

  it('answers 200 with 50 destinations by default', async () => {
    for (let count = 0; count < 51; count += 1) await app.factory.destination(organization, 'webhook', CONFIG);

    expect((await list()).data).toHaveLength(50);
    expect((await list('?limit=100')).data).toHaveLength(51);
    expect((await list('?offset=50')).data).toHaveLength(1);
  });

  it('answers 200 in a stable order for destinations of the same time', async () => {
    for (let count = 0; count < 10; count += 1) await app.factory.destination(organization, 'webhook', CONFIG);
    await app.rows(`UPDATE observability_destinations SET created_at = '2026-01-01' WHERE organization_id = $1`, [
      organization.organizationId,
    ]);

    const walk = { path: PATH, key: organization.managementKey, limit: 3 };
    const pages = await walkPages<ObservabilityDestination>(app, walk);

    const walked = pages.flatMap(ids);
    expect(walked).toEqual([...new Set(walked)].sort());
    expect(walked).toHaveLength(10);
  });

  it('skips none (200) while others are created', async () => {
    const made = [(await make()).id, (await make()).id, (await make()).id];

    const pages = await walkPages<ObservabilityDestination>(app, {
      path: PATH,
      key: organization.managementKey,
      limit: 2,
      betweenPages: async () => (made.length < 5 ? made.push((await make()).id) : undefined),
    });

    expect(pages.flatMap(ids)).toEqual(made);
    expect(made).toHaveLength(5);
  });

  it('answers 200 with a total without deleted and refused (400) destinations', async () => {
    const { id } = await make();
    const { id: kept } = await make();
    const key = organization.managementKey;
    expect((await app.api.post(PATH, { key, json: { type: 'webhook', name: 'x', config: {} } })).status).toBe(400);
    expect((await list()).total_count).toBe(2);

    expect((await app.api.delete(`${PATH}/${id}`, { key })).status).toBe(200);

    const body = await list();
    expect([ids(body), body.total_count]).toEqual([[kept], 1]);
  });

  it('answers 200 with the destinations of the requested workspace, by default of the default one', async () => {
    const workspaceId = await app.factory.workspace(organization);
    const [inDefault, elsewhere] = [await make(), await make({ workspace_id: workspaceId })];

    expect(await list()).toEqual({ data: [inDefault], total_count: 1 });
    expect(await list(`?workspace_id=${organization.workspaceId}`)).toEqual({ data: [inDefault], total_count: 1 });
    expect(await list(`?workspace_id=${workspaceId.toUpperCase()}`)).toEqual({ data: [elsewhere], total_count: 1 });
    expect(await list(`?workspace_id=${workspaceId}&offset=1`)).toEqual({ data: [], total_count: 1 });
  });

  it('answers 200 with an empty page for a missing workspace, another organization’s, and a deleted default workspace', async () => {
    const other = await app.factory.organization();
    await newDestination(app, other, 'webhook');
    const nothing = { data: [], total_count: 0 };

    expect(await list(`?workspace_id=${other.workspaceId}`)).toEqual(nothing);
    expect(await list(`?workspace_id=${UNKNOWN_UUID}`)).toEqual(nothing);
    await make();
    await app.rows('DELETE FROM workspaces WHERE id = $1', [organization.workspaceId]);
    expect(await list()).toEqual(nothing);
    expect((await list('', other)).total_count).toBe(1);
  });

  it.each([
    ...SOME_INVALID_PAGE_QUERIES,
    ['workspace_id=', ['workspace_id']],
    ['workspace_id=default', ['workspace_id']],
    [`workspace_id=${UNKNOWN_UUID}&workspace_id=${UNKNOWN_UUID}`, ['workspace_id']],
    ['type=webhook', ['type']],
    ['limit=0&offset=-1&workspace_id=x&surprise=1', ['limit', 'offset', 'workspace_id', 'surprise']],
  ] as const)('answers 400 for the query %s', async (query, paths) => {
    const answer = await app.api.get(`${PATH}?${query}`, { key: organization.managementKey });

    expectRefusal(answer, { status: 400, reason: 'invalid_parameters', paths, userId: organization.userId });
    expectToFitContract('listObservabilityDestinations', 400, answer.body);
  });
});
