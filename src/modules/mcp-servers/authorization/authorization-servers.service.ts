import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import * as oidc from 'openid-client';
import { forSeveralRequests } from '../../../concurrency/request-scope.js';
import { Environment } from '../../../config/environment.js';
import { clientAuthentication, libraryFetch } from '../../../http/addresses/oauth-library.js';
import { isObject } from '../../../http/validation/constraints.js';
import { McpServersRepository } from '../mcp-servers.repository.js';
import type { JsonObject } from '../upstream/json-rpc.js';
import { McpFailure } from '../upstream/mcp-failure.js';
import type { ReadyMcpServer } from '../upstream/ready-mcp-server.js';
import { CLIENT_METADATA_PATH } from './client-metadata.js';
import { McpIssuerTransport } from './mcp-issuer-transport.js';

/** Of how many servers it is kept where their tokens come from, and for how long, in milliseconds. */
const KEPT = 10_000;
const KEPT_MS = 600_000;

/** What a server is asked to learn where its tokens come from, which needs none. */
const PROBE = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

/** Where tokens for a server come from. */
export interface AuthorizationServer {
  readonly configuration: oidc.Configuration;
  /** What the tokens are for (RFC 8707). */
  readonly resource: string;
  /** Undefined for what the authorization server gives by itself. */
  readonly scope: string | undefined;
}

/** What a server says of its tokens. */
type Protection = Pick<AuthorizationServer, 'resource' | 'scope'> & { readonly issuer: string };

/** Finds the authorization servers of MCP servers (RFC 9728, RFC 8414), and who the gateway is to them (docs/interface/mcp-servers.md#oauth). */
@Injectable()
export class AuthorizationServers {
  private readonly known = new LRUCache<string, Promise<AuthorizationServer>>({ max: KEPT, ttl: KEPT_MS });

  constructor(
    private readonly transport: McpIssuerTransport,
    private readonly servers: McpServersRepository,
    private readonly environment: Environment,
  ) {}

  /** The authorization server of a server, as it was found within ten minutes. @throws McpFailure */
  async of(server: ReadyMcpServer): Promise<AuthorizationServer> {
    const known = this.known.get(server.version);
    if (known !== undefined) return known;
    const found = forSeveralRequests(() => askingTokens(() => this.find(server)));
    this.known.set(server.version, found);
    // A failure is not kept: the next one asks again.
    found.catch(() => this.known.delete(server.version));
    return found;
  }

  private async find(server: ReadyMcpServer): Promise<AuthorizationServer> {
    const { authorizationServer, url } = server;
    const { issuer, resource, scope } =
      authorizationServer === null
        ? await this.protectionOf(url)
        : { issuer: authorizationServer, resource: url, scope: undefined };
    const configuration = await this.configurationOf(server, issuer);
    if (authorizationServer === null) await this.requireFirst(server, configuration.serverMetadata().issuer);
    return { configuration, resource, scope: server.scope ?? scope };
  }

  /** Secrets and tokens belong to one issuer: a server that names another one later would have them sent there. @throws McpFailure */
  private async requireFirst(server: ReadyMcpServer, issuer: string): Promise<void> {
    const first = await this.servers.noteIssuer(server, issuer);
    if (first === undefined) throw new McpFailure('the server was changed meanwhile');
    if (first !== issuer) throw new McpFailure('the server names another authorization server than before');
  }

  /** What a server says of its tokens, which its answer to a request without one leads to; without such an answer, where it is found by its address. */
  private async protectionOf(url: string): Promise<Protection> {
    const { origin, pathname } = new URL(url);
    const challenge = await this.challengeOf(url);
    const ofPath = `${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`;
    const places =
      challenge.metadata === undefined
        ? [ofPath, `${origin}/.well-known/oauth-protected-resource`]
        : [challenge.metadata];
    for (const place of places) {
      const metadata = await this.jsonAt(place);
      if (metadata === undefined) continue;
      const { resource, authorization_servers: issuers, scopes_supported: scopes } = metadata;
      const issuer: unknown = Array.isArray(issuers) ? issuers[0] : undefined;
      if (typeof resource !== 'string' || !isResourceOf(url, resource)) {
        throw new McpFailure('the server says that its tokens are for another address');
      }
      if (typeof issuer !== 'string') throw new McpFailure('the server does not name its authorization server');
      const supported = Array.isArray(scopes) ? scopes.filter((one) => typeof one === 'string').join(' ') : '';
      return { issuer, resource, scope: challenge.scope ?? (supported === '' ? undefined : supported) };
    }
    // Servers of the first revision with authorization are their own authorization servers.
    return { issuer: origin, resource: url, scope: challenge.scope };
  }

