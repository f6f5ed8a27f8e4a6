import { sharedApplication } from '../../support/application/shared-application.js';
import type { ListKeysResponse } from '../../../src/modules/keys/dto/key.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { newKey } from '../../support/resources/keys.js';
import { INVALID_PAGE_QUERIES } from '../../support/requests/invalid-page-queries.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

describe('list (GET /keys)', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = organizationPerTest(app);

  const list = async (query = ''): Promise<Answer<ListKeysResponse>> => {
    const answer = await app.api.get<ListKeysResponse>(`/keys${query}`, { key: organization.managementKey });
    expect(answer.status).toBe(200);
    expectToFitContract('list', 200, answer.body);
    return answer;
  };

  const names = async (query = ''): Promise<string[]> => (await list(query)).body.data.map(({ name }) => name);

  it('answers 200 with an empty page at first, because management keys are not listed', async () => {
    await app.factory.key(organization, { kind: 'management_key' });

    expect((await list('?include_disabled=true')).body).toEqual({ data: [] });
  });

  it('answers 200 with keys of all workspaces as getKey answers them, oldest first', async () => {
    const workspaceId = await app.factory.workspace(organization);
    const made = [
      await newKey(app, organization.managementKey, { name: 'One' }),
      await newKey(app, organization.managementKey, { name: 'Two', workspace_id: workspaceId, limit: 3 }),
    ];
    await app.factory.key(organization, { name: 'Three' });

    const { body } = await list();

    expect(body.data.slice(0, 2)).toEqual(made.map(({ data }) => data));
    expect(body.data.map(({ name }) => name)).toEqual(['One', 'Two', 'Three']);
    // A key from before keys had a workspace.
    expect(body.data[2]!.workspace_id).toBe(organization.workspaceId);
    for (const item of body.data) {
      const single = await app.api.get<{ data: object }>(`/keys/${item.hash}`, { key: organization.managementKey });
      expect(single.body.data).toEqual(item);
    }
  });

  it('answers 200 with pages by offset and limit', async () => {
    for (const name of ['1', '2', '3', '4', '5']) await app.factory.key(organization, { name });

    for (let offset = 0; offset <= 6; offset += 1) {
      for (let limit = 1; limit <= 6; limit += 1) {
        const expected = ['1', '2', '3', '4', '5'].slice(offset, offset + limit);
        expect([offset, limit, await names(`?offset=${offset}&limit=${limit}`)]).toEqual([offset, limit, expected]);
      }
    }
    expect(await names(`?offset=${'9'.repeat(30)}`)).toEqual([]);
  });

  it('answers 200 with 100 keys on a page by default', async () => {
    const { organizationId, userId } = organization;
    await app.rows(
      `INSERT INTO api_keys (id, organization_id, user_id, kind, hash, name, label, created_at)
       SELECT gen_random_uuid(), $1, $2, 'api_key', sha256(convert_to($1 || n, 'UTF8')), n, '', now() + n * interval '1 ms'
       FROM generate_series(1, 101) AS n`,
      [organizationId, userId],
    );

    expect(await names()).toEqual(Array.from({ length: 100 }, (_, index) => String(index + 1)));
    expect(await names('?offset=99')).toEqual(['100', '101']);
  });

  it('answers 200 with disabled keys only on request, and with expired keys always', async () => {
    const disabled = await newKey(app, organization.managementKey, { name: 'Disabled' });
    await app.api.patch(`/keys/${disabled.data.hash}`, { key: organization.managementKey, json: { disabled: true } });
    await app.factory.key(organization, { name: 'Expired', expiresAt: new Date(0) });
    await newKey(app, organization.managementKey, { name: 'Usual' });

    expect(await names()).toEqual(['Expired', 'Usual']);
    expect(await names('?include_disabled=false')).toEqual(['Expired', 'Usual']);
    expect(await names('?include_disabled=true')).toEqual(['Disabled', 'Expired', 'Usual']);
    expect(await names('?include_disabled=true&offset=1&limit=1')).toEqual(['Expired']);
  });

  it('answers 200 with the keys of the requested workspace', async () => {
    const workspaceId = await app.factory.workspace(organization);
    await newKey(app, organization.managementKey, { name: 'Named default' });
    await app.factory.key(organization, { name: 'Unnamed default' });
    await newKey(app, organization.managementKey, { name: 'First there', workspace_id: workspaceId });
    await newKey(app, organization.managementKey, { name: 'Second there', workspace_id: workspaceId });

    expect(await names(`?workspace_id=${workspaceId}`)).toEqual(['First there', 'Second there']);
    expect(await names(`?workspace_id=${workspaceId.toUpperCase()}&offset=1`)).toEqual(['Second there']);
    expect(await names(`?workspace_id=${organization.workspaceId}`)).toEqual(['Named default', 'Unnamed default']);
    expect(await names(`?workspace_id=${organization.workspaceId}&limit=1&offset=1`)).toEqual(['Unnamed default']);
  });

  it("answers 200 with the same empty page for another organization's workspace and for a missing one", async () => {
    const other = await app.factory.organization();
    await app.factory.key(other);
    await app.factory.key(organization);

    const foreign = await list(`?workspace_id=${other.workspaceId}`);
    const unknown = await list(`?workspace_id=${UNKNOWN_UUID}`);

    expect(foreign.text).toBe(unknown.text);
    expect(foreign.body).toEqual({ data: [] });
  });

  it.each([
    ...INVALID_PAGE_QUERIES,
    ['include_disabled=', ['include_disabled']],
    ['include_disabled=1', ['include_disabled']],
    ['include_disabled=TRUE', ['include_disabled']],
    ['include_disabled=true&include_disabled=true', ['include_disabled']],
    ['workspace_id=default', ['workspace_id']],
    ['workspace_id=', ['workspace_id']],
    ['limit=0&workspace_id=x&include_disabled=x', ['limit', 'workspace_id', 'include_disabled']],
  ] as const)('answers 400 for ?%s', async (query, paths) => {
    const answer = await app.api.get(`/keys?${query}`, { key: organization.managementKey });

    expectRefusal(answer, { status: 400, reason: 'invalid_parameters', paths, userId: organization.userId });
    expectToFitContract('list', 400, answer.body);
  });
});
