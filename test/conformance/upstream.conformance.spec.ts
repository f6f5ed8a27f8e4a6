import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { IssuedCredential } from '../../src/modules/keys/keys.service.js';
import { MODERN_REVISION } from '../../src/modules/mcp-servers/upstream/mcp-revisions.js';
import { guardedKey, headersOf } from '../e2e/mcp/mcp-gateway.js';
import { filledBefore } from '../support/application/filled-before.js';
import { sharedApplication } from '../support/application/shared-application.js';
import { sharedOrganization } from '../support/application/shared-organization.js';
import { madeMcpServer } from '../support/resources/mcp-servers.js';
import { clientSuiteRun, type Revision, scenariosOf } from './conformance-suite.js';
import { EXPECTED_OF_UPSTREAM } from './expected-failures.js';
import { itNamesScenarios, type Judged, surprisesOf } from './surprises.js';
import { type StartedScenario, startScenarioDriver } from './scenario-driver.js';

const REVISIONS: readonly Revision[] = ['2025-11-25', '2026-07-28'];

/** Where Gatehouse is for authorization servers. */
const PUBLIC_URL = 'https://conformance-test.local';

describe('the conformance suite of MCP for clients', () => {
  const app = sharedApplication({ variables: { ALLOW_PRIVATE_DESTINATIONS: 'true', PUBLIC_URL } });
  const organization = sharedOrganization(app);
  let servers = 0;

  /** Makes the server of a scenario one of the organization, connects the member to it where it wants that, and uses all that it has. */
  const drive = async ({ scenario, url, context }: StartedScenario): Promise<void> => {
    servers += 1;
    const name = `scenario-${servers}`;
    const fields = scenario.startsWith('auth/')
      ? authorizationOf(scenario, context)
      : { authentication: 'none', secret: null };
    await madeMcpServer(app, organization, { name, url, follow: true, timeout_ms: 10_000, ...fields });
    const key = await guardedKey(app, organization, { allowed_mcp_tools: [`${name}/*`] });
    if (scenario.startsWith('auth/')) await connect(name);
    // What a client of the newest revision does by itself, such as leaving tools out, must not stand in for the gateway.
    const isAsked = scenario === 'sep-2322-client-request-state';
    await (isAsked ? useAsModern : useAsLegacy)(new URL(`${app.origin}/api/v1/mcp/${name}`), key, context);
  };

  const connect = async (server: string): Promise<void> => {
    const key = organization.managementKey;
    const begun = await app.api.post<{ data: { authorization_url: string } }>('/mcp-connections/authorize', {
      key,
      json: { server },
    });
    if (begun.status !== 200) throw new Error(begun.text);
    const { headers } = await fetch(begun.body.data.authorization_url, { redirect: 'manual' });
    const query = new URL(headers.get('location') ?? 'about:blank').search.slice(1);
    const made = await app.api.post('/mcp-connections', { key, json: { query } });
    if (made.status !== 201) throw new Error(made.text);
  };

  describe.each(REVISIONS)('of revision %s', (revision) => {
    const expected = EXPECTED_OF_UPSTREAM[revision];
    const driver = filledBefore(beforeAll, () => startScenarioDriver(drive));
    const judged = filledBefore<Judged>(beforeAll, async () => {
      const again = (scenario?: string): ReturnType<typeof clientSuiteRun> =>
        clientSuiteRun(driver.command, revision, scenario);
      return { again, run: await again() };
    });
    afterAll(() => driver.stop());

    it.each(scenariosOf(revision, 'client'))('is passed by the gateway in %s', async (scenario) => {
      const found = await surprisesOf(judged, scenario, expected, (checks) => [...checks.keys()]);
      expect(found).toEqual({ failing: [], passing: [] });
    });

    itNamesScenarios(scenariosOf(revision, 'client'), expected);
  });
});

/** The fields of a server that each member connects to, with the client that the scenario knows. */
function authorizationOf(
  scenario: string,
  { client_id: id, client_secret: secret }: StartedScenario['context'],
): object {
  const isNamed = scenario !== 'auth/basic-cimd';
  const hasSecret = scenario === 'auth/token-endpoint-auth-basic' || scenario === 'auth/token-endpoint-auth-post';
  return {
    authentication: 'oauth_member',
    ...(isNamed && { client_id: id ?? 'gatehouse' }),
    secret: secret ?? (hasSecret ? 'secret-of-the-client' : null),
  };
}

type Use = (url: URL, key: IssuedCredential, context: StartedScenario['context']) => Promise<void>;

/** Calls all tools, and answers what their server asks. */
const useAsModern: Use = async (url, key) => {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: MODERN_REVISION } }, capabilities: { elicitation: {} } },
  );
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept' as const, content: { confirmed: true } }));
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: headersOf(key) }));
  for (const { name } of (await client.listTools()).tools) await client.callTool({ name });
  await client.close();
};

/** Uses all that a server has; of the tools those that the scenario names, if it does. */
const useAsLegacy: Use = async (url, key, { toolCalls }) => {
  const capabilities = { elicitation: { form: { applyDefaults: true } } };
  const client = new LegacyClient({ name: 'test', version: '1.0.0' }, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: {} }));
  const transport = new LegacyTransport(url, { requestInit: headersOf(key) });
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    const focal = tools.find(({ name }) => name === 'json_schema_2020_12_tool');
    const values = { a: 2, b: 3, ...(focal && { schema: focal.inputSchema }) };
    const named = toolCalls as { name: string; arguments: Record<string, unknown> }[] | undefined;
    for (const call of named ?? tools.map(({ name }) => ({ name, arguments: values }))) await client.callTool(call);
    const { prompts, resources } = client.getServerCapabilities() ?? {};
    if (resources !== undefined) {
      for (const { uri } of (await client.listResources()).resources) await client.readResource({ uri });
    }
    if (prompts !== undefined) {
      for (const { name } of (await client.listPrompts()).prompts) await client.getPrompt({ name });
    }
  } finally {
    // The server of a scenario ends when its streams have ended.
    await transport.terminateSession();
    await client.close();
  }
};
