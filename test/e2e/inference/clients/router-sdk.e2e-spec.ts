import { OpenRouter } from '@openrouter/sdk';
import { OPERATIONS } from '../../../operations/operations.js';
import { type SampleOrganization, sampleOrganization } from '../../../operations/sample-organization.js';
import { filledBefore } from '../../../support/application/filled-before.js';
import { sharedApplication } from '../../../support/application/shared-application.js';
import { type RouterClients, SDK_CALLS, type SdkCall } from './router-sdk-calls.js';

/** The specification answers it with 200, and the SDK knows 201 only: that is one of the differences of the dialects. */
const IN_PUBLIC_ONLY: ReadonlySet<string> = new Set(['createScimGroupMapping']);

/** Operations of the public interface that its SDK does not have. */
const WITHOUT_SDK: ReadonlySet<string> = new Set(['createMessages']);

describe.each([
  ['specification', {}],
  ['public', { API_DIALECT: 'public' }],
])('the router SDK in the %s dialect', (dialect, variables) => {
  const app = sharedApplication({ variables });
  const clients = filledBefore(beforeAll, async (): Promise<RouterClients> => {
    const organization: SampleOrganization = await sampleOrganization(app);
    const client = (apiKey: string): OpenRouter =>
      new OpenRouter({ apiKey, serverURL: `${app.origin}/api/v1`, retryConfig: { strategy: 'none' } });
    return { managing: client(organization.managementKey), asking: client(organization.apiKey), organization };
  });

  const isKnown = ([operationId]: SdkCall): boolean => dialect === 'public' || !IN_PUBLIC_ONLY.has(operationId);

  it.each(SDK_CALLS.filter(isKnown))('reads the answer of %s', async (_operation, call) => {
    await expect(call(clients)).resolves.toBeDefined();
  });

  it('reads keys that have no workspace, because the default one was deleted', async () => {
    const { managing, organization } = clients;
    await app.rows('UPDATE workspaces SET is_default = false WHERE organization_id = $1', [
      organization.organizationId,
    ]);
    const { data } = await managing.apiKeys.list({ includeDisabled: true });
    await app.rows('UPDATE workspaces SET is_default = true WHERE id = $1', [organization.workspaceId]);

    expect(data.length).toBeGreaterThan(0);
  });
});

describe('the router SDK in the public dialect', () => {
  const app = sharedApplication({ variables: { API_DIALECT: 'public' } });

  it('reads the fields that have the names of vendors, and the metadata of routing', async () => {
    const { managementKey, apiKey } = await sampleOrganization(app);
    const client = (key: string): OpenRouter => new OpenRouter({ apiKey: key, serverURL: `${app.origin}/api/v1` });
    const createGuardrailRequest = { name: 'New', enforceZdrAnthropic: true };
    const { data } = await client(managementKey).guardrails.create({ createGuardrailRequest });
    const messages = [{ role: 'user' as const, content: 'Hi' }];
    const answer = await client(apiKey).chat.send({
      xOpenRouterMetadata: 'enabled',
      chatRequest: { model: 'gatehouse/echo', messages },
    });

    expect(data).toMatchObject({ enforceZdrAnthropic: true, enforceZdrOpenai: null });
    expect(answer).toMatchObject({ openrouterMetadata: { requested: 'gatehouse/echo' } });
  });
});

describe('The calls of the router SDK', () => {
  it('are of every operation that is served and that the SDK has', () => {
    const ofContract = Object.entries(OPERATIONS)
      .filter(([, { isBeyondContract }]) => isBeyondContract !== true)
      .map(([operationId]) => operationId)
      .filter((operationId) => !WITHOUT_SDK.has(operationId));

    expect([...new Set(SDK_CALLS.map(([operationId]) => operationId))].sort()).toEqual(ofContract.sort());
    expect(ofContract).toHaveLength(76);
  });
});
