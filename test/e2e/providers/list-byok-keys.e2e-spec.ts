import { sharedApplication } from '../../support/application/shared-application.js';
import type { ListBYOKKeysResponse } from '../../../src/modules/providers/own-keys/dto/byok-key.dto.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import type { Answer } from '../../support/network/api-client.js';
import { SOME_INVALID_PAGE_QUERIES } from '../../support/requests/invalid-page-queries.js';
import { newProviderKey } from '../../support/resources/provider-keys.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

describe('listBYOKKeys', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = organizationPerTest(app);

  const list = (query = ''): Promise<Answer<ListBYOKKeysResponse>> =>
    app.api.get(`/byok${query}`, { key: organization.managementKey });

  const idsOf = async (query: string): Promise<[ids: string[], total: number]> => {
    const { status, body } = await list(query);
    expect(status).toBe(200);
    expectToFitContract('listBYOKKeys', 200, body);
    return [body.data.map(({ id }) => id), body.total_count];
  };

  it('answers 200 with the keys of the default workspace, oldest first, as they were answered when made', async () => {
    const workspace_id = await app.factory.workspace(organization);
    const first = await newProviderKey(app, organization);
    await newProviderKey(app, organization, { workspace_id });
    const second = await newProviderKey(app, organization, { provider: 'groq', name: 'Second' });

    const { status, body } = await list();

    expect(status).toBe(200);
    expect(body).toEqual({ data: [first, second], total_count: 2 });
  });

  it('answers 200 with the keys of a workspace and of a provider, and with pages of them', async () => {
    const workspace_id = await app.factory.workspace(organization);
    const ids: string[] = [];
    for (const provider of ['openai', 'groq', 'openai', 'openai']) {
      ids.push((await newProviderKey(app, organization, { workspace_id, provider })).id);
    }
    const ofWorkspace = `?workspace_id=${workspace_id}`;

    expect(await idsOf(ofWorkspace)).toEqual([ids, 4]);
    expect(await idsOf(`${ofWorkspace}&provider=openai`)).toEqual([[ids[0], ids[2], ids[3]], 3]);
    expect(await idsOf(`${ofWorkspace}&provider=openai&limit=1&offset=1`)).toEqual([[ids[2]], 3]);
    expect(await idsOf(`${ofWorkspace}&limit=2&offset=2`)).toEqual([[ids[2], ids[3]], 4]);
    expect(await idsOf(`${ofWorkspace}&offset=9`)).toEqual([[], 4]);
    expect(await idsOf(`${ofWorkspace}&provider=nobody`)).toEqual([[], 0]);
    expect(await idsOf('?provider=openai')).toEqual([[], 0]);
    expect(await idsOf(`?workspace_id=${UNKNOWN_UUID}`)).toEqual([[], 0]);
  });

  it.each([
    ...SOME_INVALID_PAGE_QUERIES,
    ['workspace_id=default', ['workspace_id']],
    ['provider=a&provider=b', ['provider']],
    ['name=Mine', ['name']],
  ] as const)('answers 400 to ?%s', async (query, paths) => {
    const answer = await list(`?${query}`);

    expectRefusal(answer, { status: 400, reason: 'invalid_parameters', paths, userId: organization.userId });
  });
});
