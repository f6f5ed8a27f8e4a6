import { sharedApplication } from '../../support/application/shared-application.js';
import type {
  GetPresetVersionResponse,
  ListPresetVersionsResponse,
} from '../../../src/modules/presets/dto/preset.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

describe('getPresetVersion', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = organizationPerTest(app);

  beforeEach(() => app.factory.preset(organization, organization.workspaceId, 'bot', [{ a: 1 }, { a: 2 }, { a: 3 }]));

  const get = (path: string, key = organization.managementKey): Promise<Answer<GetPresetVersionResponse>> =>
    app.api.get(`/presets/${path}`, { key });

  it('answers 200 with each version as listPresetVersions does', async () => {
    const listed = await app.api.get<ListPresetVersionsResponse>('/presets/bot/versions', {
      key: organization.managementKey,
    });
    expect(listed.body.data).toHaveLength(3);

    for (const version of listed.body.data) {
      const answer = await get(`bot/versions/${version.version}`);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ data: version });
      expectToFitContract('getPresetVersion', 200, answer.body);
    }
  });

  it.each(['0', '4', '-1', '01', '1.0', '1e0', '+1', 'latest', '%20', '999999999', '99999999999999999999', '%D9%A1'])(
    'answers 404 for the version %s',
    async (version) => {
      const answer = await get(`bot/versions/${version}`);
      expectRefusal(answer, { status: 404, reason: 'preset_version_not_found', userId: organization.userId });
      expectToFitContract('getPresetVersion', 404, answer.body);
    },
  );

  it('answers 404 for a version of another preset, and in another workspace', async () => {
    const workspaceId = await app.factory.workspace(organization);
    const key = (await app.factory.key(organization, { workspaceId })).plaintext;
    const answers = [
      await get('nowhere/versions/1'),
      await get(`bot/versions/1?workspace_id=${workspaceId}`),
      await get('bot/versions/1', key),
    ];

    for (const answer of answers) {
      expectRefusal(answer, { status: 404, reason: 'preset_not_found', userId: organization.userId });
    }
  });

  it('answers 400 for a malformed slug', async () => {
    const answer = await get('Bot/versions/1');
    expectRefusal(answer, { status: 400, reason: 'invalid_parameters', paths: ['slug'], userId: organization.userId });
  });
});
