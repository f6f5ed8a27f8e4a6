import { randomInt } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { FairQueue } from '../../../concurrency/fair-queue.js';
import { Environment } from '../../../config/environment.js';
import { VERSION } from '../../../config/version.js';
import { AllowedAddresses } from '../../../http/addresses/allowed-addresses.js';
import type { AnswerMemory } from '../../../http/input/request-memory.js';
import { isObject } from '../../../http/validation/constraints.js';
import { TooManyMcpRequests } from '../mcp-servers.errors.js';
import { headerValueOf } from './header-values.js';
import {
  errorIn,
  type JsonObject,
  notificationIn,
  outcomeIn,
  requestIn,
  RPC_CODES,
  type RpcError,
  type RpcNotification,
  type RpcOutcome,
  type RpcRequest,
} from './json-rpc.js';
import { McpFailure, McpSessionLost } from './mcp-failure.js';
import { LEGACY_REVISION, LEGACY_REVISIONS, META, MODERN_REVISION, NAMED_METHODS } from './mcp-revisions.js';
import { type McpAnswer, McpTransport } from './mcp-transport.js';
import { type CredentialHeaders, McpCredentials } from '../authorization/mcp-credentials.service.js';
import type { ReadyMcpServer } from './ready-mcp-server.js';
import type { OpenedServerSession, ServerSession } from './server-session.js';

/** How organizations take turns: a call may take minutes, in which it does no work here. */
const QUEUE = {
  overload: TooManyMcpRequests,
  concurrency: 1_024,
  concurrencyPerOrganization: 128,
  waitingPerOrganization: 256,
  retryAfterSeconds: 1,
};

/** How organizations take turns with what a call waits for, which so must not wait for the call: answers of clients, and streams that begin. */
const MESSAGES = { ...QUEUE, concurrency: 512, concurrencyPerOrganization: 64 };

/** How long a server may take to accept a message that it does not answer, or to begin a stream, in milliseconds. */
const MESSAGE_MS = 10_000;

/** How many requests of a server there may be in the answer to one request. */
const MAXIMUM_REQUESTS = 100;

/** Where ids of requests begin, at most: several processes use one session, in which no two may have the same. */
const FIRST_ID = 2 ** 47;

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
  /** What answers of the server are counted toward; absent for nothing. */
  readonly memory?: AnswerMemory | undefined;
  /** A session of the client's own at the server; absent for one that is kept here for the holder. */
  readonly session?: ServerSession | undefined;
  /** Is told of progress and log messages; absent where no one wants them. */
  readonly onNotification?: ((notification: RpcNotification) => void | Promise<void>) | undefined;
  /** Is given requests of the server. @returns what is answered at once; undefined where the client answers by itself */
  readonly onRequest?: ((request: RpcRequest) => Promise<RpcOutcome | undefined>) | undefined;
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

/** What is done with a server, within a time. */
type Work<Result> = (asked: AskedServer, signal: AbortSignal) => Promise<Result>;

/** Asks MCP servers, in the newest revision or, where they do not know it, in one with a handshake (docs/interface/mcp-servers.md#revisions). */
@Injectable()
export class McpUpstream implements OnApplicationShutdown {
  private readonly transport: McpTransport;
  private readonly queue = new FairQueue(QUEUE);
  private readonly messages = new FairQueue(MESSAGES);
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
  private lastId = randomInt(FIRST_ID);

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
      if (call.session !== undefined) return this.askInSession(asked, request, { ...call, signal });
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

  /**
   * Asks a server of the newest revision for a handshake, and so finds out which revision with one it has besides. A session that it opens for
   * that is ended.
   *
   * @throws McpFailure where it has none, and as {@link ask} does
   */
  async handshakeRevision(server: ReadyMcpServer, call: McpCall): Promise<string> {
    return this.inTime(server, call, async (asked, signal) => {
      const opened = await this.handshake(asked, { protocolVersion: LEGACY_REVISION, capabilities: {} }, signal);
      this.discard(asked, opened);
      return opened.revision;
    });
  }

