import http from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';

/** The clients of the authorization server. */
export const CLIENTS = {
  service: { id: 'gatehouse-service', secret: 'service-SECRET-0123456789' },
  members: { id: 'gatehouse-members', secret: 'members-SECRET-0123456789' },
} as const;

const SCOPE = 'tools';

/** How it behaves unless a test changes that. */
export const USUAL: ProtectedServer['behavior'] = {
  account: 'ada',
  isNamingIssuer: true,
  issuer: undefined,
  life: 3_600,
};

/** An MCP server that takes tokens of an authorization server of its own, made with an official library. */
export interface ProtectedServer {
  readonly url: string;
  readonly issuer: string;
  /** Requests to the token endpoint, by their grants. */
  readonly grants: string[];
  /** Requests to its authorization server, by their paths. */
  readonly asked: string[];
  /** Whose tokens it has accepted: accounts, and clients that are none's. */
  readonly accepted: string[];
  /** The credentials that it has been shown. */
  readonly shown: string[];
  /** How it behaves, which a test may change. */
  readonly behavior: {
    /** Who signs in next; null for a person who refuses. */
    account: string | null;
    /** Whether its answer to a request without a token says where to get one. */
    isNamingIssuer: boolean;
    /** The issuer that its metadata names; undefined for its own. */
    issuer: string | undefined;
    /** How long access tokens are good, in seconds. */
    life: number;
  };
  /** Takes back everything that was issued to a client. */
  readonly revokeAll: () => void;
  readonly stop: () => Promise<void>;
}

/**
 * Puts an authorization server in front of an MCP server.
 *
 * @param target the address of the MCP server behind it
 * @param redirectUri where people come back to
 */
export async function startProtectedServer(target: string, redirectUri: string): Promise<ProtectedServer> {
  const listening = http.createServer();
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  const url = `${issuer}/mcp`;
  const revoked = new Set<string>();
  const behavior = { ...USUAL };
  const provider = new Provider(issuer, configurationOf(url, redirectUri, behavior));
  const server: ProtectedServer = {
    url,
    issuer,
    grants: [],
    asked: [],
    accepted: [],
    shown: [],
    behavior,
    revokeAll: () => {
      for (const token of server.shown) revoked.add(token);
    },
    stop: async () => {
      listening.closeAllConnections();
      await new Promise((resolve) => listening.close(resolve));
    },
  };
  provider.on('grant.success', ({ oidc }) => server.grants.push(String(oidc.params?.['grant_type'])));
  const callback = provider.callback();
  listening.on('request', (request, response) => {
    const { pathname } = new URL(request.url!, issuer);
    if (pathname.startsWith('/interaction/')) void interact(provider, server, request, response);
    else if (pathname === '/.well-known/oauth-protected-resource/mcp')
      describe(response, url, behavior.issuer ?? issuer);
    else if (pathname === '/mcp') void admit(provider, server, revoked, target, request, response);
    else {
      server.asked.push(pathname);
      void callback(request, response);
    }
  });
  return server;
}

/** What the server says of its tokens (RFC 9728). */
function describe(response: http.ServerResponse, resource: string, issuer: string): void {
  const metadata = { resource, authorization_servers: [issuer], scopes_supported: [SCOPE] };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
}

/** What a person would do on the pages of the authorization server. */
async function interact(
  provider: Provider,
  { behavior: { account } }: ProtectedServer,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
  if (account === null) {
    await provider.interactionFinished(request, response, { error: 'access_denied' });
  } else if (prompt.name === 'login') {
    await provider.interactionFinished(request, response, { login: { accountId: account } });
  } else {
    const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
    const grant = known ?? new provider.Grant({ accountId: session!.accountId, clientId: String(params['client_id']) });
    grant.addOIDCScope(String(params['scope']));
    grant.addResourceScope(String(params['resource']), String(params['scope']));
    const consent = { grantId: await grant.save() };
    await provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
  }
}

/** Passes a request with a token for this server on, as from someone who shows none. */
async function admit(
  provider: Provider,
  server: ProtectedServer,
  revoked: ReadonlySet<string>,
  target: string,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const shown = request.headers.authorization?.replace(/^Bearer /, '');
  if (shown !== undefined) server.shown.push(shown);
  const token = shown === undefined ? undefined : await findToken(provider, shown);
  if (token?.aud !== server.url || revoked.has(shown!)) {
    const metadata = `${server.issuer}/.well-known/oauth-protected-resource/mcp`;
    const challenge = server.behavior.isNamingIssuer
      ? `Bearer resource_metadata="${metadata}", scope="${SCOPE}"`
      : 'Bearer';
    response.writeHead(401, { 'www-authenticate': challenge }).end();
    return;
  }
  server.accepted.push(token.accountId ?? token.clientId!);
  const { authorization: _, ...headers } = request.headers;
  const { method = 'POST' } = request;
  const passed = http.request(target, { method, headers: { ...headers, host: new URL(target).host } }, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(response);
  });
  passed.on('error', () => response.destroy());
  request.pipe(passed);
}

/** What is known of a token: of a person, or of a client by itself. */
async function findToken(
  provider: Provider,
  token: string,
): Promise<{ readonly aud?: unknown; readonly accountId?: string; readonly clientId?: string } | undefined> {
  return (await provider.AccessToken.find(token)) ?? (await provider.ClientCredentials.find(token));
}

function configurationOf(resource: string, redirectUri: string, behavior: ProtectedServer['behavior']): Configuration {
  return {
    clients: [
      {
        client_id: CLIENTS.service.id,
        client_secret: CLIENTS.service.secret,
        grant_types: ['client_credentials'],
        response_types: [],
        redirect_uris: [],
      },
      {
        client_id: CLIENTS.members.id,
        client_secret: CLIENTS.members.secret,
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [redirectUri],
      },
    ],
    scopes: [SCOPE],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_, asked) => {
          if (asked !== resource) throw new Error(`tokens for ${asked}`);
          return { scope: SCOPE, accessTokenFormat: 'opaque', accessTokenTTL: behavior.life };
        },
      },
    },
    pkce: { required: () => true },
    issueRefreshToken: () => Promise.resolve(true),
    rotateRefreshToken: true,
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    cookies: { keys: ['a key of the tests'] },
  };
}
