import { Injectable } from '@nestjs/common';
import { recordedName } from '../../../telemetry/recorded-tools.js';
import { isObject } from '../../../http/validation/constraints.js';
import { DomainError } from '../../../http/errors/domain-error.js';
import { mcpToolCheck } from '../../guardrails/mcp/mcp-tools-policy.js';
import { RefusalRecordLimit } from '../../inference/pipeline/refusals/refusal-record-limit.js';
import {
  isShortId,
  type JsonObject,
  RPC_CODES,
  type RpcNotification,
  type RpcOutcome,
} from '../../mcp-servers/upstream/json-rpc.js';
import { McpUpstream } from '../../mcp-servers/upstream/mcp-upstream.service.js';
import type { ReadyMcpServer } from '../../mcp-servers/upstream/ready-mcp-server.js';
import type { McpRequestOf } from '../mcp-request.js';
import type { McpReply } from '../messages/mcp-message.js';
import { CallInspection } from '../tools/call-inspection.service.js';
import { CallOutcome } from '../tools/call-outcome.js';
import { CallRecords } from '../tools/call-records.service.js';
import { begunCall } from '../tools/mcp-call.js';
import { failureOf, progressOf, ServerCalls } from '../tools/server-calls.service.js';
import { LOG_LEVELS, type PairedSession } from './paired-session.js';
import { PairedSessions } from './paired-sessions.service.js';

/** A request in a session that goes with one at a server. */
export type PairedRequest = McpRequestOf & { readonly paired: NonNullable<McpRequestOf['paired']> };

/** The requests that only such sessions have, with what the server must have declared. */
export const SESSION_METHODS: ReadonlyMap<string, string> = new Map([
  ['logging/setLevel', 'logging'],
  ['resources/subscribe', 'resources.subscribe'],
  ['resources/unsubscribe', 'resources.subscribe'],
]);

/** Hands on what clients say in sessions that go with one at a server (docs/interface/mcp.md#sessions). */
@Injectable()
export class SessionMessages {
  constructor(
    private readonly sessions: PairedSessions,
    private readonly upstream: McpUpstream,
    private readonly servers: ServerCalls,
    private readonly inspection: CallInspection,
    private readonly records: CallRecords,
    private readonly recordLimit: RefusalRecordLimit,
  ) {}

  /**
   * Sends what a client answers to its server, which alone knows whether it has asked. What filters of calls of tools do not let pass is an error there.
   *
   * @throws DomainError for a refusal, McpSessionUnknown, the reason of the signal
   */
  async reply(request: PairedRequest, { id, reply }: McpReply): Promise<void> {
    const server = await this.sessions.serverOf(request, request.paired.session);
    const call = begunCall(request, performance.now(), recordedName(server.name));
    const outcome = new CallOutcome();
    const tell = (said: object): Promise<void> => this.tell(request, server, { jsonrpc: '2.0', id, ...said });
    try {
      const { error: failure } = reply;
      const given = failure === undefined ? reply : { error: { code: failure.code, message: failure.message } };
      await tell(await this.inspection.arguments(call, given, outcome));
      if (outcome.findings.length > 0) await this.records.record(call, outcome, { server });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (this.recordLimit.take(request.caller)) {
        await this.records.record(call, outcome, { server }, error);
      }
      // The server would wait for it.
      const refused = { code: RPC_CODES.refused, message: 'The answer of the client was refused.' };
      if (error.status < 500 && error.retryAfterSeconds === undefined) await tell({ error: refused });
      throw error;
    }
  }

  /** What is handed on of a notification of a client; undefined for nothing. */
  handed({ method, params }: RpcNotification, { announced }: PairedSession): object | undefined {
    switch (method) {
      case 'notifications/initialized':
        return { jsonrpc: '2.0', method };
      case 'notifications/roots/list_changed': {
        const { roots } = announced;
        return isObject(roots) && roots['listChanged'] === true ? { jsonrpc: '2.0', method } : undefined;
      }
      case 'notifications/progress': {
        const { progressToken } = params;
        if (!isShortId(progressToken)) return undefined;
        return { jsonrpc: '2.0', method, params: { progressToken, ...progressOf(params) } };
      }
      default:
        return undefined;
    }
  }

  /** Sends a notification. @param handed of {@link handed} @throws as {@link reply} does */
  async notify(request: PairedRequest, handed: object): Promise<void> {
    await this.tell(request, await this.sessions.serverOf(request, request.paired.session), handed);
  }

  /**
   * Asks the server for what only such sessions have: its log messages, and changes of resources.
   *
   * @returns undefined for a method that is none of these, that the server has not declared, or that the key may not use
   * @throws as {@link reply} does
   */
  async ask(request: PairedRequest): Promise<RpcOutcome | undefined> {
    const { method, params: said } = request.message;
    const needed = SESSION_METHODS.get(method);
    if (needed === undefined || !request.paired.session.declared.includes(needed)) return undefined;
    const server = await this.sessions.serverOf(request, request.paired.session);
    const isOfResources = needed !== 'logging';
    if (isOfResources && mcpToolCheck(request.policy.rules)(`${server.name}/*`) !== undefined) return undefined;
    const params = isOfResources ? uriIn(said) : levelIn(said);
    if (params === undefined) return { error: { code: RPC_CODES.invalidParams, message: 'Invalid params' } };
    const call = begunCall(request, performance.now(), recordedName(server.name));
    const outcome = new CallOutcome();
    await this.inspection.begin(call, outcome);
    const answer = await this.servers.ask(call, server, { method, params }, outcome, () => undefined);
    if (answer.error === undefined) return { result: {} };
    return { error: await this.inspection.error(call, answer.error, outcome) };
  }

  /** Ends a session. @returns whether the server lets clients end sessions @throws as {@link reply} does */
  async end(request: PairedRequest): Promise<boolean> {
    const server = await this.sessions.serverOf(request, request.paired.session);
    const { signal, holder, caller } = request;
    return this.failing(server, () =>
      this.upstream.end(server, request.paired.session, { signal, holder, userId: caller.userId }),
    );
  }

  private async tell(request: PairedRequest, server: ReadyMcpServer, message: object): Promise<void> {
    const { signal, holder, caller, paired } = request;
    const call = { signal, holder, userId: caller.userId };
    await this.failing(server, () => this.upstream.tell(server, paired.session, message, call));
  }

  private async failing<Result>(server: ReadyMcpServer, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw failureOf(error, server);
    }
  }
}

function levelIn({ level }: JsonObject): JsonObject | undefined {
  return LOG_LEVELS.has(level) ? { level } : undefined;
}

function uriIn({ uri }: JsonObject): JsonObject | undefined {
  return typeof uri === 'string' ? { uri } : undefined;
}
