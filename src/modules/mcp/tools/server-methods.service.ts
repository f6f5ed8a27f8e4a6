import { Injectable } from '@nestjs/common';
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
import { begunCall, recordedName } from './mcp-call.js';
import { type OnServerNotification, ServerCalls } from './server-calls.service.js';
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

/** The prompts, resources and completions of one server, for keys that may use all of its tools (docs/interface/mcp.md#prompts-and-resources). */
@Injectable()
export class ServerMethods {
  constructor(
    private readonly tools: AvailableTools,
    private readonly inspection: CallInspection,
    private readonly servers: ServerCalls,
    private readonly records: CallRecords,
    private readonly upstream: McpUpstream,
  ) {}

  /** Whether a method is one of these. */
  has(method: string): boolean {
    return METHODS.has(method);
  }

  /** What the endpoint can do besides tools. A server that does not answer has nothing. */
  async capabilities(request: McpRequestOf): Promise<JsonObject> {
    const server = await this.serverOf(request);
    if (server === undefined) return {};
    try {
      const { capabilities } = await this.upstream.facts(server, { ...request, userId: request.caller.userId });
      const had = Object.keys(CAPABILITIES).filter((name) => isObject(capabilities[name]));
      return Object.fromEntries(had.map((name) => [name, {}]));
    } catch (error) {
      if (error instanceof McpFailure || error instanceof McpConnectionRequired) return {};
      throw error;
    }
  }

  /**
   * Asks the server of the path.
   *
   * @returns undefined for a method that it does not have, or the key may not use
   * @throws DomainError for a refusal
   * @throws the reason of the signal
   */
  async ask(request: McpRequestOf, onNotification: OnServerNotification): Promise<RpcOutcome | undefined> {
    const startedAt = performance.now();
    const { method, params } = request.message;
    const server = await this.serverOf(request);
    if (server === undefined || !Object.hasOwn(await this.capabilities(request), METHODS.get(method)!))
      return undefined;
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
      const made: RpcOutcome =
        answer.error === undefined
          ? { result: await this.inspection.result(call, answer.result, outcome) }
          : { error: asRevisionHas(await this.inspection.error(call, answer.error, outcome), answer.error, request) };
      if (made.result !== undefined) outcome.output = JSON.stringify(made.result);
      if (isRecorded) await this.records.record(call, outcome, { server: server.name });
      return made;
    } catch (error) {
      outcome.isCharged = false;
      if (isRecorded) await this.records.record(call, outcome, { server: server.name }, error);
      throw error;
    }
  }

  /** The server of the path, where the key may use all of its tools. */
  private async serverOf(request: McpRequestOf): Promise<ReadyMcpServer | undefined> {
    if (request.serverName === undefined) return undefined;
    const [server] = await this.tools.serversOf(request);
    return mcpToolCheck(request.policy.rules)(`${request.serverName}/*`) === undefined ? server : undefined;
  }
}

/**
 * An error of a server as a client gets it: of a resource that there is not with the code of the client's revision, and with the address that
 * it has asked for. No other data of a server is handed on.
 *
 * @param error with its message as filters leave it @param given as the server has sent it
 */
function asRevisionHas(error: RpcError, { code, data }: RpcError, { message }: McpRequestOf): RpcError {
  const { method, params, isLegacy } = message;
  const { uri } = params;
  const isNamed = code === RPC_CODES.invalidParams && isObject(data) && data['uri'] === uri;
  if (method !== 'resources/read' || typeof uri !== 'string' || !(isNamed || code === RESOURCE_NOT_FOUND)) return error;
  return { ...error, code: isLegacy ? RESOURCE_NOT_FOUND : RPC_CODES.invalidParams, data: { uri } };
}
