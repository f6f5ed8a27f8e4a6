import { Injectable } from '@nestjs/common';
import { recordedName } from '../../../telemetry/recorded-tools.js';
import { isObject } from '../../../http/validation/constraints.js';
import { mcpToolCheck } from '../../guardrails/mcp/mcp-tools-policy.js';
import { type JsonObject, RPC_CODES, type RpcError, type RpcOutcome } from '../../mcp-servers/upstream/json-rpc.js';
import { McpFailure } from '../../mcp-servers/upstream/mcp-failure.js';
import { McpConnectionRequired } from '../../mcp-servers/mcp-servers.errors.js';
import { McpUpstream } from '../../mcp-servers/upstream/mcp-upstream.service.js';
import type { ReadyMcpServer } from '../../mcp-servers/upstream/ready-mcp-server.js';
import type { McpRequestOf } from '../mcp-request.js';
import { AvailableTools } from './available-tools.service.js';
import { CallInspection } from './call-inspection.service.js';
import { CallOutcome } from './call-outcome.js';
import { CallRecords } from './call-records.service.js';
import { type NamedOfServer, promptIn, resourceIn, withJoinedUris } from './joined-names.js';
import { begunCall, type McpCall } from './mcp-call.js';
import { type OnServerNotification, type SentRequest, ServerCalls } from './server-calls.service.js';
import { ServerLists } from './server-lists.service.js';
import { withInput } from './tool-calls.service.js';

/** The capabilities of a server that the endpoint of it has as well, and the methods of each. */
const CAPABILITIES = {
  prompts: ['prompts/list', 'prompts/get'],
  resources: ['resources/list', 'resources/templates/list', 'resources/read'],
  completions: ['completion/complete'],
} as const;

const METHODS: ReadonlyMap<string, string> = new Map(
  Object.entries(CAPABILITIES).flatMap(([capability, methods]) => methods.map((method) => [method, capability])),
);

/** What is read of a server by these gets a record. */
const RECORDED: ReadonlySet<string> = new Set(['prompts/get', 'resources/read']);

