import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { FairQueue } from '../../../concurrency/fair-queue.js';
import { Environment } from '../../../config/environment.js';
import { VERSION } from '../../../config/version.js';
import { AllowedAddresses } from '../../../http/addresses/allowed-addresses.js';
import { isObject } from '../../../http/validation/constraints.js';
import { TooManyMcpRequests } from '../mcp-servers.errors.js';
import { headerValueOf } from './header-values.js';
import {
  errorIn,
  type JsonObject,
  notificationIn,
  outcomeIn,
  RPC_CODES,
  type RpcNotification,
  type RpcOutcome,
} from './json-rpc.js';
import { McpFailure } from './mcp-failure.js';
import { LEGACY_REVISION, LEGACY_REVISIONS, META, MODERN_REVISION, NAMED_METHODS } from './mcp-revisions.js';
import { type McpAnswer, McpTransport } from './mcp-transport.js';
import { type CredentialHeaders, McpCredentials } from '../authorization/mcp-credentials.service.js';
import type { ReadyMcpServer } from './ready-mcp-server.js';

/** How organizations take turns: a call may take minutes, in which it does no work here. */
const QUEUE = {
  overload: TooManyMcpRequests,
  concurrency: 1_024,
  concurrencyPerOrganization: 128,
  waitingPerOrganization: 256,
  retryAfterSeconds: 1,
};

/** Of how many servers it is remembered how they are asked, and for how long, in milliseconds. */
const KNOWN_SERVERS = 10_000;
const KNOWN_MS = 3_600_000;

/** How many sessions of the revisions with a handshake there are at a time, and how long an idle one is kept, in milliseconds. */
const SESSIONS = 2_000;
const SESSION_MS = 300_000;

/** How long ending a session, or a request, may take, in milliseconds. */
const ENDING_MS = 5_000;

/** The HTTP status of a credential that is not accepted. */
const UNAUTHORIZED = 401;

const CLIENT_INFO = { name: 'gatehouse', version: VERSION };

/** Errors that only the newest revision has: who answers so knows it. */
const MODERN_ERRORS: ReadonlySet<number> = new Set([
  RPC_CODES.headerMismatch,
  RPC_CODES.missingCapability,
  RPC_CODES.unsupportedVersion,
]);

/** What a server says of itself. */
export interface ServerFacts {
  readonly revision: string;
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
}

/** What is asked of a server. */
export interface McpRequest {
  readonly method: string;
  readonly params: JsonObject;
  /** Further headers: those that repeat arguments. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What a server of the newest revision may ask the client for; nothing if absent. */
  readonly clientCapabilities?: JsonObject;
}

/** How it is asked. */
export interface McpCall {
  /** For whom: requests for different ones share no session. */
  readonly holder: string;
  /** The member for whom, where each has a token of their own. */
  readonly userId: string;
  readonly signal: AbortSignal;
  /** Is told of progress and log messages; absent where no one wants them. */
  readonly onNotification?: ((notification: RpcNotification) => void) | undefined;
}

/** A server with what it is shown. */
interface AskedServer extends ReadyMcpServer {
  readonly credential: CredentialHeaders;
}

/** A session of a revision with a handshake. */
interface Session extends ServerFacts {
  /** Undefined for a server that keeps none. */
  readonly id: string | undefined;
}

/** Asks MCP servers, in the newest revision or, where they do not know it, in one with a handshake (docs/interface/mcp-servers.md#revisions). */
@Injectable()
export class McpUpstream implements OnApplicationShutdown {
  private readonly transport: McpTransport;
  private readonly queue = new FairQueue(QUEUE);
  private readonly known = new LRUCache<string, ServerFacts>({ max: KNOWN_SERVERS, ttl: KNOWN_MS });
  private readonly sessions = new LRUCache<string, { readonly server: AskedServer; readonly opened: Promise<Session> }>(
    {
      max: SESSIONS,
      ttl: SESSION_MS,
      updateAgeOnGet: true,
      dispose: ({ server, opened }, _, reason) => {
        if (reason !== 'set') void opened.then((session) => this.endSession(server, session)).catch(() => undefined);
      },
    },
  );
  private lastId = 0;

  constructor(
    environment: Environment,
    private readonly credentials: McpCredentials,
  ) {
    this.transport = new McpTransport(environment, new AllowedAddresses(environment.allowPrivateDestinations));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.transport.close();
  }

  /**
   * Asks a server, within its time.
   *
   * @returns what it answers: a result, or an error of its own
   * @throws McpFailure when it does not answer as it should
   * @throws TooManyMcpRequests, the reason of the signal
   */
  async ask(server: ReadyMcpServer, request: McpRequest, call: McpCall): Promise<RpcOutcome> {
    return this.inTime(server, call, async (asked, signal) => {
      const facts = await this.factsOf(asked, { ...call, signal });
      if (facts.revision === MODERN_REVISION) return this.askModern(asked, request, { ...call, signal });
      return this.askInSession(asked, request, { ...call, signal });
    });
  }

