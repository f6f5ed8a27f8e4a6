import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { Environment } from '../../config/environment.js';
import { AllowedAddresses } from '../../http/addresses/allowed-addresses.js';
import { withEntityTag } from '../../http/entity-tags.js';
import { joinPath } from '../../http/errors/issue.js';
import { requireNoIssues } from '../../http/errors/require-all.js';
import { type PageQuery, toPageRequest, toPageResponse } from '../../http/pagination/pagination.js';
import { Precondition } from '../../http/precondition.js';
import { newUuid } from '../../persistence/identifiers.js';
import { Statements, type Transaction } from '../../persistence/statements.js';
import { isMask, isMaskOf, maskCredential } from '../encryption/credential-mask.js';
import { MASKED_CREDENTIAL } from '../encryption/encryption.errors.js';
import { EncryptionState } from '../encryption/encryption-state.js';
import { HostAddresses } from '../observability/addresses/host-addresses.js';
import { CREDENTIALS_REQUIRED } from '../observability/observability.errors.js';
import { Quotas } from '../organization-limits/quotas.js';
import { McpConnectionsRepository } from './connections/mcp-connections.repository.js';
import { issuesOfAuthentication } from './dto/mcp-server-rules.js';
import type {
  CreateMcpServerRequest,
  CreateMcpServerResponse,
  DeleteMcpServerResponse,
  GetMcpServerResponse,
  ListMcpServersResponse,
  McpServerPath,
  TestMcpServerResponse,
  UpdateMcpServerRequest,
  UpdateMcpServerResponse,
} from './dto/mcp-server.dto.js';
import type { McpServerEntity } from './entities/mcp-server.entity.js';
import { EncryptedMcpSecrets } from './mcp-server-secrets.js';
import { McpServersInForce } from './mcp-servers-in-force.service.js';
import { MCP_ADDRESS_NOT_ALLOWED, UNKNOWN_MCP_WORKSPACE } from './mcp-servers.errors.js';
import { toMcpServerResponse } from './mcp-servers.mapper.js';
import { MCP_SERVERS, MCP_SERVERS_PAGE, McpServersRepository } from './mcp-servers.repository.js';
import { SeenTools } from './tools/seen-tools.service.js';

/** What decides whose tokens members have. */
const DECIDE_TOKENS = ['url', 'authentication', 'clientId', 'authorizationServer'] as const;

/** MCP servers of organizations (docs/interface/mcp-servers.md). */
@Injectable()
export class McpServersService {
  private readonly allowed: AllowedAddresses;

  constructor(
    environment: Environment,
    private readonly repository: McpServersRepository,
    private readonly secrets: EncryptedMcpSecrets,
    private readonly inForce: McpServersInForce,
    private readonly connections: McpConnectionsRepository,
    private readonly tools: SeenTools,
    private readonly addresses: HostAddresses,
    private readonly encryption: EncryptionState,
    private readonly statements: Statements,
    private readonly quotas: Quotas,
  ) {
    this.allowed = new AllowedAddresses(environment.allowPrivateDestinations);
  }

  /**
   * Creates a server, whose tools nobody may use until they are approved and guardrails allow them.
   *
   * @param gone aborted when the client has disconnected
   * @throws BadRequestError for an address that is not allowed, an unknown workspace, and beyond the quota
   * @throws McpServerExists for the name of another one
   * @throws TooManyHostLookups when too many names of the organization are being looked up
   * @throws EncryptionKeyMismatch
   */
  async create(
    caller: ManagementPrincipal,
    input: CreateMcpServerRequest,
    gone?: AbortSignal,
  ): Promise<CreateMcpServerResponse> {
    const { organizationId } = caller;
    await this.quotas.requireBelowQuota(organizationId, MCP_SERVERS.quota);
    await this.requireAllowed(organizationId, 'url', input.url, gone);
    await this.requireAllowed(organizationId, 'authorization_server', input.authorization_server, gone);
    await this.requireWorkspaces(organizationId, input.workspace_ids);
    await this.encryption.assertFits();
    const secret = input.secret ?? null;
    const made = {
      organizationId,
      id: newUuid(),
      ...MCP_SERVERS.made(withDistinctWorkspaces(input)),
      name: input.name,
      url: input.url,
      secretMask: secret && maskCredential(secret),
      namedIssuer: null,
      protocolVersion: null,
      handshakeRevision: null,
      checkedAt: null,
      failure: null,
    };
    const row = { ...made, encryptedSecret: this.secrets.encryptedOrNull(made, secret) };
    return shown(await MCP_SERVERS.create(this.statements, caller, row));
  }