/** The lists, which clients of the newest revision may keep for a time. */
export const LISTS: ReadonlySet<string> = new Set([
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);

/** The parameters that are handed on. What else there is belongs to the exchange between client and gateway. */
const PARAMETERS = ['cursor', 'name', 'uri', 'arguments', 'ref', 'argument', 'context'];

/** The code of a resource that there is not, in the revisions with a handshake. */
const RESOURCE_NOT_FOUND = -32002;

/** The prompts, resources and completions of servers, for keys that may use all tools of these (docs/interface/mcp.md#prompts-and-resources). */
@Injectable()
export class ServerMethods {
  constructor(
    private readonly tools: AvailableTools,
    private readonly inspection: CallInspection,
    private readonly servers: ServerCalls,
    private readonly records: CallRecords,
    private readonly lists: ServerLists,
    private readonly upstream: McpUpstream,
  ) {}

  /** Whether a method is one of these. */
  has(method: string): boolean {
    return METHODS.has(method);
  }

  /** What the endpoint can do besides tools. A server that does not answer has nothing; of all servers together none is asked. */
  async capabilities(request: McpRequestOf): Promise<JsonObject> {
    const [server] = await this.serversOf(request);
    if (server === undefined) return {};
    const names = Object.keys(CAPABILITIES);
    const had = request.serverName === undefined ? names : await this.capabilitiesOf(server, request);
    return Object.fromEntries(names.filter((name) => had.includes(name)).map((name) => [name, {}]));
  }

  /**
   * Asks the server of the path, or the one whose prompt or resource is named; for lists of all servers together, each of them.
   *
   * @returns undefined for a method that the path does not have, or the key may not use
   * @throws DomainError for a refusal
   * @throws the reason of the signal
   */
  async ask(request: McpRequestOf, onNotification: OnServerNotification): Promise<RpcOutcome | undefined> {
    const { method, params } = request.message;
    const servers = await this.serversOf(request);
    const [first] = servers;
    if (first === undefined) return undefined;
    if (request.serverName !== undefined) {
      const had = await this.capabilitiesOf(first, request);
      return had.includes(METHODS.get(method)!) ? this.askServer(request, first, params, onNotification) : undefined;
    }
    if (!this.lists.has(method)) return this.askNamed(request, servers, onNotification);
    if (params['cursor'] !== undefined) return invalid('Invalid params: there is no such cursor');
    return { result: await this.lists.of(request, servers) };
  }

  /** Asks the server whose prompt or resource a request to all servers names. */
  private async askNamed(
    request: McpRequestOf,
    servers: readonly ReadyMcpServer[],
    onNotification: OnServerNotification,
  ): Promise<RpcOutcome> {
    const { method, params } = request.message;
    const named = namedIn(method, params);
    const server = servers.find(({ name }) => name === named?.server);
    if (named === undefined || server === undefined) return unknown(request);
    if (method === 'completion/complete' && !(await this.capabilitiesOf(server, request)).includes('completions')) {
      return { result: { completion: { values: [] } } };
    }
    const made = await this.askServer(request, server, { ...params, ...named.params }, onNotification);
    return made.error?.code === RPC_CODES.methodNotFound ? unknown(request) : made;
  }

  /** Asks a server. @param params as it knows them */
  private async askServer(
    request: McpRequestOf,
    server: ReadyMcpServer,
    params: JsonObject,
    onNotification: OnServerNotification,
  ): Promise<RpcOutcome> {
    const startedAt = performance.now();
    const { method } = request.message;
    const call = begunCall(request, startedAt, recordedName(server.name));
    const isRecorded = RECORDED.has(method);
    if (isRecorded) request.http.res?.setHeader('X-Generation-Id', call.id);
    const outcome = new CallOutcome();
    try {
      const { inputResponses } = params;
      const given = Object.fromEntries(PARAMETERS.flatMap((name) => (name in params ? [[name, params[name]]] : [])));
      const { name, uri, ref, cursor, ...texts } = given;
      const written = await this.inspection.arguments(
        call,
        { ...texts, ...(isObject(inputResponses) && { inputResponses }) },
        outcome,
      );
      const { inputResponses: _, ...values } = written;
      const fixed = Object.fromEntries(
        Object.entries({ name, uri, ref, cursor }).filter(([, value]) => value !== undefined),
      );
      outcome.input = JSON.stringify({ ...fixed, ...values });
      outcome.mcp = { requestBytes: Buffer.byteLength(outcome.input) };
      const sent = { method, params: { ...fixed, ...values } };
      const answer = await this.servers.ask(withInput(call, written), server, sent, outcome, onNotification);
      // Only tools have prices.
      outcome.isCharged = false;
      const made = await this.inspected(call, server, sent, answer, outcome);
      if (made.result !== undefined) outcome.output = JSON.stringify(made.result);
      if (isRecorded) await this.records.record(call, outcome, { server });
      return made;
    } catch (error) {
      outcome.isCharged = false;
      if (isRecorded) await this.records.record(call, outcome, { server }, error);
      throw error;
    }
  }

  /** What a server has answered, as filters and inspectors leave it, with the URIs that the path has. */
  private async inspected(
    call: McpCall,
    server: ReadyMcpServer,
    sent: Pick<SentRequest, 'params'>,
    answer: RpcOutcome,
    outcome: CallOutcome,
  ): Promise<RpcOutcome> {
    if (answer.error !== undefined) {
      const error = await this.inspection.error(call, answer.error, outcome);
      return { error: asRevisionHas(error, answer.error, sent, call) };
    }
    const result = await this.inspection.result(call, answer.result, outcome);
    return { result: call.serverName === undefined ? withJoinedUris(server.name, result) : result };
  }

  /** The servers that a key may use all tools of: that of the path, or all of them. */
  private async serversOf(request: McpRequestOf): Promise<readonly ReadyMcpServer[]> {
    const check = mcpToolCheck(request.policy.rules);
    const servers = await this.tools.serversOf(request);
    return servers.filter(({ name }) => check(`${name}/*`) === undefined);
  }

  /** What a server has besides tools. */
  private async capabilitiesOf(server: ReadyMcpServer, request: McpRequestOf): Promise<readonly string[]> {
    try {
      const { capabilities } = await this.upstream.facts(server, { ...request, userId: request.caller.userId });
      return Object.keys(CAPABILITIES).filter((name) => isObject(capabilities[name]));
    } catch (error) {
      if (error instanceof McpFailure || error instanceof McpConnectionRequired) return [];
      throw error;
    }
  }
}

/** A server, and what it is told in place of what a client has named. */
interface NamedServer {
  readonly server: string;
  readonly params: JsonObject;
}

/** Whose prompt or resource a request to all servers names; undefined for none. */
function namedIn(method: string, { name, uri, ref }: JsonObject): NamedServer | undefined {
  const told = (named: NamedOfServer | undefined, of: (name: string) => JsonObject): NamedServer | undefined =>
    named && { server: named.server, params: of(named.name) };
  if (method === 'prompts/get') return told(promptIn(name), (own) => ({ name: own }));
  if (method === 'resources/read') return told(resourceIn(uri), (own) => ({ uri: own }));
  if (!isObject(ref)) return undefined;
  return ref['type'] === 'ref/prompt'
    ? told(promptIn(ref['name']), (own) => ({ ref: { ...ref, name: own } }))
    : told(resourceIn(ref['uri']), (own) => ({ ref: { ...ref, uri: own } }));
}

/** The error for what no server has that the key may use. */
function unknown({ message: { method, params, isLegacy } }: McpRequestOf): RpcOutcome {
  const { uri } = params;
  if (method !== 'resources/read' || typeof uri !== 'string') {
    return invalid('Invalid params: there is no such prompt or resource');
  }
  return { error: { code: notFoundIn(isLegacy), message: 'Resource not found', data: { uri } } };
}

function invalid(message: string): RpcOutcome {
  return { error: { code: RPC_CODES.invalidParams, message } };
}

/**
 * An error of a server as a client gets it: of a resource that there is not with the code of the client's revision, and with the address that
 * it has asked for. No other data of a server is handed on.
 *
 * @param error with its message as filters leave it @param given as the server has sent it @param sent what the server was asked
 */
function asRevisionHas(
  error: RpcError,
  { code, data }: RpcError,
  sent: Pick<SentRequest, 'params'>,
  { message }: McpRequestOf,
): RpcError {
  const { method, params, isLegacy } = message;
  const { uri } = params;
  const isNamed = code === RPC_CODES.invalidParams && isObject(data) && data['uri'] === sent.params['uri'];
  if (method !== 'resources/read' || typeof uri !== 'string' || !(isNamed || code === RESOURCE_NOT_FOUND)) return error;
  return { ...error, code: notFoundIn(isLegacy), data: { uri } };
}

function notFoundIn(isLegacy: boolean): number {
  return isLegacy ? RESOURCE_NOT_FOUND : RPC_CODES.invalidParams;
}
