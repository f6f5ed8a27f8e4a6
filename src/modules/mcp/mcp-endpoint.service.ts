import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { type ApiKeyPrincipal, shareIdOf } from '../../auth/principal.js';
import { Environment } from '../../config/environment.js';
import { VERSION } from '../../config/version.js';
import { ClientGoneError, clientSignal } from '../../http/client-signal.js';
import { DomainError } from '../../http/errors/domain-error.js';
import { InvalidCredential } from '../../http/errors/request.errors.js';
import type { GatehouseRequest } from '../../http/request.js';
import { RequestSlots } from '../../http/request-limits/request-slots.js';
import { LimitsInForce } from '../limits/limits-in-force.service.js';
import { CallerContexts } from '../inference/pipeline/context/caller-contexts.service.js';
import { DataRegionNotAllowed } from '../inference/inference.errors.js';
import { OpenExchanges } from '../inference/pipeline/open-exchanges.js';
import { OpenRequests } from '../inference/pipeline/open-requests.js';
import { CompiledPolicies } from '../inference/pipeline/policy/compiled-policies.js';
import { showRates } from '../inference/pipeline/rates/rate-headers.js';
import { RequestRates } from '../inference/pipeline/rates/request-rates.service.js';
import { type JsonObject, RPC_CODES, type RpcError } from '../mcp-servers/upstream/json-rpc.js';
import { LEGACY_REVISION, LEGACY_REVISIONS, META, MODERN_REVISION } from '../mcp-servers/upstream/mcp-revisions.js';
import type { McpContext, McpRequestOf } from './mcp-request.js';
import { McpOriginNotAllowed } from './mcp.errors.js';
import { McpAnswer } from './messages/mcp-answer.js';
import { isRefused, type McpMessage, readMessage, textOf } from './messages/mcp-message.js';
import { McpSessions } from './messages/mcp-sessions.js';
import { rpcErrorOf } from './messages/rpc-errors.js';
import { AvailableTools } from './tools/available-tools.service.js';
import { LISTS, ServerMethods } from './tools/server-methods.service.js';
import { ToolCalls } from './tools/tool-calls.service.js';

const SERVER_INFO = { name: 'gatehouse', version: VERSION };

/** What the endpoint can do. */
const CAPABILITIES = { tools: {} };

/** How long clients may keep lists, in milliseconds: as long as tools count as they were seen. */
const TTL_MS = 60_000;

/** The header with the session of the revisions with a handshake. */
const SESSION_HEADER = 'mcp-session-id';

/** Pages of the machine itself. */
const LOOPBACK = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** A message that came to the endpoint, and how it is answered. */
export interface ReceivedMessage {
  readonly caller: ApiKeyPrincipal;
  readonly http: GatehouseRequest;
  readonly response: Response;
  /** Of the path; undefined for all servers together. */
  readonly serverName: string | undefined;
  readonly body: JsonObject;
}

/** The gateway for tools: answers clients of MCP in either kind of revision (docs/interface/mcp.md). */
@Injectable()
export class McpEndpoint {
  /** What is under way of clients of revisions with a handshake, which cancel it by a message of its own. */
  private readonly underWay = new Map<string, AbortController>();

  constructor(
    private readonly contexts: CallerContexts,
    private readonly policies: CompiledPolicies,
    private readonly limits: LimitsInForce,
    private readonly rates: RequestRates,
    private readonly openExchanges: OpenExchanges,
    private readonly openRequests: OpenRequests,
    private readonly slots: RequestSlots,
    private readonly sessions: McpSessions,
    private readonly tools: AvailableTools,
    private readonly calls: ToolCalls,
    private readonly methods: ServerMethods,
    private readonly environment: Environment,
  ) {}

