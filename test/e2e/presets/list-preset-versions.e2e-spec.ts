import type { Answer } from '../../support/network/api-client.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { SOME_INVALID_PAGE_QUERIES } from '../../support/requests/invalid-page-queries.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { TIMESTAMP, UNKNOWN_UUID, UUID_V7 } from '../../support/expectations/formats.js';
import { presetVersionLists } from './preset-version-lists.js';

describe('listPresetVersions', () => {
  const { app, organization, pathOf, list, configs, expectNotFound } = presetVersionLists();

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
      ...SOME_INVALID_PAGE_QUERIES,
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
});