  /**
   * Opens a session of a client's own, in a revision with a handshake, and tells the server what it may ask the client for. It is ready once
   * the client has told so ({@link tell}).
   *
   * @returns undefined for a server that answers with another revision
   * @throws as {@link ask} does
   */
  async open(
    server: ReadyMcpServer,
    asked: { readonly revision: string; readonly capabilities: JsonObject },
    call: McpCall,
  ): Promise<OpenedServerSession | undefined> {
    const { revision, capabilities } = asked;
    return this.inTime(server, call, async (ready, signal) => {
      const opened = await this.handshake(ready, { protocolVersion: revision, capabilities }, signal);
      if (opened.revision === revision) {
        return { version: server.version, id: opened.id, revision, capabilities: opened.capabilities };
      }
      this.discard(ready, opened);
      return undefined;
    });
  }

  /**
   * Sends a message of a client that is not answered, in its session.
   *
   * @throws McpSessionLost, and what {@link ask} throws
   */
  async tell(server: ReadyMcpServer, session: ServerSession, message: object, call: McpCall): Promise<void> {
    await this.sent(server, call, async (asked, signal) => {
      requireSession(await this.delivered(asked, session, message, signal));
    });
  }

  /**
   * Opens the stream of a session, on which a server says what belongs to no request.
   *
   * @returns undefined for a server that has none
   * @throws McpSessionLost, and what {@link ask} throws; reading throws McpFailure, and the reason of the signal
   */
  async listen(
    server: ReadyMcpServer,
    session: ServerSession,
    call: McpCall,
  ): Promise<AsyncIterable<unknown> | undefined> {
    return this.sent(server, call, async (asked, beginning) => {
      const ending = new AbortController();
      const give = (): void => ending.abort(beginning.reason);
      beginning.addEventListener('abort', give, { once: true });
      try {
        const signal = AbortSignal.any([call.signal, ending.signal]);
        const answer = await this.transport.listen({ url: asked.url, headers: sessionHeaders(asked, session), signal });
        if (answer.status === 405) return undefined;
        requireSession(answer);
        return answer.messages;
      } finally {
        // From here on it lasts as long as its client.
        beginning.removeEventListener('abort', give);
      }
    });
  }

  /** Ends the session of a client. @returns whether the server lets clients end sessions @throws as {@link tell} does */
  async end(server: ReadyMcpServer, session: ServerSession, call: McpCall): Promise<boolean> {
    return this.sent(server, call, async (asked, signal) => {
      const status = await this.transport.end({ url: asked.url, headers: sessionHeaders(asked, session), signal });
      if (status === 405) return false;
      requireSession({ status });
      return true;
    });
  }

  /** Ends the session of a holder, if there is one. */
  leave(server: ReadyMcpServer, { holder }: Pick<McpCall, 'holder'>): void {
    this.sessions.delete(sessionName(server, { holder }));
  }

  /** Forgets how a server is asked, so that it is found out anew. */
  forget(server: ReadyMcpServer): void {
    this.known.delete(server.version);
  }

  private async inTime<Result>(server: ReadyMcpServer, call: McpCall, work: Work<Result>): Promise<Result> {
    return this.within(this.queue, server.timeoutMs, { server, call, work });
  }

  /** Does what takes a server little, and is not to wait behind calls. */
  private async sent<Result>(server: ReadyMcpServer, call: McpCall, work: Work<Result>): Promise<Result> {
    return this.within(this.messages, Math.min(server.timeoutMs, MESSAGE_MS), { server, call, work });
  }

