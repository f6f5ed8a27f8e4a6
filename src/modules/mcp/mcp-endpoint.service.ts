import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { type ApiKeyPrincipal, shareIdOf } from '../../auth/principal.js';
import { Environment } from '../../config/environment.js';
import { VERSION } from '../../config/version.js';
import { ClientGoneError, clientSignal } from '../../http/client-signal.js';
import { DomainError } from '../../http/errors/domain-error.js';
import type { GatehouseRequest } from '../../http/request.js';
import { OpenExchanges } from '../inference/pipeline/open-exchanges.js';
import { OpenRequests } from '../inference/pipeline/open-requests.js';
import { type JsonObject, RPC_CODES, type RpcError, type RpcId } from '../mcp-servers/upstream/json-rpc.js';
import { LEGACY_REVISION, LEGACY_REVISIONS, META, MODERN_REVISION } from '../mcp-servers/upstream/mcp-revisions.js';
import type { McpRequestOf } from './mcp-request.js';
import { McpRequests } from './mcp-requests.service.js';
import { McpOriginNotAllowed, McpSessionUnknown } from './mcp.errors.js';
import { McpAnswer } from './messages/mcp-answer.js';
import { isRefused, isReply, type McpMessage, type McpReply, readMessage, textOf } from './messages/mcp-message.js';
import { type McpSession, McpSessions } from './messages/mcp-sessions.js';
import { rpcErrorOf } from './messages/rpc-errors.js';
import { capabilitiesIn, type PairedSession } from './sessions/paired-session.js';
import { PairedSessions } from './sessions/paired-sessions.service.js';
import { type PairedRequest, SESSION_METHODS, SessionMessages } from './sessions/session-messages.service.js';
import { SessionStreams } from './sessions/session-streams.service.js';
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
    private readonly requests: McpRequests,
    private readonly openExchanges: OpenExchanges,
    private readonly openRequests: OpenRequests,
    private readonly sessions: McpSessions,
    private readonly paired: PairedSessions,
    private readonly messages: SessionMessages,
    private readonly streams: SessionStreams,
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
    const { caller, http, response, body } = received;
    this.requireOrigin(http);
    const message = readMessage(body, http.headers);
    const answer = new McpAnswer(response);
    if (isRefused(message)) {
      answer.error(message.id, message.error, message.status);
      return;
    }
    if (!isReply(message) && message.isLegacy && message.method === 'initialize') {
      await this.initialize(received, message);
      return;
    }
    const isLegacy = isReply(message) || message.isLegacy;
    const session = isLegacy ? this.sessionOf(received) : undefined;
    if (session === null) {
      this.fail(answer, message.id ?? null, new McpSessionUnknown());
      return;
    }
    const holder = holderOf(caller, session);
    if (isReply(message)) {
      await this.reply(received, message, session, answer);
      return;
    }
    if (message.id === undefined) {
      if (message.method === 'notifications/cancelled') this.cancel(holder, message.params['requestId']);
      await this.notify(received, message, session, answer);
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
          this.answer({ ...received, message: { ...message, id }, holder, signal, session }, answer),
        );
      } catch (error) {
        if (error instanceof ClientGoneError) {
          // A message has cancelled it: its client waits for no answer, but its connection for an end.
          if (!response.destroyed && !response.headersSent) answer.accepted();
          return;
        }
        this.fail(answer, id, error);
      } finally {
        if (this.underWay.get(name) === cancelling) this.underWay.delete(name);
      }
    });
  }

  /** Opens the stream of a session that goes with one at a server that has such a stream; for any other there is none. @throws McpOriginNotAllowed */
  async listen(received: Omit<ReceivedMessage, 'body'>): Promise<void> {
    const { response } = received;
    const isOpened = await this.openExchanges.run(response, (signal) =>
      this.withoutMessage(received, signal, async (request, answer) => {
        if (!answer.canStream) return false;
        return this.streams.run(request, answer);
      }),
    );
    if (isOpened === false) this.refuse(response);
  }

  /** Ends a session that goes with one at a server; of any other nothing is kept. @throws McpOriginNotAllowed */
  async end(received: Omit<ReceivedMessage, 'body'>): Promise<void> {
    const { response } = received;
    const isEnded = await this.withoutMessage(received, clientSignal(response), async (request, answer) => {
      const ended = await this.messages.end(request);
      if (!ended) return false;
      const session = this.sessionOf(received);
      if (session) this.sessions.end(session);
      answer.accepted(204);
      return true;
    });
    if (isEnded === false) this.refuse(response);
  }

  /** Does what has no message in a session. @returns what the work returns; false without such a session, undefined after a failure */
  private async withoutMessage(
    received: Omit<ReceivedMessage, 'body'>,
    signal: AbortSignal,
    work: (request: PairedRequest, answer: McpAnswer) => Promise<boolean>,
  ): Promise<boolean | undefined> {
    this.requireOrigin(received.http);
    const answer = new McpAnswer(received.response);
    const session = this.sessionOf(received);
    if (session === undefined) return false;
    try {
      if (session === null) throw new McpSessionUnknown();
      const message = { id: 0, method: 'stream', params: {}, revision: session.revision, isLegacy: true };
      const request = await this.pairedRequest({ ...received, message, session, signal }, answer);
      return request !== undefined && (await work(request, answer));
    } catch (error) {
      if (!(error instanceof ClientGoneError)) this.fail(answer, null, error, true);
      return undefined;
    }
  }

  /** Answers what has no message, and needs one. */
  private refuse(response: Response): void {
    const error = { code: RPC_CODES.refused, message: 'Method not allowed: send messages with POST.' };
    new McpAnswer(response, ['Allow', 'POST']).error(null, error, 405);
  }

  /** Hands on what a client answers to its server. */
  private async reply(
    received: ReceivedMessage,
    reply: McpReply,
    session: McpSession | undefined,
    answer: McpAnswer,
  ): Promise<void> {
    const message = { id: reply.id, method: 'response', params: {}, revision: reply.revision, isLegacy: true };
    const signal = clientSignal(received.response);
    try {
      const request = await this.pairedRequest({ ...received, message, session, signal }, answer);
      if (request === undefined) {
        const error = {
          code: RPC_CODES.invalidRequest,
          message: 'Invalid request: nothing was asked in this session.',
        };
        answer.error(null, error, 400);
        return;
      }
      await this.requests.counted(received.response, request, () => this.messages.reply(request, reply));
      answer.accepted();
    } catch (error) {
      if (!(error instanceof ClientGoneError)) this.fail(answer, null, error, true);
    }
  }

  /** Hands on a notification that is for the server of a session, and takes any other one. */
  private async notify(
    received: ReceivedMessage,
    told: McpMessage,
    session: McpSession | undefined,
    answer: McpAnswer,
  ): Promise<void> {
    const handed = session?.paired && this.messages.handed(told, session.paired);
    if (handed !== undefined) {
      const signal = clientSignal(received.response);
      try {
        const message = { ...told, id: 0 };
        const request = (await this.pairedRequest({ ...received, message, session, signal }, answer))!;
        await this.requests.counted(received.response, request, () => this.messages.notify(request, handed));
      } catch (error) {
        if (!(error instanceof ClientGoneError)) this.fail(answer, null, error, true);
        return;
      }
    }
    answer.accepted();
  }

  /** A request in a session that goes with one at a server; undefined in any other. @throws as {@link McpRequests.contextOf} does */
  private async pairedRequest(
    received: Omit<ReceivedMessage, 'body'> &
      Pick<McpRequestOf, 'message' | 'signal'> & { readonly session: McpSession | undefined },
    answer: McpAnswer,
  ): Promise<PairedRequest | undefined> {
    const { caller, http, serverName, message, signal, session } = received;
    const paired = pairedOf(session, answer);
    if (paired === undefined) return undefined;
    const holder = holderOf(caller, session);
    return { caller, http, serverName, message, holder, signal, paired, ...(await this.requests.contextOf(caller)) };
  }

  /** The session that a request names; undefined where it names none, and null where there is no such session. */
  private sessionOf({ caller, http, serverName = '' }: Omit<ReceivedMessage, 'body'>): McpSession | undefined | null {
    const sealed = textOf(http.headers[SESSION_HEADER]);
    return sealed === undefined ? undefined : (this.sessions.read(caller, serverName, sealed) ?? null);
  }

  /**
   * Answers with an error.
   *
   * @param hasOwnStatus whether the status is that of the error, because nothing was asked that a message could answer
   * @throws the error, where it is none of a request, or of its credential
   */
  private fail(answer: McpAnswer, id: RpcId | null, error: unknown, hasOwnStatus = false): void {
    if (!(error instanceof DomainError) || error.status === 401) throw error;
    const status = hasOwnStatus || error instanceof McpSessionUnknown ? error.status : 200;
    answer.error(id, rpcErrorOf(error), status, error.retryAfterSeconds);
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
    const answer = new McpAnswer(response);
    try {
      const request = {
        caller,
        http,
        serverName,
        holder: caller.credentialId,
        signal: clientSignal(response),
        message: { ...message, id },
        ...(await this.requests.contextOf(caller)),
      };
      const capabilities = await this.capabilitiesFor(request);
      const open = (): Promise<PairedSession | undefined> => this.paired.open(request, revision);
      const paired = serverName === undefined ? undefined : await this.requests.counted(response, request, open);
      const result = {
        protocolVersion: revision,
        capabilities: paired === undefined ? capabilities : capabilitiesIn(paired, capabilities),
        serverInfo: SERVER_INFO,
      };
      const session = this.sessions.opened(caller, serverName ?? '', { revision, paired });
      new McpAnswer(response, ['Mcp-Session-Id', session]).result(id, result);
    } catch (error) {
      this.fail(answer, id, error);
    }
  }

  private async answer(
    received: ReceivedMessage &
      Pick<McpRequestOf, 'message' | 'holder' | 'signal'> & { readonly session: McpSession | undefined },
    answer: McpAnswer,
  ): Promise<void> {
    const { message, caller, http, serverName, holder, signal, session } = received;
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
      paired: pairedOf(session, answer),
      ...(await this.requests.contextOf(caller)),
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
      const outcome = await this.requests.counted(received.response, await request(), (counted) =>
        this.methods.ask(counted, (name, told) => answer.notify(name, told)),
      );
      if (outcome?.result !== undefined) complete({ ...outcome.result, ...(LISTS.has(method) && listed) });
      else if (outcome !== undefined) answer.error(id, outcome.error, statusOf(outcome.error, message));
      if (outcome !== undefined) return;
    }
    if (SESSION_METHODS.has(method) && session?.paired !== undefined) {
      const asked = (await request()) as PairedRequest;
      const outcome = await this.requests.counted(received.response, asked, () => this.messages.ask(asked));
      if (outcome?.result !== undefined) complete(outcome.result);
      else if (outcome !== undefined) answer.error(id, outcome.error);
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
    const { outcome, status } = await this.requests.counted(received.response, request, (counted) =>
      this.calls.call(counted, (method, params) => answer.notify(method, params)),
    );
    if (outcome.error === undefined) complete(outcome.result);
    else answer.error(request.message.id, outcome.error, status ?? statusOf(outcome.error, request.message));
  }

  /** What the endpoint can do: of one server also what that has besides tools. @throws McpServerUnknown */
  private async capabilitiesFor(request: McpRequestOf): Promise<JsonObject> {
    await this.tools.serversOf(request);
    return { ...CAPABILITIES, ...(await this.methods.capabilities(request)) };
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

/** For whom servers are asked: the key, or one of its sessions. */
function holderOf({ credentialId }: ApiKeyPrincipal, session: McpSession | undefined): string {
  return session === undefined ? credentialId : `${credentialId} ${session.id}`;
}

/** What goes with the session of a client. One that takes no stream cannot be asked or told anything. */
function pairedOf(session: McpSession | undefined, answer: McpAnswer): McpRequestOf['paired'] {
  if (session?.paired === undefined) return undefined;
  const paired = answer.canStream ? session.paired : { ...session.paired, announced: {}, declared: [] };
  return { session: paired, send: (message) => answer.pass(message) };
}

function requestName(holder: string, id: string | number): string {
  return `${holder} ${typeof id} ${id}`;
}
