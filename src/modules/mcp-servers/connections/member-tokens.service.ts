import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import * as oidc from 'openid-client';
import { forSeveralRequests } from '../../../concurrency/request-scope.js';
import { Environment } from '../../../config/environment.js';
import { askingTokens, AuthorizationServers, codeOf } from '../authorization/authorization-servers.service.js';
import type { McpConnectionEntity } from '../entities/mcp-connection.entity.js';
import { McpConnectionRequired } from '../mcp-servers.errors.js';
import { McpFailure } from '../upstream/mcp-failure.js';
import type { ReadyMcpServer } from '../upstream/ready-mcp-server.js';
import { EncryptedMcpTokens, type MemberTokenSet } from './encrypted-tokens.js';
import { McpConnectionsRepository } from './mcp-connections.repository.js';

/** How long before its end an access token is not used any more, in milliseconds. */
const ENDS_EARLY_MS = 30_000;

/** How long a process has it to itself to refresh tokens, and how often others look whether it has, in milliseconds. */
const REFRESH_MS = 15_000;
const LOOK_MS = 100;

/** The longest life of an access token that is kept, in seconds: a date has an end. */
const LONGEST_LIFE = 315_360_000;

/** Errors after which a refresh token is good for nothing any more (RFC 6749, section 5.2). */
const ENDED = 'invalid_grant';

/** The tokens of members for MCP servers, which are refreshed once for all who wait, in all processes. */
@Injectable()
export class MemberTokens {
  private readonly underWay = new Map<string, Promise<McpConnectionEntity | undefined>>();

  constructor(
    private readonly repository: McpConnectionsRepository,
    private readonly encrypted: EncryptedMcpTokens,
    private readonly authorizationServers: AuthorizationServers,
    private readonly environment: Environment,
  ) {}

  /**
   * The access token of a member.
   *
   * @throws McpConnectionRequired for a member who has not connected, or whose tokens the authorization server does not take any more
   * @throws McpFailure without an answer of the authorization server
   */
  async of(server: ReadyMcpServer, userId: string): Promise<string> {
    const known = await this.repository.find(server.organizationId, server.id, userId);
    const current = known !== undefined && hasEnded(known) ? await this.refreshedOnce(server, known) : known;
    if (current === undefined) throw this.connectionRequired(server);
    return this.tokensOf(current).access;
  }

  /** Whether a member has connected. */
  async has(server: ReadyMcpServer, userId: string): Promise<boolean> {
    return (await this.repository.find(server.organizationId, server.id, userId)) !== undefined;
  }

  /** Lets an access token end that a server has not accepted. @returns whether another one may be had */
  async refused(server: ReadyMcpServer, userId: string, access: string): Promise<boolean> {
    const known = await this.repository.find(server.organizationId, server.id, userId);
    if (known === undefined) return false;
    const tokens = this.tokensOf(known);
    if (tokens.access !== access) return true;
    if (tokens.refresh === null) return false;
    await this.repository.endToken(known);
    return true;
  }

  /** Refreshes tokens, once for all requests of this process. @returns undefined where the member has to connect anew */
  private async refreshedOnce(
    server: ReadyMcpServer,
    known: McpConnectionEntity,
  ): Promise<McpConnectionEntity | undefined> {
    const pending = this.underWay.get(known.id);
    if (pending !== undefined) return pending;
    const refreshing = forSeveralRequests(() => this.refreshed(server, known));
    this.underWay.set(known.id, refreshing);
    try {
      return await refreshing;
    } finally {
      this.underWay.delete(known.id);
    }
  }

  /** Refreshes tokens, or waits until another process has. */
  private async refreshed(
    server: ReadyMcpServer,
    known: McpConnectionEntity,
  ): Promise<McpConnectionEntity | undefined> {
    const until = performance.now() + 2 * REFRESH_MS;
    for (;;) {
      const claimed = await this.repository.claim(known, REFRESH_MS);
      if (claimed !== undefined) await this.refresh(server, claimed);
      const current = await this.repository.find(known.organizationId, known.serverId, known.userId);
      // What another process has refreshed is as good.
      if (current?.updatedAt.getTime() !== known.updatedAt.getTime()) return current;
      if (performance.now() > until) throw new McpFailure('its tokens could not be refreshed in time');
      await delay(LOOK_MS);
    }
  }

  private async refresh(server: ReadyMcpServer, claimed: McpConnectionEntity): Promise<void> {
    const { refresh } = this.tokensOf(claimed);
    if (refresh === null) {
      await this.repository.forget(claimed);
      return;
    }
    try {
      const { tokens, expiresAt } = await askingTokens(async () => {
        const { configuration, resource } = await this.authorizationServers.of(server);
        return tokensIn(await oidc.refreshTokenGrant(configuration, refresh, { resource }), refresh);
      });
      await this.repository.storeRefreshed(claimed, this.encrypted.encrypted(claimed, tokens), expiresAt);
    } catch (error) {
      if (codeOf((error as Error).cause) === ENDED) {
        await this.repository.forget(claimed);
        return;
      }
      await this.repository.release(claimed);
      throw error;
    }
  }

  private tokensOf(connection: McpConnectionEntity): MemberTokenSet {
    try {
      return this.encrypted.decrypted(connection);
    } catch (error) {
      throw new McpFailure('the tokens of the member cannot be decrypted', undefined, false, { cause: error });
    }
  }

  private connectionRequired({ name }: ReadyMcpServer): McpConnectionRequired {
    return new McpConnectionRequired(name, this.environment.publicUrl);
  }
}

/** The tokens that an authorization server has issued. @param earlier the refresh token that stays where it names none */
export function tokensIn(
  answer: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
  earlier: string | null,
): { readonly tokens: MemberTokenSet; readonly expiresAt: Date | null } {
  const { access_token: access, refresh_token: refresh = earlier } = answer;
  const seconds = answer.expiresIn();
  return {
    tokens: { access, refresh },
    expiresAt: seconds === undefined ? null : new Date(Date.now() + Math.min(seconds, LONGEST_LIFE) * 1_000),
  };
}

function hasEnded({ expiresAt }: McpConnectionEntity): boolean {
  return expiresAt !== null && expiresAt.getTime() - ENDS_EARLY_MS <= Date.now();
}
