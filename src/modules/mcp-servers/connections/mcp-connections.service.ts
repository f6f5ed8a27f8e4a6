import { Injectable } from '@nestjs/common';
import * as oidc from 'openid-client';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { isObject } from '../../../http/validation/constraints.js';
import { newUuid } from '../../../persistence/identifiers.js';
import { Statements } from '../../../persistence/statements.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { Cipher } from '../../encryption/cipher.js';
import { EncryptionState } from '../../encryption/encryption-state.js';
import { askingTokens, AuthorizationServers, codeOf } from '../authorization/authorization-servers.service.js';
import type { McpConnectionEntity } from '../entities/mcp-connection.entity.js';
import { McpAuthorizationFailed, McpConnectionRefused, McpServerNotFound } from '../mcp-servers.errors.js';
import { McpServersInForce } from '../mcp-servers-in-force.service.js';
import { MCP_SERVERS, McpServersRepository } from '../mcp-servers.repository.js';
import { McpFailure } from '../upstream/mcp-failure.js';
import type { ReadyMcpServer } from '../upstream/ready-mcp-server.js';
import { EncryptedMcpTokens } from './encrypted-tokens.js';
import type {
  AuthorizeMcpConnectionRequest,
  AuthorizeMcpConnectionResponse,
  CreateMcpConnectionRequest,
  CreateMcpConnectionResponse,
  DeleteMcpConnectionResponse,
  ListMcpConnectionsResponse,
  McpConnection,
  McpConnectionPath,
} from './mcp-connection.dto.js';
import {
  type ConnectableServer,
  DELETE_MCP_CONNECTION,
  McpConnectionsRepository,
  STORE_MCP_CONNECTION,
} from './mcp-connections.repository.js';
import { tokensIn } from './member-tokens.service.js';

/** How long a member has time at the authorization server, in milliseconds. */
const BEGUN_MS = 3_600_000;

/** What has been begun, which only the browser has, encrypted. */
interface Begun {
  readonly serverId: string;
  /** Of the server: what was begun with it as it was before is not completed. */
  readonly version: string;
  /** RFC 7636, section 4.1. */
  readonly verifier: string;
  readonly redirectUri: string;
  /** Unix time in milliseconds. */
  readonly until: number;
}

/** How members let the gateway use MCP servers in their name (docs/interface/mcp-servers.md#connections-of-members). */
@Injectable()
export class McpConnectionsService {
  constructor(
    private readonly repository: McpConnectionsRepository,
    private readonly servers: McpServersRepository,
    private readonly inForce: McpServersInForce,
    private readonly authorizationServers: AuthorizationServers,
    private readonly encrypted: EncryptedMcpTokens,
    private readonly cipher: Cipher,
    private readonly encryption: EncryptionState,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
  ) {}

  /** The servers that each member connects to, with the connections of the caller. */
  async list({ organizationId, userId }: ManagementPrincipal): Promise<ListMcpConnectionsResponse> {
    return { data: (await this.repository.connectable(organizationId, userId)).map(shown) };
  }

