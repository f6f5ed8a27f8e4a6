import { Injectable } from '@nestjs/common';
import * as oidc from 'openid-client';
import { TokenCache } from '../../providers/credentials/token-cache.js';
import { MemberTokens } from '../connections/member-tokens.service.js';
import { McpFailure } from '../upstream/mcp-failure.js';
import type { ReadyMcpServer } from '../upstream/ready-mcp-server.js';
import { askingTokens, AuthorizationServers } from './authorization-servers.service.js';

/** The headers that show a server who asks it. */
export type CredentialHeaders = Readonly<Record<string, string>>;

/** Who asks a server. */
export interface Asking {
  /** The member for whom it is asked, which decides where each member has a token of their own. */
  readonly userId: string;
  readonly signal: AbortSignal;
}

/** What MCP servers are shown: their secrets, or tokens of their authorization servers. */
@Injectable()
export class McpCredentials {
  private readonly tokens = new TokenCache();

  constructor(
    private readonly authorizationServers: AuthorizationServers,
    private readonly memberTokens: MemberTokens,
  ) {}

  /**
   * The headers for a request to a server.
   *
   * @throws McpFailure for a secret that cannot be decrypted, and without a token
   * @throws McpConnectionRequired where the member has not connected to it
   */
  async headersOf(server: ReadyMcpServer, asking: Asking): Promise<CredentialHeaders> {
    const { authentication, header, secret } = server;
    if (secret === undefined) throw new McpFailure('the secret of the server cannot be decrypted');
    switch (authentication) {
      case 'none':
        return {};
      case 'header':
        return { [header!.toLowerCase()]: secret! };
      case 'bearer':
        return bearer(secret!);
      case 'oauth_client_credentials':
        return bearer(await this.tokenOf(server, asking.signal));
      case 'oauth_member':
        return bearer(await this.memberTokens.of(server, asking.userId));
    }
  }

  /**
   * Notes that a server has not accepted a token.
   *
   * @returns whether another one can be had, so that the request may be repeated
   */
  async refused(server: ReadyMcpServer, { userId }: Asking, shown: CredentialHeaders): Promise<boolean> {
    const token = shown['authorization']?.replace(/^Bearer /, '');
    if (token === undefined) return false;
    if (server.authentication === 'oauth_client_credentials') {
      this.tokens.drop(server.version, token);
      return true;
    }
    return server.authentication === 'oauth_member' && this.memberTokens.refused(server, userId, token);
  }

  /** The token of the gateway itself (RFC 6749, section 4.4). */
  private async tokenOf(server: ReadyMcpServer, signal: AbortSignal): Promise<string> {
    const fetch = (): Promise<{ token: string; expiresAt: number | undefined }> =>
      askingTokens(async () => {
        const { configuration, resource, scope } = await this.authorizationServers.of(server);
        const parameters = { resource, ...(scope !== undefined && { scope }) };
        const answer = await oidc.clientCredentialsGrant(configuration, parameters);
        const seconds = answer.expiresIn();
        return { token: answer.access_token, expiresAt: seconds && Date.now() + seconds * 1_000 };
      });
    return (await this.tokens.get(server.version, fetch, signal)).token;
  }
}

function bearer(token: string): CredentialHeaders {
  return { authorization: `Bearer ${token}` };
}
