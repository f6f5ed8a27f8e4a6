import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../http/errors/domain-error.js';
import { mcpToolCheck } from '../../guardrails/mcp/mcp-tools-policy.js';
import { SeenTools } from '../../mcp-servers/tools/seen-tools.service.js';
import {
  isShortId,
  type JsonObject,
  RPC_CODES,
  type RpcNotification,
  type RpcOutcome,
  type RpcRequest,
} from '../../mcp-servers/upstream/json-rpc.js';
import type { ReadyMcpServer } from '../../mcp-servers/upstream/ready-mcp-server.js';
import { CallInspection } from '../tools/call-inspection.service.js';
import type { CallOutcome } from '../tools/call-outcome.js';
import type { McpCall } from '../tools/mcp-call.js';
import { canBeAsked, LOG_LEVELS, type PairedSession, TOLD_BY_SERVERS } from './paired-session.js';

/** A message of a server, on its way to the client of a session. */
interface OnItsWay {
  readonly call: McpCall;
  readonly server: ReadyMcpServer;
  readonly outcome: CallOutcome;
}

/** Hands on what servers say in sessions of clients, as filters and inspectors of the key leave it (docs/interface/mcp.md#sessions). */
@Injectable()
export class ServerMessages {
  constructor(
    private readonly inspection: CallInspection,
    private readonly seen: SeenTools,
  ) {}

  /**
   * Hands on a request.
   *
   * @returns what the server is answered where it is not handed on; undefined where the client is to answer
   * @throws the reason of the signal
   */
  async request({ id, method, params }: RpcRequest, way: OnItsWay): Promise<RpcOutcome | undefined> {
    const { paired } = way.call;
    const isPing = method === 'ping';
    if (paired === undefined || !(isPing || canBeAsked(paired.session.announced, method))) {
      return isPing ? { result: {} } : { error: { code: RPC_CODES.methodNotFound, message: 'Method not found' } };
    }
    const { _meta: meta, ...said } = params;
    try {
      const handed = isPing ? {} : await this.inspected(said, way);
      const token = (meta as JsonObject | undefined)?.['progressToken'];
      const marked = isShortId(token) ? { ...handed, _meta: { progressToken: token } } : handed;
      await paired.send({ jsonrpc: '2.0', id, method, params: marked });
      return undefined;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { error: { code: RPC_CODES.refused, message: 'The client is not asked this.' } };
    }
  }

  /** Hands on a notification that is for the client of a session; others, and what a filter blocks, are dropped. @throws the reason of the signal */
  async notification({ method, params }: RpcNotification, way: OnItsWay): Promise<void> {
    const { paired } = way.call;
    if (paired === undefined) return;
    try {
      const handed = await this.handed({ method, params }, paired.session, way);
      if (handed !== undefined) await paired.send({ jsonrpc: '2.0', method, ...handed });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }

  /** What is handed on of a notification. @returns undefined for nothing */
  private async handed(
    { method, params }: RpcNotification,
    { announced, declared }: PairedSession,
    way: OnItsWay,
  ): Promise<{ readonly params?: JsonObject } | undefined> {
    if (method === 'notifications/cancelled') {
      const { requestId } = params;
      return isShortId(requestId) ? { params: { requestId } } : undefined;
    }
    if (method === 'notifications/elicitation/complete') {
      const { elicitationId } = params;
      if (!Object.hasOwn(announced, 'elicitation') || typeof elicitationId !== 'string') return undefined;
      return { params: await this.inspected({ elicitationId }, way) };
    }
    const told = TOLD_BY_SERVERS.get(method);
    if (told === undefined || !declared.includes(told)) return undefined;
    switch (told) {
      case 'logging': {
        const { level, logger, data } = params;
        if (!LOG_LEVELS.has(level)) return undefined;
        const said = { ...(typeof logger === 'string' && { logger }), data };
        return { params: { level, ...(await this.inspected(said, way)) } };
      }
      case 'tools.listChanged':
        this.seen.forget(way.server);
        return {};
    }
    // Prompts and resources are for keys that may use all tools of the server.
    if (mcpToolCheck(way.call.policy.rules)(`${way.server.name}/*`) !== undefined) return undefined;
    if (told !== 'resources.subscribe') return {};
    const { uri } = params;
    return typeof uri === 'string' ? { params: await this.inspected({ uri }, way) } : undefined;
  }

  private inspected(said: JsonObject, { call, outcome }: OnItsWay): Promise<JsonObject> {
    return this.inspection.said(call, said, outcome);
  }
}