  private async within<Result>(
    queue: FairQueue,
    milliseconds: number,
    { server, call, work }: { readonly server: ReadyMcpServer; readonly call: McpCall; readonly work: Work<Result> },
  ): Promise<Result> {
    const limit = new AbortController();
    const timer = setTimeout(
      () => limit.abort(new McpFailure('the server did not answer in time', undefined, true)),
      milliseconds,
    );
    try {
      const ending = AbortSignal.any([call.signal, limit.signal]);
      return await queue.run(server.organizationId, () => this.withCredential(server, call, ending, work), ending);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Does work with what the server is shown; once more where it does not accept a token, which it has not worked with. */
  private async withCredential<Result>(
    server: ReadyMcpServer,
    { userId }: McpCall,
    signal: AbortSignal,
    work: Work<Result>,
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
  private async discovered(server: AskedServer, call: McpCall, isRepeated = false): Promise<ServerFacts | undefined> {
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
    // One that says that it has the revision is asked in no other.
    if (!isRepeated && error !== undefined && isModern(error)) return this.discovered(server, call, true);
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
    const onRequest = (): never => {
      throw new McpFailure('the server sends requests, which its revision does not have', answer.status);
    };
    return this.outcomeOf(answer, id, { onNotification: call.onNotification, onRequest });
  }

  private modernPost(
    server: AskedServer,
    { method, params, headers, clientCapabilities = {} }: McpRequest,
    id: number,
    { signal, memory }: Pick<McpCall, 'signal' | 'memory'>,
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
      memory,
    };
  }

  private async askInSession(
    server: AskedServer,
    request: McpRequest,
    call: McpCall,
    isRepeated = false,
  ): Promise<RpcOutcome> {
    const session = call.session ?? (await this.sessionOf(server, call));
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
      const answer = await this.transport.post({ ...post, signal: call.signal, memory: call.memory });
      requireAccepted(answer);
      if (answer.status === 404 && call.session !== undefined) requireSession(answer);
      const isKept = call.session === undefined && session.id !== undefined;
      if (hasForgottenSession(answer, id) && isKept && !isRepeated) {
        // The server has not worked on the request then.
        this.sessions.delete(sessionName(server, call));
        return await this.askInSession(server, request, call, true);
      }
      if (answer.status > 299) {
        const error = errorIn(answer.message);
        if (error === undefined) throw new McpFailure(`the server answered ${answer.status}`, answer.status);
        return { error };
      }
      const onRequest = (asked: RpcRequest): Promise<void> => this.answerServer(server, session, asked, call);
      return await this.outcomeOf(answer, id, { onNotification: call.onNotification, onRequest });
    } finally {
      call.signal.removeEventListener('abort', cancel);
    }
  }

  /** Has a request of a server answered: nobody but the client of a session of its own can be asked for anything. */
  private async answerServer(
    server: AskedServer,
    session: Pick<Session, 'id' | 'revision'>,
    asked: RpcRequest,
    { onRequest, signal }: McpCall,
  ): Promise<void> {
    const outcome = onRequest === undefined ? ownOutcome(asked) : await onRequest(asked);
    if (outcome === undefined) return;
    await this.delivered(server, session, { jsonrpc: '2.0', id: asked.id, ...outcome }, signal);
  }

  /** Sends what has no answer. What a server says all the same is not read, and its connection closed. */
  private async delivered(
    server: AskedServer,
    session: Pick<Session, 'id' | 'revision'>,
    body: object,
    signal: AbortSignal,
  ): Promise<Pick<McpAnswer, 'status'>> {
    const ending = new AbortController();
    const post = { url: server.url, headers: sessionHeaders(server, session), body };
    try {
      return await this.transport.post({ ...post, signal: AbortSignal.any([signal, ending.signal]) });
    } finally {
      ending.abort();
    }
  }

  /** Tells a server of a revision with a handshake that no one waits for an answer any more. */
  private cancel(server: AskedServer, session: Pick<Session, 'id' | 'revision'>, requestId: number): void {
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
    const session = await this.handshake(server, { protocolVersion: LEGACY_REVISION, capabilities: {} }, signal);
    const ready = { jsonrpc: '2.0', method: 'notifications/initialized' };
    await this.transport.post({ url: server.url, headers: sessionHeaders(server, session), body: ready, signal });
    return session;
  }

  private async handshake(server: AskedServer, asked: JsonObject, signal: AbortSignal): Promise<Session> {
    const id = this.nextId();
    const params = { ...asked, clientInfo: CLIENT_INFO };
    const body = { jsonrpc: '2.0', id, method: 'initialize', params };
    const answer = await this.transport.post({ url: server.url, headers: server.credential, body, signal });
    requireAccepted(answer);
    if (answer.status > 299) throw new McpFailure(`the server answered ${answer.status}`, answer.status);
    try {
      const { result } = await this.outcomeOf(answer, id, {});
      const revision = result?.['protocolVersion'];
      if (typeof revision !== 'string' || !LEGACY_REVISIONS.includes(revision)) {
        throw new McpFailure('the server has none of the revisions that are known', answer.status);
      }
      return { ...factsIn(revision, result!), id: answer.sessionId };
    } catch (error) {
      // It may have opened one all the same.
      this.discard(server, { id: answer.sessionId, revision: LEGACY_REVISION });
      throw error;
    }
  }

  /** Ends a session that nothing is done in, without waiting for it. */
  private discard(server: AskedServer, session: Pick<Session, 'id' | 'revision'>): void {
    void this.endSession(server, session).catch(() => undefined);
  }

  private async endSession(server: AskedServer, session: Pick<Session, 'id' | 'revision'>): Promise<void> {
    if (session.id === undefined) return;
    const signal = AbortSignal.timeout(ENDING_MS);
    await this.transport.end({ url: server.url, headers: sessionHeaders(server, session), signal });
  }

  /** @throws McpFailure for an answer without one to the request */
  private async outcomeOf(answer: McpAnswer, id: number, { onNotification, onRequest }: Told): Promise<RpcOutcome> {
    if (answer.messages === undefined) return requiredOutcome(outcomeIn(answer.message, id), answer.status);
    let requests = 0;
    for await (const message of answer.messages) {
      const outcome = outcomeIn(message, id);
      if (outcome !== undefined) return outcome;
      const notification = notificationIn(message);
      if (notification !== undefined) await onNotification?.(notification);
      const request = requestIn(message);
      if (request === undefined) continue;
      requests += 1;
      if (requests > MAXIMUM_REQUESTS) throw new McpFailure('the server asks too much', answer.status);
      await onRequest?.(request);
    }
    return requiredOutcome(undefined, answer.status);
  }

  private nextId(): number {
    this.lastId = (this.lastId % Number.MAX_SAFE_INTEGER) + 1;
    return this.lastId;
  }
}

/** Who is told of what stands before the answer to a request. */
interface Told {
  readonly onNotification?: McpCall['onNotification'];
  readonly onRequest?: (request: RpcRequest) => Promise<void> | never;
}

/** What a server is answered of which no client can be asked. */
function ownOutcome({ method }: RpcRequest): RpcOutcome {
  if (method === 'ping') return { result: {} };
  return { error: { code: RPC_CODES.methodNotFound, message: 'Method not found' } };
}

/** @throws McpFailure, McpSessionLost */
function requireSession(answer: Pick<McpAnswer, 'status'>): void {
  const { status } = answer;
  requireAccepted(answer);
  if (status === 404) throw new McpSessionLost('the server does not know the session any more', status);
  if (status > 299) throw new McpFailure(`the server answered ${status}`, status);
}

/** Whether a server says that it does not know a session: with a 404, or, as many do, with a 400 that answers no request. */
function hasForgottenSession({ status, message }: McpAnswer, requestId: number): boolean {
  return status === 404 || (status === 400 && outcomeIn(message, requestId) === undefined);
}

/** Whether an error names the newest revision among those that a server has. */
function isModern({ code, data }: RpcError): boolean {
  const supported = code === RPC_CODES.unsupportedVersion && isObject(data) ? data['supported'] : undefined;
  return Array.isArray(supported) && supported.includes(MODERN_REVISION);
}

function requiredOutcome(outcome: RpcOutcome | undefined, status: number): RpcOutcome {
  if (outcome === undefined) throw new McpFailure('the server did not answer the request with JSON-RPC', status);
  return outcome;
}

/** @throws McpFailure where the credential of the server is not accepted */
function requireAccepted({ status }: Pick<McpAnswer, 'status'>): void {
  if (status === UNAUTHORIZED || status === 403)
    throw new McpFailure(`the server did not accept its credential (${status})`, status);
}

function sessionHeaders(
  server: AskedServer,
  { id, revision }: Pick<Session, 'id' | 'revision'>,
): Readonly<Record<string, string>> {
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
