import { sharedApplication } from '../../support/application/shared-application.js';
import type { ListPresetVersionsResponse } from '../../../src/modules/presets/dto/preset.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { organizationPerTest, workspacePerTest } from '../../support/application/shared-organization.js';

/** What the tests of listPresetVersions make and ask for. */
export function presetVersionLists() {
  const app = sharedApplication({ topic: 'suite' });
  const organization = organizationPerTest(app);
  const workspace = workspacePerTest(app, organization);

  const pathOf = (slug: string, query = ''): string => `/presets/${slug}/versions${query}`;

  const list = (
    slug: string,
    query = '',
    key = organization.managementKey,
  ): Promise<Answer<ListPresetVersionsResponse>> => app.api.get(pathOf(slug, query), { key });

  const configs = (count: number): object[] =>
    Array.from({ length: count }, (_, index) => ({ temperature: index / 100 }));

  const expectNotFound = (answer: Answer): void => {
    expectRefusal(answer, { status: 404, reason: 'preset_not_found', userId: organization.userId });
    expectToFitContract('listPresetVersions', 404, answer.body);
  };

  return { app, organization, workspace, pathOf, list, configs, expectNotFound };
}