  /** What a server says of itself, as it was found within the last hour. @throws as {@link ask} does */
  async facts(server: ReadyMcpServer, call: McpCall): Promise<ServerFacts> {
    const known = this.known.get(server.version);
    if (known !== undefined) return known;
    return this.inTime(server, call, (asked, signal) => this.factsOf(asked, { ...call, signal }));
  }

  /** Ends the session of a holder, if there is one. */
  leave(server: ReadyMcpServer, { holder }: Pick<McpCall, 'holder'>): void {
    this.sessions.delete(sessionName(server, { holder }));
  }

  /** Forgets how a server is asked, so that it is found out anew. */
  forget(server: ReadyMcpServer): void {
    this.known.delete(server.version);
  }

  private async inTime<Result>(
    server: ReadyMcpServer,
    call: McpCall,
    work: (asked: AskedServer, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const limit = new AbortController();
    const timer = setTimeout(
      () => limit.abort(new McpFailure('the server did not answer in time', undefined, true)),
      server.timeoutMs,
    );
    try {
      const ending = AbortSignal.any([call.signal, limit.signal]);
      return await this.queue.run(server.organizationId, () => this.withCredential(server, call, ending, work), ending);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Does work with what the server is shown; once more where it does not accept a token, which it has not worked with. */
  private async withCredential<Result>(
    server: ReadyMcpServer,
    { userId }: McpCall,
    signal: AbortSignal,
    work: (asked: AskedServer, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const asking = { userId, signal };
    const credential = await this.credentials.headersOf(server, asking);
    try {
      return await work({ ...server, credential }, signal);
    } catch (error) {
      const isRefused = error instanceof McpFailure && error.status === UNAUTHORIZED;
      if (!isRefused || !(await this.credentials.refused(server, asking, credential))) throw error;
      return work({ ...server, credential: await this.credentials.headersOf(server, asking) }, signal);
    }
  }

  private async factsOf(server: AskedServer, call: McpCall): Promise<ServerFacts> {
    const known = this.known.get(server.version);
    if (known !== undefined) return known;
    const found = (await this.discovered(server, call)) ?? (await this.sessionOf(server, call));
    const { revision, capabilities, instructions } = found;
    const facts = { revision, capabilities, instructions };
    this.known.set(server.version, facts);
    return facts;
  }

  /** What a server of the newest revision says of itself; undefined for one that does not know it. */
  private async discovered(server: AskedServer, call: McpCall): Promise<ServerFacts | undefined> {
    const id = this.nextId();
    const answer = await this.transport.post(
      this.modernPost(server, { method: 'server/discover', params: {} }, id, call),
    );
    requireAccepted(answer);
    const outcome = answer.status <= 299 ? await this.outcomeOf(answer, id, {}) : undefined;
    const supported = outcome?.result?.['supportedVersions'];
    if (Array.isArray(supported) && supported.includes(MODERN_REVISION))
      return factsIn(MODERN_REVISION, outcome!.result!);
    const error = outcome?.error ?? errorIn(answer.message);
    if (error !== undefined && MODERN_ERRORS.has(error.code) && error.code !== RPC_CODES.unsupportedVersion) {
      throw new McpFailure('the server does not say which revisions it has', answer.status);
    }
    return undefined;
  }

  private async askModern(server: AskedServer, request: McpRequest, call: McpCall): Promise<RpcOutcome> {
    const id = this.nextId();
    const answer = await this.transport.post(this.modernPost(server, request, id, call));
    requireAccepted(answer);
    if (answer.status > 299) {
      const error = errorIn(answer.message);
      if (error === undefined) throw new McpFailure(`the server answered ${answer.status}`, answer.status);
      if (error.code === RPC_CODES.unsupportedVersion) this.forget(server);
      return { error };
    }
    return this.outcomeOf(answer, id, call);
  }

  private modernPost(
    server: AskedServer,
    { method, params, headers, clientCapabilities = {} }: McpRequest,
    id: number,
    { signal }: Pick<McpCall, 'signal'>,
  ): Parameters<McpTransport['post']>[0] {
    const named = Object.hasOwn(NAMED_METHODS, method) ? params[NAMED_METHODS[method]!] : undefined;
    const meta = {
      ...(isObject(params['_meta']) && params['_meta']),
      [META.version]: MODERN_REVISION,
      [META.clientInfo]: CLIENT_INFO,
      [META.clientCapabilities]: clientCapabilities,
    };
    return {
      url: server.url,
      headers: {
        ...headers,
        ...server.credential,
        'mcp-protocol-version': MODERN_REVISION,
        'mcp-method': method,
        ...(typeof named === 'string' && { 'mcp-name': headerValueOf(named) }),
      },
      body: { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } },
      signal,
    };
  }

  private async askInSession(
    server: AskedServer,
    request: McpRequest,
    call: McpCall,
    isRepeated = false,
  ): Promise<RpcOutcome> {
    const session = await this.sessionOf(server, call);
    const id = this.nextId();
    const { method, params } = request;
    const post = {
      url: server.url,
      headers: sessionHeaders(server, session),
      body: { jsonrpc: '2.0', id, method, params },
    };
    const cancel = (): void => this.cancel(server, session, id);
    call.signal.addEventListener('abort', cancel, { once: true });
    try {
      const answer = await this.transport.post({ ...post, signal: call.signal });
      requireAccepted(answer);
      if (answer.status === 404 && session.id !== undefined && !isRepeated) {
        // The server has forgotten the session, and so has not worked on the request.
        this.sessions.delete(sessionName(server, call));
        return await this.askInSession(server, request, call, true);
      }
      if (answer.status > 299) {
        const error = errorIn(answer.message);
        if (error === undefined) throw new McpFailure(`the server answered ${answer.status}`, answer.status);
        return { error };
      }
      return await this.outcomeOf(answer, id, call);
    } finally {
      call.signal.removeEventListener('abort', cancel);
    }
  }

  /** Tells a server of a revision with a handshake that no one waits for an answer any more. */
  private cancel(server: AskedServer, session: Session, requestId: number): void {
    const body = {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId, reason: 'The client has left.' },
    };
    const signal = AbortSignal.timeout(ENDING_MS);
    void this.transport
      .post({ url: server.url, headers: sessionHeaders(server, session), body, signal })
      .catch(() => undefined);
  }

  private async sessionOf(server: AskedServer, call: McpCall): Promise<Session> {
    const name = sessionName(server, call);
    const known = this.sessions.get(name);
    if (known !== undefined) return known.opened;
    // Others may wait for it too, so that it does not end with the request that has begun it.
    const opened = this.opened(server, AbortSignal.timeout(server.timeoutMs));
    this.sessions.set(name, { server, opened });
    // One that could not be opened is tried anew by the next request.
    opened.catch(() => this.sessions.get(name)?.opened === opened && this.sessions.delete(name));
    return opened;
  }

  private async opened(server: AskedServer, signal: AbortSignal): Promise<Session> {
    const id = this.nextId();
    const params = { protocolVersion: LEGACY_REVISION, capabilities: {}, clientInfo: CLIENT_INFO };
    const body = { jsonrpc: '2.0', id, method: 'initialize', params };
    const answer = await this.transport.post({ url: server.url, headers: server.credential, body, signal });
    requireAccepted(answer);
    if (answer.status > 299) throw new McpFailure(`the server answered ${answer.status}`, answer.status);
    const { result } = await this.outcomeOf(answer, id, {});
    const revision = result?.['protocolVersion'];
    if (typeof revision !== 'string' || !LEGACY_REVISIONS.includes(revision)) {
      throw new McpFailure('the server has none of the revisions that are known', answer.status);
    }
    const session = { ...factsIn(revision, result!), id: answer.sessionId };
    const ready = { jsonrpc: '2.0', method: 'notifications/initialized' };
    await this.transport.post({ url: server.url, headers: sessionHeaders(server, session), body: ready, signal });
    return session;
  }

  private async endSession(server: AskedServer, session: Session): Promise<void> {
    if (session.id === undefined) return;
    await this.transport.end(server.url, sessionHeaders(server, session), AbortSignal.timeout(ENDING_MS));
  }

  /** @throws McpFailure for an answer without one to the request */
  private async outcomeOf(answer: McpAnswer, id: number, call: Pick<McpCall, 'onNotification'>): Promise<RpcOutcome> {
    if (answer.messages === undefined) return requiredOutcome(outcomeIn(answer.message, id), answer.status);
    for await (const message of answer.messages) {
      const outcome = outcomeIn(message, id);
      if (outcome !== undefined) return outcome;
      const notification = notificationIn(message);
      if (notification !== undefined) call.onNotification?.(notification);
    }
    return requiredOutcome(undefined, answer.status);
  }

  private nextId(): number {
    this.lastId = (this.lastId % Number.MAX_SAFE_INTEGER) + 1;
    return this.lastId;
  }
}

function requiredOutcome(outcome: RpcOutcome | undefined, status: number): RpcOutcome {
  if (outcome === undefined) throw new McpFailure('the server did not answer the request with JSON-RPC', status);
  return outcome;
}

/** @throws McpFailure where the credential of the server is not accepted */
function requireAccepted({ status }: McpAnswer): void {
  if (status === UNAUTHORIZED || status === 403)
    throw new McpFailure(`the server did not accept its credential (${status})`, status);
}

function sessionHeaders(server: AskedServer, { id, revision }: Session): Readonly<Record<string, string>> {
  return {
    ...server.credential,
    'mcp-protocol-version': revision,
    ...(id !== undefined && { 'mcp-session-id': id }),
  };
}

function sessionName({ version }: ReadyMcpServer, { holder }: Pick<McpCall, 'holder'>): string {
  return `${version} ${holder}`;
}

function factsIn(revision: string, { capabilities, instructions }: JsonObject): ServerFacts {
  return {
    revision,
    capabilities: isObject(capabilities) ? capabilities : {},
    instructions: typeof instructions === 'string' ? instructions : undefined,
  };
}