  /**
   * Begins a connection.
   *
   * @param redirectUri where the authorization server is to send the browser back to
   * @throws McpServerNotFound for one that members do not connect to, or a disabled one
   * @throws McpAuthorizationFailed
   */
  async authorize(
    caller: ManagementPrincipal,
    { server: name }: AuthorizeMcpConnectionRequest,
    redirectUri: string,
  ): Promise<AuthorizeMcpConnectionResponse> {
    const server = await this.connectable(caller, (one) => one.name === name);
    return explained(async () => {
      const { configuration, resource, scope } = await this.authorizationServers.of(server);
      const verifier = oidc.randomPKCECodeVerifier();
      const begun: Begun = {
        serverId: server.id,
        version: server.version,
        verifier,
        redirectUri,
        until: Date.now() + BEGUN_MS,
      };
      const url = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        state: this.cipher.seal(dataOf(caller), begun).toString('base64url'),
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        resource,
        ...(scope !== undefined && { scope }),
      });
      return { data: { authorization_url: url.href } };
    });
  }

  /**
   * Completes a connection that the caller has begun.
   *
   * @throws McpConnectionRefused for what another member has begun, or is too old, and where the authorization server has refused
   * @throws McpServerNotFound
   * @throws McpAuthorizationFailed
   * @throws EncryptionKeyMismatch
   */
  async create(
    caller: ManagementPrincipal,
    { query }: CreateMcpConnectionRequest,
  ): Promise<CreateMcpConnectionResponse> {
    const { organizationId, userId } = caller;
    const state = new URLSearchParams(query).get('state') ?? '';
    const begun = this.begunIn(caller, state);
    const server = await this.connectable(caller, (one) => one.id === begun.serverId);
    if (server.version !== begun.version) throw new McpConnectionRefused('The MCP server was changed meanwhile.');
    await this.encryption.assertFits();
    const { tokens, expiresAt } = await explained(async () => {
      const { configuration, resource } = await this.authorizationServers.of(server);
      const checks = { pkceCodeVerifier: begun.verifier, expectedState: state };
      const url = new URL(`${begun.redirectUri}?${query}`);
      return tokensIn(await oidc.authorizationCodeGrant(configuration, url, checks, { resource }), null);
    });
    const owner = { organizationId, serverId: server.id, userId };
    const made = await this.statements.transaction(async (tx) => {
      // Held, so that no change of the server leaves what was made for the one before.
      const held = await MCP_SERVERS.lock(tx, organizationId, server.id);
      if (held === undefined) throw new McpServerNotFound();
      if (this.inForce.ready(held).version !== server.version) {
        throw new McpConnectionRefused('The MCP server was changed meanwhile.');
      }
      const encrypted = this.encrypted.encrypted(owner, tokens);
      const values: [string, string, string, string, Buffer, Date | null] = [
        organizationId,
        server.id,
        userId,
        newUuid(),
        encrypted,
        expiresAt,
      ];
      const stored = (await tx.first(STORE_MCP_CONNECTION, values))!;
      await this.audit.record(tx, organizationId, caller, { action: 'mcp_connection.create', targetId: stored.id });
      return stored;
    });
    return { data: shown({ server: server.name, url: server.url, connectedAt: made.createdAt }) };
  }

  /** Deletes the connection of the caller to a server. @throws McpServerNotFound for one that the caller is not connected to */
  async delete(caller: ManagementPrincipal, { server: name }: McpConnectionPath): Promise<DeleteMcpConnectionResponse> {
    const { organizationId, userId } = caller;
    const server = (await this.servers.all(organizationId)).find((one) => one.name === name);
    if (server === undefined) throw new McpServerNotFound();
    const deleted = await this.statements.transaction(async (tx) => {
      const row = await tx.first(DELETE_MCP_CONNECTION, [organizationId, server.id, userId]);
      if (row === undefined) throw new McpServerNotFound();
      await this.audit.record(tx, organizationId, caller, { action: 'mcp_connection.delete', targetId: row.id });
      return row;
    });
    await this.revoke(this.inForce.ready(server), deleted);
    return { deleted: true };
  }

  /** Asks an authorization server to take tokens no more (RFC 7009), as far as it can. Here they are gone in any case. */
  private async revoke(server: ReadyMcpServer, deleted: McpConnectionEntity): Promise<void> {
    try {
      const { configuration } = await this.authorizationServers.of(server);
      if (configuration.serverMetadata().revocation_endpoint === undefined) return;
      const { access, refresh } = this.encrypted.decrypted(deleted);
      await oidc.tokenRevocation(configuration, refresh ?? access);
    } catch {
      // It may be away, or have forgotten them itself.
    }
  }

  private begunIn(caller: ManagementPrincipal, state: string): Begun {
    try {
      const begun = this.cipher.open(dataOf(caller), Buffer.from(state, 'base64url'));
      if (isObject(begun) && (begun['until'] as number) > Date.now()) return begun as unknown as Begun;
    } catch {
      // Of someone else, or of no one.
    }
    throw new McpConnectionRefused('This member has not begun this connection, or too long ago. Connect again.');
  }

  /** @throws McpServerNotFound */
  private async connectable(
    { organizationId }: ManagementPrincipal,
    isMeant: (server: { readonly id: string; readonly name: string }) => boolean,
  ): Promise<ReadyMcpServer> {
    const server = (await this.servers.all(organizationId)).find(isMeant);
    if (server?.authentication !== 'oauth_member' || !server.enabled) throw new McpServerNotFound();
    return this.inForce.ready(server);
  }
}

/** Asks an authorization server. @throws McpConnectionRefused for what it refuses, and McpAuthorizationFailed */
async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await askingTokens(work);
  } catch (error) {
    if (!(error instanceof McpFailure)) throw error;
    const code = codeOf(error.cause);
    if (code !== undefined) throw new McpConnectionRefused(`The authorization server refused: ${code}.`);
    throw new McpAuthorizationFailed(`The MCP server cannot be connected to: ${error.message}.`);
  }
}

/** What is begun is bound to whoever has begun it: another member who is made to complete it cannot. */
function dataOf({ organizationId, userId }: ManagementPrincipal): string[] {
  return ['mcp_connection_begun', organizationId, userId];
}

function shown({ server, url, connectedAt }: ConnectableServer): McpConnection {
  return { server, url, connected_at: connectedAt?.toISOString() ?? null };
}
