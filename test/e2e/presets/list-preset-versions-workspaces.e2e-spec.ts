import type { ListPresetVersionsResponse } from '../../../src/modules/presets/dto/preset.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { presetVersionLists } from './preset-version-lists.js';

describe('listPresetVersions', () => {
  const { app, organization, workspace, pathOf, list, expectNotFound } = presetVersionLists();

  const configsOf = (answer: Answer<ListPresetVersionsResponse>): object[] =>
    answer.body.data.map(({ config }) => config);

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
});
