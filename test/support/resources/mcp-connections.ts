import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { McpIssuerTransport } from '../../../src/modules/mcp-servers/authorization/mcp-issuer-transport.js';
import type { TestApplication } from '../application/test-application.js';
import { madeMcpServer } from './mcp-servers.js';

/** An authorization server at an address on the internet, where no test can run one: what it says of itself, and that it issues tokens. */
const ISSUER = 'https://login.example.com';

const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
};

const TOKENS = { access_token: 'member-ACCESS-TOKEN-0123', token_type: 'bearer', expires_in: 3_600 };

/** An organization in the application of a test. */
type InApplication = Pick<NewOrganization, 'managementKey'> & { readonly app: TestApplication };

/** Makes a server that each member connects to. @returns its name */
export async function connectableServer(organization: InApplication): Promise<string> {
  const { app } = organization;
  app.application.get(McpIssuerTransport, { strict: false }).fetch = (url) =>
    Promise.resolve(Response.json(url.includes('/.well-known/') ? METADATA : TOKENS));
  const oauth = { authentication: 'oauth_member', client_id: 'gatehouse', secret: null, authorization_server: ISSUER };
  return (await madeMcpServer(app, organization, oauth)).name;
}

/** Begins a connection to a new server. @returns what the authorization server sends the browser of the member back with */
export async function answerToMember(organization: InApplication): Promise<string> {
  const { app, managementKey: key } = organization;
  const begun = await app.api.post<{ data: { authorization_url: string } }>('/mcp-connections/authorize', {
    key,
    json: { server: await connectableServer(organization) },
  });
  expect({ status: begun.status, text: begun.text }).toEqual({ status: 200, text: begun.text });
  const state = new URL(begun.body.data.authorization_url).searchParams.get('state')!;
  return new URLSearchParams({ code: 'code', state }).toString();
}

/** Connects to a new server. @returns its name */
export async function connectedServer(organization: InApplication): Promise<string> {
  const { app, managementKey: key } = organization;
  const query = await answerToMember(organization);
  const made = await app.api.post<{ data: { server: string } }>('/mcp-connections', { key, json: { query } });
  expect({ status: made.status, text: made.text }).toEqual({ status: 201, text: made.text });
  return made.body.data.server;
}