  /**
   * Answers a message.
   *
   * @throws McpOriginNotAllowed, and what refuses a request before its message is read
   */
  async receive(received: ReceivedMessage): Promise<void> {
    const { caller, http, response, serverName, body } = received;
    this.requireOrigin(http);
    const message = readMessage(body, http.headers);
    const answer = new McpAnswer(response);
    if (isRefused(message)) {
      answer.error(message.id, message.error, message.status);
      return;
    }
    const path = serverName ?? '';
    if (message.isLegacy && message.method === 'initialize') {
      await this.initialize(received, message);
      return;
    }
    const sealed = textOf(http.headers[SESSION_HEADER]);
    const session = message.isLegacy && sealed !== undefined ? this.sessions.read(caller, path, sealed) : undefined;
    if (message.isLegacy && sealed !== undefined && session === undefined) {
      answer.error(message.id ?? null, { code: RPC_CODES.invalidRequest, message: 'Session not found' }, 404);
      return;
    }
    const holder = session === undefined ? caller.credentialId : `${caller.credentialId} ${session.id}`;
    if (message.id === undefined) {
      if (message.method === 'notifications/cancelled') this.cancel(holder, message.params['requestId']);
      answer.accepted();
      return;
    }
    const { id } = message;
    const name = requestName(holder, id);
    await this.openExchanges.run(response, async (gone) => {
      const cancelling = new AbortController();
      if (message.isLegacy) this.underWay.set(name, cancelling);
      const signal = AbortSignal.any([gone, cancelling.signal]);
      try {
        await this.openRequests.run(caller.organizationId, shareIdOf(caller), () =>
          this.answer({ ...received, message: { ...message, id }, holder, signal }, answer),
        );
      } catch (error) {
        if (error instanceof ClientGoneError) {
          // A message has cancelled it: its client waits for no answer, but its connection for an end.
          if (!response.destroyed && !response.headersSent) answer.accepted();
          return;
        }
        if (!(error instanceof DomainError) || error.status === 401) throw error;
        answer.error(id, rpcErrorOf(error), 200, error.retryAfterSeconds);
      } finally {
        if (this.underWay.get(name) === cancelling) this.underWay.delete(name);
      }
    });
  }

  /** Refuses what has no message: a stream of its own, which no revision needs, and the end of a session, of which nothing is kept. @throws McpOriginNotAllowed */
  refuse({ http, response }: Pick<ReceivedMessage, 'http' | 'response'>): void {
    this.requireOrigin(http);
    const error = { code: RPC_CODES.refused, message: 'Method not allowed: send messages with POST.' };
    new McpAnswer(response, ['Allow', 'POST']).error(null, error, 405);
  }

  private async initialize(received: ReceivedMessage, message: McpMessage): Promise<void> {
    const { caller, http, response, serverName } = received;
    if (message.id === undefined) {
      new McpAnswer(response).accepted();
      return;
    }
    const { id } = message;
    const asked = message.params['protocolVersion'];
    const revision = typeof asked === 'string' && LEGACY_REVISIONS.includes(asked) ? asked : LEGACY_REVISION;
    const answer = new McpAnswer(response, [
      'Mcp-Session-Id',
      this.sessions.opened(caller, serverName ?? '', revision),
    ]);
    try {
      const request = { caller, http, serverName, holder: caller.credentialId, signal: clientSignal(response) };
      const capabilities = await this.capabilitiesFor({
        ...request,
        message: { ...message, id },
        ...(await this.contextOf(received)),
      });
      answer.result(id, { protocolVersion: revision, capabilities, serverInfo: SERVER_INFO });
    } catch (error) {
      if (!(error instanceof DomainError) || error.status === 401) throw error;
      new McpAnswer(response).error(id, rpcErrorOf(error), 200, error.retryAfterSeconds);
    }
  }

  private async answer(
    received: ReceivedMessage & Pick<McpRequestOf, 'message' | 'holder' | 'signal'>,
    answer: McpAnswer,
  ): Promise<void> {
    const { message, caller, http, serverName, holder, signal } = received;
    const { id, method, params, isLegacy } = message;
    const complete = (result: JsonObject): void => answer.result(id, isLegacy ? result : modern(result));
    const listed = isLegacy ? {} : { ttlMs: TTL_MS, cacheScope: 'private' };
    const request = async (): Promise<McpRequestOf> => ({
      caller,
      http,
      serverName,
      message,
      holder,
      signal,
      ...(await this.contextOf(received)),
    });
    switch (method) {
      case 'ping':
        if (!isLegacy) break;
        complete({});
        return;
      case 'server/discover':
        if (isLegacy) break;
        complete({
          supportedVersions: [MODERN_REVISION],
          capabilities: await this.capabilitiesFor(await request()),
          ...listed,
        });
        return;
      case 'tools/list':
        if (params['cursor'] !== undefined) {
          answer.error(id, { code: RPC_CODES.invalidParams, message: 'Invalid params: there is no such cursor' });
          return;
        }
        answer.keepAlive();
        complete({ tools: await this.tools.shown(await request()), ...listed });
        return;
      case 'tools/call':
        await this.call(received, await request(), answer, complete);
        return;
    }
    if (this.methods.has(method)) {
      answer.keepAlive();
      const outcome = await this.counted(received, await request(), (counted) =>
        this.methods.ask(counted, (name, told) => answer.notify(name, told)),
      );
      if (outcome?.result !== undefined) complete({ ...outcome.result, ...(LISTS.has(method) && listed) });
      else if (outcome !== undefined) answer.error(id, outcome.error, statusOf(outcome.error, message));
      if (outcome !== undefined) return;
    }
    const status = isLegacy ? 200 : 404;
    answer.error(id, { code: RPC_CODES.methodNotFound, message: 'Method not found' }, status);
  }

