import { sharedApplication } from '../../support/application/shared-application.js';
import type { EffectiveGuardrailsResponse } from '../../../src/modules/guardrails/effective-policy/effective-guardrails.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { memberPerTest, organizationPerTest, workspacePerTest } from '../../support/application/shared-organization.js';

/** What the tests of getEffectiveGuardrails ask for, and how they assign guardrails. */
export function effectiveGuardrails() {
  const app = sharedApplication({ topic: 'suite' });
  const organization = organizationPerTest(app);
  const member = memberPerTest(app, organization);
  const workspace = workspacePerTest(app, organization);
  const key = filledBefore(beforeEach, () =>
    app.factory.key(organization, { userId: member.id, workspaceId: workspace.id }),
  );

  beforeAll(() => app.factory.starterCatalog());

  const get = (query: string): Promise<Answer<EffectiveGuardrailsResponse>> =>
    app.api.get(`/guardrails/effective?${query}`, { key: organization.managementKey });

  return { app, organization, member, workspace, key, get };
}
