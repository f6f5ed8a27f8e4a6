import type { PresetVersion } from '../../../src/modules/presets/dto/preset.dto.js';
import { expectEveryPage, walkPages } from '../../support/expectations/pages.js';
import { presetVersionLists } from './preset-version-lists.js';

describe('listPresetVersions', () => {
  const { app, organization, workspace, pathOf, list, configs } = presetVersionLists();

  /** A version after all others, as an operation would add it. */
  const addVersion = async (presetId: string): Promise<void> => {
    await app.rows(
      `INSERT INTO preset_versions (id, organization_id, preset_id, version, config, creator_id, created_at, updated_at)
       SELECT gen_random_uuid(), organization_id, preset_id, max(version) + 1, '{}', 'user_somebody', now(), now()
       FROM preset_versions WHERE preset_id = $1 GROUP BY organization_id, preset_id`,
      [presetId],
    );
  };

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