  /** What a server says in answer to a request without a token (RFC 9728, section 5.1). */
  private async challengeOf(url: string): Promise<{ readonly metadata?: string; readonly scope?: string }> {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const answer = await this.transport.fetch(url, { method: 'POST', headers, body: PROBE });
    const challenge = answer.headers.get('www-authenticate') ?? '';
    const metadata = /\bresource_metadata="([^"\\]{1,2048})"/i.exec(challenge)?.[1];
    const scope = /\bscope="([^"\\]{1,2048})"/i.exec(challenge)?.[1];
    return { ...(metadata !== undefined && { metadata }), ...(scope !== undefined && { scope }) };
  }

  /** @returns undefined where there is none */
  private async jsonAt(url: string): Promise<JsonObject | undefined> {
    const answer = await this.transport.fetch(url, { headers: { accept: 'application/json' } });
    if (answer.status === 404) return undefined;
    const value: unknown = answer.status === 200 ? await answer.json().catch(() => undefined) : undefined;
    if (!isObject(value)) throw new McpFailure('the server does not say where its tokens come from', answer.status);
    return value;
  }

  private async configurationOf(server: ReadyMcpServer, issuer: string): Promise<oidc.Configuration> {
    const clientId =
      server.clientId ?? `${this.environment.publicUrl ?? ''}${this.environment.apiBasePath}${CLIENT_METADATA_PATH}`;
    if (server.secret === undefined) throw new McpFailure('the secret of the server cannot be decrypted');
    const configuration = await this.discovered(issuer, clientId, server.secret);
    const metadata = configuration.serverMetadata();
    if (server.authentication === 'oauth_member' && !metadata.supportsPKCE()) {
      throw new McpFailure('the authorization server does not have PKCE with S256');
    }
    if (server.clientId !== null) return configuration;
    if (metadata['client_id_metadata_document_supported'] !== true || !clientId.startsWith('https://')) {
      throw new McpFailure('the gateway is not registered at the authorization server, so that a client_id is needed');
    }
    return configuration;
  }

  /** What an authorization server says of itself: by RFC 8414, or by OpenID Connect. */
  private async discovered(issuer: string, clientId: string, secret: string | null): Promise<oidc.Configuration> {
    const options = {
      // The transport refuses http where it is not allowed.
      execute: issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [],
      [oidc.customFetch]: libraryFetch((url, request) => this.transport.fetch(url, request)),
    };
    const find = (algorithm: 'oauth2' | 'oidc'): Promise<oidc.Configuration> =>
      oidc.discovery(new URL(issuer), clientId, {}, clientAuthentication(secret), { ...options, algorithm });
    try {
      return await find('oauth2');
    } catch {
      return await find('oidc');
    }
  }
}

/** Asks for tokens. @throws McpFailure for whatever goes wrong, which says at most the code of the error of the authorization server */
export async function askingTokens<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof McpFailure) throw error;
    const code = codeOf(error);
    const why = code === undefined ? 'did not answer as it should' : `answered ${code}`;
    throw new McpFailure(`the authorization server of the server ${why}`, undefined, false, { cause: error });
  }
}

/** The code of an error of an authorization server (RFC 6749, section 5.2); undefined for another failure. */
export function codeOf(error: unknown): string | undefined {
  const code = statedCode(error);
  return code !== undefined && /^[a-z_]{1,64}$/.test(code) ? code : undefined;
}

function statedCode(error: unknown): string | undefined {
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError) return error.error;
  if (!(error instanceof oidc.WWWAuthenticateChallengeError)) return undefined;
  return error.cause.map(({ parameters }) => parameters.error).find((one) => one !== undefined);
}

/** Whether tokens for a resource are good for an address: of its origin, and at or above its path. */
function isResourceOf(url: string, resource: string): boolean {
  if (!URL.canParse(resource)) return false;
  const [asked, named] = [new URL(url), new URL(resource)];
  const below = named.pathname.endsWith('/') ? named.pathname : `${named.pathname}/`;
  return asked.origin === named.origin && `${asked.pathname}/`.startsWith(below);
}
