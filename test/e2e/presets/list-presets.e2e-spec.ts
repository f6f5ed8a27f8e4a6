import type { ListPresetsResponse } from '../../../src/modules/presets/dto/preset.dto.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { Answer } from '../../support/api-client.js';
import { expectToFitContract } from '../../support/contract.js';
import { PAGE_QUERY_FAULTS } from '../../support/page-query-faults.js';
import { expectEveryWindow } from '../../support/page-walk.js';
import { expectRefusal } from '../../support/refusal.js';
import { TestApplication } from '../../support/test-application.js';
import { UNKNOWN_UUID } from '../../support/wire-forms.js';
import { describeWhoMayCall } from '../../support/who-may-call.js';

describe('GET /presets', () => {
  let app: TestApplication;
  let organization: NewOrganization;

  beforeAll(async () => {
    app = await TestApplication.start();
  });

  beforeEach(async () => {
    organization = await app.factory.organization();
  });

  afterAll(() => app.stop());

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

  it('is empty where there is none', async () => {
    expect((await list()).body).toEqual({ data: [], total_count: 0 });
  });

  it('shows each preset as its row has it, with the id of its newest version', async () => {
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

  it('has the most recently updated first', async () => {
    for (const slug of ['a', 'b', 'c']) await addVersion(slug);
    expect(await slugs()).toEqual(['c', 'b', 'a']);

    await addVersion('a');

    expect(await slugs()).toEqual(['a', 'c', 'b']);
  });

  it('shows null for the version in force of a preset without versions', async () => {
    await app.factory.preset(organization, organization.workspaceId, 'bot', []);

    expect((await list()).body.data).toMatchObject([{ slug: 'bot', designated_version_id: null }]);
  });

  it('can be walked through from any place, and counts all', async () => {
    const expected: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      await addVersion(`bot-${index}`);
      expected.unshift(`bot-${index}`);
    }

    const { data } = (await list()).body;
    expect(data.map(({ slug }) => slug)).toEqual(expected);
    await expectEveryWindow(app, { path: '/presets', key: organization.managementKey }, data);
  });

  it("is of the key's own workspace, of the default one, or of the one that is asked for", async () => {
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

  it('is empty once the default workspace is gone', async () => {
    await app.factory.preset(organization, organization.workspaceId, 'bot', [{}]);
    await app.rows('DELETE FROM workspaces WHERE id = $1', [organization.workspaceId]);

    expect((await list()).body).toEqual({ data: [], total_count: 0 });
  });

  it.each([...PAGE_QUERY_FAULTS, ['workspace_id=default', ['workspace_id']] as const])(
    'refuses ?%s',
    async (query, paths) => {
      const answer = await app.api.get(`/presets?${query}`, { key: organization.managementKey });
      expectRefusal(answer, { status: 400, reason: 'invalid_parameters', paths, userId: organization.userId });
      expectToFitContract('listPresets', 400, answer.body);
    },
  );

  describeWhoMayCall(['management_key', 'api_key'], () => ({
    app,
    organization,
    operationId: 'listPresets',
    method: 'GET',
    path: '/presets',
  }));
});
