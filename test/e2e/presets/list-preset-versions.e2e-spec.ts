import type { ListPresetVersionsResponse, PresetVersion } from '../../../src/modules/presets/dto/preset.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { INVALID_PAGE_QUERIES } from '../../support/requests/invalid-page-queries.js';
import { expectEveryPage, walkPages } from '../../support/expectations/pages.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { TIMESTAMP, UNKNOWN_UUID, UUID_V7 } from '../../support/expectations/formats.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest, workspacePerTest } from '../../support/application/shared-organization.js';

describe('listPresetVersions', () => {
  const app = sharedApplication();
  const organization = organizationPerTest(app);
  const workspace = workspacePerTest(app, organization);

  const pathOf = (slug: string, query = ''): string => `/presets/${slug}/versions${query}`;

  const list = (
    slug: string,
    query = '',
    key = organization.managementKey,
  ): Promise<Answer<ListPresetVersionsResponse>> => app.api.get(pathOf(slug, query), { key });

  const configsOf = (answer: Answer<ListPresetVersionsResponse>): object[] =>
    answer.body.data.map(({ config }) => config);

  const configs = (count: number): object[] =>
    Array.from({ length: count }, (_, index) => ({ temperature: index / 100 }));

  /** A version after all others, as an operation would add it. */
  const addVersion = async (presetId: string): Promise<void> => {
    await app.rows(
      `INSERT INTO preset_versions (id, organization_id, preset_id, version, config, creator_id, created_at, updated_at)
       SELECT gen_random_uuid(), organization_id, preset_id, max(version) + 1, '{}', 'user_somebody', now(), now()
       FROM preset_versions WHERE preset_id = $1 GROUP BY organization_id, preset_id`,
      [presetId],
    );
  };

  const expectNotFound = (answer: Answer): void => {
    expectRefusal(answer, { status: 404, reason: 'preset_not_found', userId: organization.userId });
    expectToFitContract('listPresetVersions', 404, answer.body);
  };

  it('answers 200 with each version as its row stores it', async () => {
    const config = {
      model: 'openai/gpt-5.1',
      temperature: 0.7,
      provider: { order: ['openai', 'azure'], allow_fallbacks: false },
      stop: [],
      max_tokens: null,
      'kéy with ünicode 🙂': { '': 1e-7 },
    };
    const presetId = await app.factory.preset(organization, organization.workspaceId, 'support-bot', [config, {}]);
    await app.rows(
      `UPDATE preset_versions SET system_prompt = $2, creator_id = 'user_other' WHERE preset_id = $1 AND version = 2`,
      [presetId, 'You are "helpful".\n\t🙂'],
    );

    const answer = await list('support-bot');

    expect(answer.status).toBe(200);
    expectToFitContract('listPresetVersions', 200, answer.body);
    const common = {
      id: expect.stringMatching(UUID_V7) as string,
      preset_id: presetId,
      created_at: expect.stringMatching(TIMESTAMP) as string,
      updated_at: expect.stringMatching(TIMESTAMP) as string,
    };
    expect(answer.body).toEqual({
      data: [
        { ...common, version: 1, config, system_prompt: null, creator_id: organization.userId },
        { ...common, version: 2, config: {}, system_prompt: 'You are "helpful".\n\t🙂', creator_id: 'user_other' },
      ],
      total_count: 2,
    });
    const rows = await app.rows<{ organization_id: string; created_at: Date; updated_at: Date }>(
      'SELECT * FROM preset_versions WHERE preset_id = $1 ORDER BY version',
      [presetId],
    );
    expect(answer.body.data).toEqual(
      rows.map(({ organization_id: _, ...row }) => ({
        ...row,
        created_at: row.created_at.toISOString(),
        updated_at: row.updated_at.toISOString(),
      })),
    );
  });

  it('answers 200 in the order of version numbers, whatever the times and ids are', async () => {
    const presetId = await app.factory.preset(organization, organization.workspaceId, 'bot', configs(12));
    await app.rows(
      `UPDATE preset_versions SET created_at = now() - version * interval '1 day', id = gen_random_uuid() WHERE preset_id = $1`,
      [presetId],
    );

    const { body } = await list('bot');

    expect(body.data.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it('answers 200 with an empty page for a preset without versions', async () => {
    await app.factory.preset(organization, organization.workspaceId, 'bot', [{}]);
    await app.rows('DELETE FROM preset_versions USING presets p WHERE preset_id = p.id AND p.workspace_id = $1', [
      organization.workspaceId,
    ]);

    expect((await list('bot')).body).toEqual({ data: [], total_count: 0 });
  });

  it("answers 200 without another preset's versions", async () => {
    await app.factory.preset(organization, organization.workspaceId, 'one', [{ one: 1 }]);
    await app.factory.preset(organization, organization.workspaceId, 'other', [{ other: 1 }, { other: 2 }]);

    expect((await list('one')).body).toMatchObject({ data: [{ config: { one: 1 } }], total_count: 1 });
    expect((await list('other')).body).toMatchObject({
      data: [{ config: { other: 1 } }, { config: { other: 2 } }],
      total_count: 2,
    });
  });

  describe('answers for the preset in', () => {
    beforeEach(async () => {
      await app.factory.preset(organization, organization.workspaceId, 'bot', [{ in: 'default' }]);
      await app.factory.preset(organization, workspace.id, 'bot', [{ in: 'other' }, { in: 'other', again: true }]);
      await app.factory.preset(organization, organization.workspaceId, 'default-only', [{}]);
      await app.factory.preset(organization, workspace.id, 'other-only', [{}]);
    });

    const apiKey = async (workspace: string | null): Promise<string> =>
      (await app.factory.key(organization, { workspaceId: workspace })).plaintext;

    describe('for a management key', () => {
      it('the default workspace: 200', async () => {
        expect(configsOf(await list('bot'))).toEqual([{ in: 'default' }]);
        expectNotFound(await list('other-only'));
      });

      it('the workspace that the request names: 200', async () => {
        const other = await list('bot', `?workspace_id=${workspace.id}`);

        expect(configsOf(other)).toEqual([{ in: 'other' }, { in: 'other', again: true }]);
        expect((await list('bot', `?workspace_id=${workspace.id.toUpperCase()}`)).text).toBe(other.text);
        expect(configsOf(await list('bot', `?workspace_id=${organization.workspaceId}`))).toEqual([{ in: 'default' }]);
        expectNotFound(await list('default-only', `?workspace_id=${workspace.id}`));
      });

      it('a workspace of the organization only: 404 for others', async () => {
        const other = await app.factory.organization();
        await app.factory.preset(other, other.workspaceId, 'bot', [{ in: 'foreign' }]);
        const options = { key: organization.managementKey, headers: { 'x-request-id': 'same' } };

        const foreign = await app.api.get(pathOf('bot', `?workspace_id=${other.workspaceId}`), options);
        const unknown = await app.api.get(pathOf('bot', `?workspace_id=${UNKNOWN_UUID}`), options);

        expectNotFound(foreign);
        expect(foreign.text).toBe(unknown.text);
      });

      it('the default workspace also when the management key has a workspace of its own: 200', async () => {
        const { plaintext } = await app.factory.key(organization, {
          kind: 'management_key',
          workspaceId: workspace.id,
        });

        expect(configsOf(await list('bot', '', plaintext))).toEqual([{ in: 'default' }]);
      });

      it('no workspace once the default one is deleted, unless the request names one: 404', async () => {
        await app.rows('DELETE FROM workspaces WHERE id = $1', [organization.workspaceId]);

        expectNotFound(await list('bot'));
        expect((await list('bot', `?workspace_id=${workspace.id}`)).body.total_count).toBe(2);
      });
    });

    describe('for an API key', () => {
      it('the workspace of the key: 200', async () => {
        const key = await apiKey(workspace.id);

        expect(configsOf(await list('bot', '', key))).toEqual([{ in: 'other' }, { in: 'other', again: true }]);
        expectNotFound(await list('default-only', '', key));
      });

      it('the default workspace when the key has none: 200', async () => {
        const key = await apiKey(null);

        expect(configsOf(await list('bot', '', key))).toEqual([{ in: 'default' }]);
        expectNotFound(await list('other-only', '', key));
      });

      it('the workspace of the key when the request names it, also in capitals: 200', async () => {
        const [ofWorkspace, ofNone] = [await apiKey(workspace.id), await apiKey(null)];

        for (const id of [workspace.id, workspace.id.toUpperCase()]) {
          expect((await list('bot', `?workspace_id=${id}`, ofWorkspace)).body.total_count).toBe(2);
        }
        expect((await list('bot', `?workspace_id=${organization.workspaceId}`, ofNone)).body.total_count).toBe(1);
      });

      it('no other workspace that the request names, of any organization: 404', async () => {
        const other = await app.factory.organization();
        await app.factory.preset(other, other.workspaceId, 'bot', [{}]);
        const [ofWorkspace, ofNone] = [await apiKey(workspace.id), await apiKey(null)];

        for (const id of [organization.workspaceId, other.workspaceId, UNKNOWN_UUID]) {
          expectNotFound(await list('bot', `?workspace_id=${id}`, ofWorkspace));
        }
        for (const id of [workspace.id, other.workspaceId, UNKNOWN_UUID]) {
          expectNotFound(await list('bot', `?workspace_id=${id}`, ofNone));
        }
      });

      it('no workspace when the key has none and the default one is deleted: 404', async () => {
        const key = await apiKey(null);
        await app.rows('DELETE FROM workspaces WHERE id = $1', [organization.workspaceId]);

        expectNotFound(await list('bot', '', key));
      });
    });
  });

  describe('for a preset', () => {
    it("that is missing or another organization's answers 404 with the same body", async () => {
      const other = await app.factory.organization();
      await app.factory.preset(other, other.workspaceId, 'theirs', [{}]);
      const options = { key: organization.managementKey, headers: { 'x-request-id': 'same' } };

      const [foreign, unknown] = [
        await app.api.get(pathOf('theirs'), options),
        await app.api.get(pathOf('nobodys'), options),
      ];

      expectNotFound(foreign);
      expect(foreign.text).toBe(unknown.text);
    });

    it('that is deleted answers 404', async () => {
      const presetId = await app.factory.preset(organization, organization.workspaceId, 'bot', [{}]);
      await app.rows('DELETE FROM presets WHERE id = $1', [presetId]);

      expectNotFound(await list('bot'));
    });

    it.each(['a', '1', 'a-b', 'a-b-c-1', '0-0', 'x'.repeat(100), UNKNOWN_UUID])(
      'with the slug %s answers 200 when it exists, and 404 before',
      async (slug) => {
        expectNotFound(await list(slug));
        await app.factory.preset(organization, organization.workspaceId, slug, [{}]);
        expect((await list(slug)).status).toBe(200);
      },
    );
  });

  describe('for a faulty request', () => {
    it.each([
      'Support-Bot',
      'SUPPORT',
      'support_bot',
      'support.bot',
      'support%20bot',
      '-support',
      'support-',
      'support--bot',
      '-',
      '%F0%9F%99%82',
      'b%C3%B6t',
      'support%0A',
      '%20support',
      'support%2Fbot',
      '*',
      '%25',
      'x'.repeat(101),
      `${'x-'.repeat(50)}x`,
    ])('answers 400 for a slug like %s', async (slug) => {
      const answer = await list(slug);

      const { body } = answer as unknown as Answer<{ error: { metadata: { issues: unknown[] } } }>;
      // Too long and of another form are two faults.
      expectRefusal(answer, {
        status: 400,
        reason: 'invalid_parameters',
        paths: body.error.metadata.issues.map(() => 'slug'),
        userId: organization.userId,
      });
      expectToFitContract('listPresetVersions', 400, answer.body);
    });

    it('answers 400 for a NUL in the slug', async () => {
      expectRefusal(await list('bot%00'), {
        status: 400,
        reason: 'invalid_parameters',
        paths: ['slug', 'slug'],
        userId: organization.userId,
      });
    });

    it.each([
      ...INVALID_PAGE_QUERIES,
      ['workspace_id=default', ['workspace_id']],
      ['workspace_id=', ['workspace_id']],
      [`workspace_id=${UNKNOWN_UUID}&workspace_id=${UNKNOWN_UUID}`, ['workspace_id']],
      ['workspace=1', ['workspace']],
      ['version=1', ['version']],
    ] as const)('answers 400 for ?%s', async (query, paths) => {
      const answer = await list('bot', `?${query}`);

      expectRefusal(answer, { status: 400, reason: 'invalid_parameters', paths, userId: organization.userId });
    });

    it('answers 400 ahead of 404 for a missing preset, and names every issue', async () => {
      const answer = await list('Nobody', '?limit=0&workspace_id=x');

      expectRefusal(answer, {
        status: 400,
        reason: 'invalid_parameters',
        paths: ['slug', 'limit', 'workspace_id'],
        userId: organization.userId,
      });
    });
  });

  describe('with pagination', () => {
    it('answers 200 with 50 versions by default, and with 100 at most', async () => {
      await app.factory.preset(organization, organization.workspaceId, 'bot', configs(104));

      const pages = [
        await list('bot'),
        await list('bot', '?limit=100'),
        await list('bot', '?limit=2&offset=101'),
        await list('bot', '?offset=104'),
      ];

      expect(pages.map(({ body }) => body.data.map(({ version }) => version))).toEqual([
        Array.from({ length: 50 }, (_, index) => index + 1),
        Array.from({ length: 100 }, (_, index) => index + 1),
        [102, 103],
        [],
      ]);
      for (const { body } of pages) expect(body.total_count).toBe(104);
    });

    it('answers 200 with each version once, also while versions are being added', async () => {
      const presetId = await app.factory.preset(organization, organization.workspaceId, 'bot', configs(10));
      let left = 5;

      const pages = await walkPages<PresetVersion>(app, {
        path: pathOf('bot'),
        key: organization.managementKey,
        limit: 3,
        betweenPages: async () => {
          if (left-- > 0) await addVersion(presetId);
        },
      });

      expect(pages.flatMap(({ data }) => data.map(({ version }) => version))).toEqual(
        Array.from({ length: 15 }, (_, index) => index + 1),
      );
      expect(pages.map((page) => page.total_count)).toEqual([10, 11, 12, 13, 14, 15, 15]);
    });

    it.each([4, 5])('answers 200 with the matching slice of a list of %d for every offset and limit', async (count) => {
      await app.factory.preset(organization, organization.workspaceId, 'bot', configs(count));
      const whole = (await list('bot', '?limit=100')).body.data;
      expect(whole.map(({ version }) => version)).toEqual(Array.from({ length: count }, (_, index) => index + 1));

      await expectEveryPage(app, { path: pathOf('bot'), key: organization.managementKey }, whole);
    });

    it('answers 200 with the versions in the workspace of the query', async () => {
      await app.factory.preset(organization, workspace.id, 'bot', configs(5));
      const path = pathOf('bot', `?workspace_id=${workspace.id}`);

      const pages = await walkPages<PresetVersion>(app, { path, key: organization.managementKey, limit: 2 });

      expect(pages.map(({ data }) => data.length)).toEqual([2, 2, 1, 0]);
    });
  });
});