  /** Lists the servers of the organization, oldest first. */
  async list(caller: ManagementPrincipal, input: PageQuery): Promise<ListMcpServersResponse> {
    const page = await this.statements.page(MCP_SERVERS_PAGE, [caller.organizationId], toPageRequest(input));
    return toPageResponse(page, toMcpServerResponse);
  }

  /** @throws McpServerNotFound also for an id that is not a UUID */
  async get(caller: ManagementPrincipal, { id }: McpServerPath): Promise<GetMcpServerResponse> {
    return shown(await MCP_SERVERS.get(this.statements, caller.organizationId, id));
  }

  /**
   * Changes the fields in the request; without a change nothing is written. It holds for each request that comes after the answer.
   *
   * @param gone aborted when the client has disconnected
   * @throws McpServerNotFound
   * @throws PreconditionFailed
   * @throws BadRequestError as `create`, for an unknown mask, and for a secret that would be sent to another origin
   * @throws TooManyHostLookups when too many names of the organization are being looked up
   * @throws EncryptionKeyMismatch
   */
  async update(
    caller: ManagementPrincipal,
    input: McpServerPath & UpdateMcpServerRequest,
    gone?: AbortSignal,
    precondition = Precondition.NONE,
  ): Promise<UpdateMcpServerResponse> {
    const { organizationId } = caller;
    const known = await MCP_SERVERS.get(this.statements, organizationId, input.id);
    if (input.url !== known.url) await this.requireAllowed(organizationId, 'url', input.url, gone);
    if (input.authorization_server !== known.authorizationServer) {
      await this.requireAllowed(organizationId, 'authorization_server', input.authorization_server, gone);
    }
    await this.requireWorkspaces(organizationId, input.workspace_ids);
    await this.encryption.assertFits();
    return shown(await this.statements.transaction((tx) => this.change(tx, caller, input, precondition)));
  }

  /** Deletes a server with what is known of its tools. @throws McpServerNotFound @throws PreconditionFailed */
  async delete(
    caller: ManagementPrincipal,
    { id }: McpServerPath,
    precondition = Precondition.NONE,
  ): Promise<DeleteMcpServerResponse> {
    return MCP_SERVERS.delete(this.statements, caller, id, precondition);
  }

  /** Asks a server for its tools now, also a disabled one, and stores them as they are seen. @throws McpServerNotFound */
  async test(caller: ManagementPrincipal, { id }: McpServerPath): Promise<TestMcpServerResponse> {
    const server = this.inForce.ready(await MCP_SERVERS.get(this.statements, caller.organizationId, id));
    const started = performance.now();
    const { failure, revision, revisions, tools, unusable } = await this.tools.test(server, caller.userId);
    return {
      data: {
        succeeded: failure === null,
        failure,
        protocol_version: revision,
        revisions: [...revisions],
        tools,
        unusable_tools: unusable,
        milliseconds: Math.round(performance.now() - started),
      },
    };
  }