  private async call(
    received: ReceivedMessage,
    request: McpRequestOf,
    answer: McpAnswer,
    complete: (result: JsonObject) => void,
  ): Promise<void> {
    answer.keepAlive();
    const { outcome, status } = await this.counted(received, request, (counted) =>
      this.calls.call(counted, (method, params) => answer.notify(method, params)),
    );
    if (outcome.error === undefined) complete(outcome.result);
    else answer.error(request.message.id, outcome.error, status ?? statusOf(outcome.error, request.message));
  }

  /** Counts a request for the limits per minute of its key and workspace, and does it. @throws the refusal of one */
  private async counted<Result>(
    { response }: Pick<ReceivedMessage, 'response'>,
    request: McpRequestOf,
    work: (request: McpRequestOf) => Promise<Result>,
  ): Promise<Result> {
    const { caller, context } = request;
    const { rates, refusal } = await this.rates.count(caller, context, () => 0);
    showRates(response, rates);
    if (refusal !== undefined) throw refusal;
    try {
      return await work(request);
    } finally {
      await this.rates.settle(caller.organizationId, rates, 0);
    }
  }

  /** What the endpoint can do: of one server also what that has besides tools. @throws McpServerUnknown */
  private async capabilitiesFor(request: McpRequestOf): Promise<JsonObject> {
    await this.tools.serversOf(request);
    return { ...CAPABILITIES, ...(await this.methods.capabilities(request)) };
  }

  /** @throws InvalidCredential where the key was deleted meanwhile, DataRegionNotAllowed */
  private async contextOf({ caller }: Pick<ReceivedMessage, 'caller'>): Promise<McpContext> {
    const { organizationId, credentialId } = caller;
    return this.slots.run(organizationId, async () => {
      const context = await this.contexts.of(caller);
      if (context === undefined) throw new InvalidCredential();
      const policy = await this.policies.get(organizationId, credentialId, context.policyVersion);
      const limits = await this.limits.of(organizationId, context.workspaceId, context.limitsVersion);
      const { dataRegion } = this.environment;
      if (policy.rules.allowedDataRegions.value?.includes(dataRegion) === false) {
        throw new DataRegionNotAllowed(dataRegion, []);
      }
      return { context, policy, limits };
    });
  }

  private cancel(holder: string, requestId: unknown): void {
    if (typeof requestId !== 'string' && typeof requestId !== 'number') return;
    this.underWay.get(requestName(holder, requestId))?.abort(new ClientGoneError());
  }

  /**
   * Names of the deployment that a request states prove nothing: a page of another site may have its own name lead here. So without PUBLIC_URL
   * only pages of the machine itself may call.
   *
   * @throws McpOriginNotAllowed for a page of another origin than this deployment has, or lets call it
   */
  private requireOrigin({ headers: { origin } }: GatehouseRequest): void {
    const { corsOrigins, publicUrl } = this.environment;
    if (origin === undefined || corsOrigins.has(origin)) return;
    const isOwn = publicUrl === undefined ? LOOPBACK.test(origin) : origin === new URL(publicUrl).origin;
    if (!isOwn) throw new McpOriginNotAllowed();
  }
}

/** A result as the newest revision has it. */
function modern(result: JsonObject): JsonObject {
  const meta = (result['_meta'] ?? {}) as JsonObject;
  return { resultType: 'complete', ...result, _meta: { ...meta, [META.serverInfo]: SERVER_INFO } };
}

/** The HTTP status of an error of a server: in the newest revision one that says what the client lacks has its own. */
function statusOf({ code }: RpcError, { isLegacy }: McpMessage): number {
  return code === RPC_CODES.missingCapability && !isLegacy ? 400 : 200;
}

function requestName(holder: string, id: string | number): string {
  return `${holder} ${typeof id} ${id}`;
}
