import type { ListPresetsResponse } from '../../../src/modules/presets/dto/preset.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { SOME_INVALID_PAGE_QUERIES } from '../../support/requests/invalid-page-queries.js';
import { expectEveryPage } from '../../support/expectations/pages.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

describe('listPresets', () => {
  const app = sharedApplication();
  const organization = organizationPerTest(app);

  const list = async (query = '', key = organization.managementKey): Promise<Answer<ListPresetsResponse>> => {
    const answer = await app.api.get<ListPresetsResponse>(`/presets${query}`, { key });
    expect(answer.status).toBe(200);
    expectToFitContract('listPresets', 200, answer.body);
    return answer;
  };

  const slugs = async (query?: string, key?: string): Promise<string[]> =>
    (await list(query, key)).body.data.map(({ slug }) => slug);

  const addVersion = (slug: string): Promise<Answer> =>
    app.api.post(`/presets/${slug}/chat/completions`, { key: organization.managementKey, json: {} });

  it('answers 200 with an empty page without presets', async () => {
    expect((await list()).body).toEqual({ data: [], total_count: 0 });
  });

  it('answers 200 with each preset as its row stores it, with the id of its newest version', async () => {
    const id = await app.factory.preset(organization, organization.workspaceId, 'bot', [{ a: 1 }, { a: 2 }]);
    await app.rows(
      `UPDATE presets SET description = 'A bot', name = 'The bot', status = 'archived', status_updated_at = now() WHERE id = $1`,
      [id],
    );

    const { data } = (await list()).body;

    const [row] = await app.rows(
      `SELECT p.*, v.id AS version_id FROM presets p JOIN preset_versions v ON v.preset_id = p.id AND v.version = 2`,
    );
    expect(data).toEqual([
      {
        id,
        workspace_id: organization.workspaceId,
        slug: 'bot',
        name: 'The bot',
        description: 'A bot',
        status: 'archived',
        status_updated_at: (row!['status_updated_at'] as Date).toISOString(),
        designated_version_id: row!['version_id'],
        creator_user_id: organization.userId,
        created_at: (row!['created_at'] as Date).toISOString(),
        updated_at: (row!['updated_at'] as Date).toISOString(),
      },
    ]);
  });

  it('answers 200 with the most recently updated first', async () => {
    for (const slug of ['a', 'b', 'c']) await addVersion(slug);
    expect(await slugs()).toEqual(['c', 'b', 'a']);

    await addVersion('a');

    expect(await slugs()).toEqual(['a', 'c', 'b']);
  });

  it('answers 200 with null as current version of a preset without versions', async () => {
    await app.factory.preset(organization, organization.workspaceId, 'bot', []);

    expect((await list()).body.data).toMatchObject([{ slug: 'bot', designated_version_id: null }]);
  });

  it('answers 200 with the matching slice of the list for every offset, and the total', async () => {
    const expected: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      await addVersion(`bot-${index}`);
      expected.unshift(`bot-${index}`);
    }

    const { data } = (await list()).body;
    expect(data.map(({ slug }) => slug)).toEqual(expected);
    await expectEveryPage(app, { path: '/presets', key: organization.managementKey }, data);
  });

  it('answers 200 for the workspace of the key, the default one or the requested one', async () => {
    const workspaceId = await app.factory.workspace(organization);
    await app.factory.preset(organization, organization.workspaceId, 'here', [{}]);
    await app.factory.preset(organization, workspaceId, 'there', [{}]);
    const own = (await app.factory.key(organization)).plaintext;
    const elsewhere = (await app.factory.key(organization, { workspaceId })).plaintext;

    expect(await slugs()).toEqual(['here']);
    expect(await slugs(`?workspace_id=${workspaceId}`)).toEqual(['there']);
    expect(await slugs('', own)).toEqual(['here']);
    expect(await slugs('', elsewhere)).toEqual(['there']);
    expect(await slugs(`?workspace_id=${workspaceId.toUpperCase()}`, elsewhere)).toEqual(['there']);
    expect(await slugs(`?workspace_id=${workspaceId}`, own)).toEqual([]);
    expect(await slugs(`?workspace_id=${UNKNOWN_UUID}`)).toEqual([]);
  });

  it('answers 200 with an empty page once the default workspace is deleted', async () => {
    await app.factory.preset(organization, organization.workspaceId, 'bot', [{}]);
    await app.rows('DELETE FROM workspaces WHERE id = $1', [organization.workspaceId]);

    expect((await list()).body).toEqual({ data: [], total_count: 0 });
  });

  it.each([...SOME_INVALID_PAGE_QUERIES, ['workspace_id=default', ['workspace_id']] as const])(
    'answers 400 for ?%s',
    async (query, paths) => {
      const answer = await app.api.get(`/presets?${query}`, { key: organization.managementKey });
      expectRefusal(answer, { status: 400, reason: 'invalid_parameters', paths, userId: organization.userId });
      expectToFitContract('listPresets', 400, answer.body);
    },
  );
});