  private async change(
    tx: Transaction,
    caller: ManagementPrincipal,
    input: McpServerPath & UpdateMcpServerRequest,
    precondition: Precondition,
  ): Promise<McpServerEntity> {
    const before = await MCP_SERVERS.hold(tx, caller.organizationId, input.id, precondition);
    const changed = MCP_SERVERS.changed(before, withDistinctWorkspaces(input));
    const hasOtherTokens = DECIDE_TOKENS.some((field) => changed[field] !== before[field]);
    const patched = hasOtherTokens ? { ...changed, namedIssuer: null } : changed;
    const given = input.secret === undefined ? before.secretMask : input.secret;
    requireNoIssues(
      issuesOfAuthentication({
        ...patched,
        secret: given,
        client_id: patched.clientId,
        authorization_server: patched.authorizationServer,
      }),
    );
    // Tokens of members are of one authorization server, for one client and address.
    if (hasOtherTokens) await this.connections.deleteTo(tx, caller.organizationId, before.id);
    // What was found out is about the address.
    const nothing = { protocolVersion: null, handshakeRevision: null, checkedAt: null, failure: null };
    const found = patched.url === before.url ? {} : nothing;
    const isOtherServer = patched.authorizationServer !== before.authorizationServer;
    if (input.secret === undefined && patched.url === before.url && !isOtherServer)
      return MCP_SERVERS.update(tx, caller, before, patched);
    // One that cannot be decrypted is replaced.
    const stored = this.secrets.of(before) ?? null;
    const keeps = input.secret === undefined || (stored !== null && isMaskOf(input.secret, stored));
    const isOtherOrigin = isOtherServer || new URL(patched.url).origin !== new URL(before.url).origin;
    const isOtherHeader = patched.authentication !== before.authentication || patched.header !== before.header;
    requireNoIssues([
      ...(keeps && stored !== null && isOtherOrigin ? [CREDENTIALS_REQUIRED.at('secret')] : []),
      ...(!keeps && typeof input.secret === 'string' && isMask(input.secret) ? [MASKED_CREDENTIAL.at('secret')] : []),
    ]);
    const secret = keeps ? stored : (input.secret ?? null);
    const isSame = secret === stored && patched.url === before.url && !isOtherHeader;
    const after = {
      ...patched,
      ...found,
      secretMask: secret && maskCredential(secret),
      encryptedSecret: isSame ? before.encryptedSecret : this.secrets.encryptedOrNull(patched, secret),
    };
    // One may have changed into another one that has the same mask.
    const besides = { secret_replaced: { before: false, after: true } };
    return MCP_SERVERS.update(tx, caller, before, after, secret === stored ? {} : { besides });
  }

  /** @throws BadRequestError for an address that must not be sent to */
  private async requireAllowed(
    organizationId: string,
    field: 'url' | 'authorization_server',
    url: string | null | undefined,
    gone?: AbortSignal,
  ): Promise<void> {
    if (url == null) return;
    const lookup = { organizationId, ...(gone && { signal: gone }) };
    const message = await this.addresses.issueOfShown(url, this.allowed, lookup);
    requireNoIssues(message === undefined ? [] : [MCP_ADDRESS_NOT_ALLOWED.at(field, message)]);
  }

  /** @throws BadRequestError for a workspace that the organization does not have */
  private async requireWorkspaces(organizationId: string, ids: readonly string[] | null | undefined): Promise<void> {
    if (ids === null || ids === undefined || ids.length === 0) return;
    const known = await this.repository.knownWorkspaces(organizationId, ids);
    requireNoIssues(
      ids.flatMap((id, index) =>
        known.has(id.toLowerCase()) ? [] : [UNKNOWN_MCP_WORKSPACE.at(joinPath('workspace_ids', index))],
      ),
    );
  }
}

function withDistinctWorkspaces<Input extends UpdateMcpServerRequest>(input: Input): Input {
  const { workspace_ids: ids } = input;
  return ids == null ? input : { ...input, workspace_ids: [...new Set(ids.map((id) => id.toLowerCase()))] };
}

function shown(server: McpServerEntity): GetMcpServerResponse {
  return withEntityTag({ data: toMcpServerResponse(server) }, MCP_SERVERS.tagOf(server));
}
