import { sharedApplication } from '../../support/application/shared-application.js';
import type { GetPresetResponse } from '../../../src/modules/presets/dto/preset.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

describe('getPreset', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = organizationPerTest(app);

  beforeEach(() => app.factory.preset(organization, organization.workspaceId, 'known', [{}]));

  const get = (path: string, key = organization.managementKey): Promise<Answer<GetPresetResponse>> =>
    app.api.get(`/presets/${path}`, { key });

  const found = async (path: string, key?: string): Promise<GetPresetResponse['data']> => {
    const answer = await get(path, key);
    expect(answer.status).toBe(200);
    expectToFitContract('getPreset', 200, answer.body);
    return answer.body.data;
  };

  it('answers 200 with the body of its creation, with the newest version', async () => {
    const post = (json: object): Promise<Answer<GetPresetResponse>> =>
      app.api.post('/presets/bot/chat/completions', { key: organization.managementKey, json });
    await post({ temperature: 0 });
    const made = await post({ temperature: 1, messages: [{ role: 'system', content: 'Be brief.' }] });

    const preset = await found('bot');

    expect(preset).toEqual(made.body.data);
    expect(preset.designated_version).toMatchObject({
      id: preset.designated_version_id,
      version: 2,
      config: { temperature: 1 },
      system_prompt: 'Be brief.',
    });
  });

  it('answers 200 without a version for a preset that has none', async () => {
    await app.factory.preset(organization, organization.workspaceId, 'bot', []);

    expect(await found('bot')).toMatchObject({ designated_version: null, designated_version_id: null });
  });

  it('answers 200 in the requested workspace, and 404 to an API key of another one', async () => {
    const workspaceId = await app.factory.workspace(organization);
    const here = await app.factory.preset(organization, organization.workspaceId, 'bot', [{}]);
    const there = await app.factory.preset(organization, workspaceId, 'bot', [{}]);
    const key = (await app.factory.key(organization, { workspaceId })).plaintext;

    expect((await found('bot')).id).toBe(here);
    expect((await found(`bot?workspace_id=${workspaceId}`)).id).toBe(there);
    expect((await found('bot', key)).id).toBe(there);
    const answer = await get(`bot?workspace_id=${organization.workspaceId}`, key);
    expectRefusal(answer, { status: 404, reason: 'preset_not_found', userId: organization.userId });
  });

  it('answers 404 for another slug', async () => {
    const answer = await get('nowhere');
    expectRefusal(answer, { status: 404, reason: 'preset_not_found', userId: organization.userId });
    expectToFitContract('getPreset', 404, answer.body);
  });

  it.each(['Bot', 'a--b', '%20', 'a'.repeat(101)])('answers 400 for the slug %s', async (slug) => {
    const answer = await get(slug);
    expectRefusal(answer, { status: 400, reason: 'invalid_parameters', paths: ['slug'], userId: organization.userId });
  });
});
