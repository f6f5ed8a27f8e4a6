import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { recordedName } from '../../../telemetry/recorded-tools.js';
import { canonicalJson } from '../../../http/canonical-json.js';
import { ClientGoneError } from '../../../http/client-signal.js';
import { isObject } from '../../../http/validation/constraints.js';
import { Cipher } from '../../encryption/cipher.js';
import { isGivingUp } from '../../inference/pipeline/settlement/given-up.js';
import {
  type JsonObject,
  RPC_CODES,
  type RpcNotification,
  type RpcOutcome,
  type RpcRequest,
} from '../../mcp-servers/upstream/json-rpc.js';
import { McpFailure, McpSessionLost } from '../../mcp-servers/upstream/mcp-failure.js';
import { META, MODERN_REVISION } from '../../mcp-servers/upstream/mcp-revisions.js';
import { McpUpstream } from '../../mcp-servers/upstream/mcp-upstream.service.js';
import type { ReadyMcpServer } from '../../mcp-servers/upstream/ready-mcp-server.js';
import { McpServerFailed, McpServerTimedOut, McpSessionUnknown } from '../mcp.errors.js';
import { askedOfClient, canBeAsked } from '../sessions/paired-session.js';
import { ServerMessages } from '../sessions/server-messages.service.js';
import type { CallOutcome } from './call-outcome.js';
import type { McpCall } from './mcp-call.js';

/** Is told of progress of a server. */
export type OnServerNotification = (method: string, params: JsonObject) => void;

/** What is sent to a server. */
export interface SentRequest {
  readonly method: string;
  readonly params: JsonObject;
  /** Further headers: those that repeat arguments. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The words of the newest revision for a result that asks the client for more. */
const INPUT_REQUIRED = 'input_required';

/** How long what a server wants to be told again is taken, in milliseconds. */
const STATE_MS = 3_600_000;

/** Sends what a client has asked to servers, and notes what comes of it (docs/interface/mcp.md#calls). */
@Injectable()
export class ServerCalls {
  constructor(
    private readonly upstream: McpUpstream,
    private readonly cipher: Cipher,
    private readonly messages: ServerMessages,
  ) {}

  /**
   * Asks a server.
   *
   * @returns its answer; in place of `requestState` one that only the same key can send back with the same request
   * @throws McpServerFailed, McpServerTimedOut, McpSessionUnknown, TooManyMcpRequests, the reason of the signal
   */
  async ask(
    call: McpCall,
    server: ReadyMcpServer,
    sent: SentRequest,
    outcome: CallOutcome,
    onNotification: OnServerNotification,
  ): Promise<RpcOutcome> {
    const begun = performance.now();
    const { signal, holder, message, caller, paired } = call;
    if (paired !== undefined && paired.session.version !== server.version) throw new McpSessionUnknown();
    const note = (status: number | null): void => {
      outcome.attempt = {
        provider: recordedName(server.name),
        providerName: server.name,
        model: call.model,
        endpoint: server.name,
        status,
        isByok: false,
        startedMs: Math.round(begun - call.startedAt),
        latencyMs: Math.round(performance.now() - begun),
      };
    };
    const token = progressTokenOf(message.params);
    try {
      const way = { call, server, outcome };
      const asking = {
        holder,
        userId: caller.userId,
        signal,
        memory: call.http.heldMemory,
        session: paired?.session,
        onNotification: async (notification: RpcNotification): Promise<void> => {
          const { method, params } = notification;
          if (token !== undefined && method === 'notifications/progress' && params['progressToken'] === call.id) {
            onNotification(method, { ...progressOf(params), progressToken: token });
          } else await this.messages.notification(notification, way);
        },
        onRequest: (request: RpcRequest) => this.messages.request(request, way),
      };
      const { revision } = paired?.session ?? (await this.upstream.facts(server, asking));
      const canAsk = !message.isLegacy && revision === MODERN_REVISION;
      const clientCapabilities = canAsk ? capabilitiesOf(message.params) : {};
      const state = canAsk ? this.stateIn(call, server, sent) : {};
      if (state === undefined) {
        return {
          error: { code: RPC_CODES.invalidParams, message: 'Invalid params: requestState is not one of this request' },
        };
      }
      const answer = await this.upstream.ask(
        server,
        {
          ...sent,
          params: { ...sent.params, ...state, ...(token !== undefined && { _meta: { progressToken: call.id } }) },
          clientCapabilities,
        },
        asking,
      );
      note(200);
      if (answer.error !== undefined) return answer;
      const isAsking = answer.result['resultType'] === INPUT_REQUIRED;
      if (isAsking && !(canAsk && canBeGiven(answer.result, clientCapabilities)))
        throw new McpFailure('the server asks for what the client cannot give');
      outcome.isCharged = !isAsking;
      outcome.mcp = {
        ...outcome.mcp,
        resultBytes: Buffer.byteLength(JSON.stringify(answer.result)),
        ...(answer.result['isError'] === true && { isError: true as const }),
      };
      return { result: isAsking ? this.withSealedState(call, server, sent, answer.result) : plain(answer.result) };
    } catch (error) {
      // One that was given up may have done its work all the same.
      const hasTimedOut = error instanceof McpFailure && error.hasTimedOut;
      outcome.isCharged = hasTimedOut || error instanceof ClientGoneError || isGivingUp(error);
      note(error instanceof McpFailure ? (error.status ?? null) : null);
      throw failureOf(error, server);
    }
  }

  /** What the client answers to a server that has asked it; undefined for a state that is none of this request. */
  private stateIn(
    { message: { params }, ...call }: McpCall,
    server: ReadyMcpServer,
    sent: SentRequest,
  ): JsonObject | undefined {
    const { requestState: sealed, inputResponses } = params;
    const responses = isObject(inputResponses) ? { inputResponses } : {};
    if (sealed === undefined) return responses;
    if (typeof sealed !== 'string') return undefined;
    try {
      const opened = this.cipher.open(dataOf(call, server, sent), Buffer.from(sealed, 'base64url'));
      if (!isObject(opened) || (opened['until'] as number) < Date.now()) return undefined;
      return { ...responses, requestState: opened['state'] };
    } catch {
      return undefined;
    }
  }

  private withSealedState(call: McpCall, server: ReadyMcpServer, sent: SentRequest, result: JsonObject): JsonObject {
    const { requestState: state, ...others } = result;
    if (typeof state !== 'string') return others;
    const sealed = this.cipher.seal(dataOf(call, server, sent), { state, until: Date.now() + STATE_MS });
    return { ...others, requestState: sealed.toString('base64url') };
  }
}

/** What a state of a server is bound to: the key, the server, and what was asked. */
function dataOf(
  { caller }: Pick<McpCall, 'caller'>,
  { id }: ReadyMcpServer,
  { method, params }: SentRequest,
): string[] {
  const { inputResponses: _, ...asked } = params;
  const digest = createHash('sha256').update(canonicalJson(asked)).digest('hex');
  return ['mcp_request_state', caller.organizationId, caller.credentialId, id, method, digest];
}

function capabilitiesOf({ _meta: meta }: JsonObject): JsonObject {
  return askedOfClient(isObject(meta) ? meta[META.clientCapabilities] : undefined);
}

/** Whether all that a result asks the client for is what it can be asked for. */
function canBeGiven({ inputRequests = {} }: JsonObject, announced: JsonObject): boolean {
  if (!isObject(inputRequests)) return false;
  return Object.values(inputRequests).every((asked) => isObject(asked) && canBeAsked(announced, asked['method']));
}

/** A result without what belongs to the exchange between gateway and server, and what only one that asks for more has, of which no filter reads the state. */
function plain({
  resultType: _type,
  ttlMs: _ttl,
  cacheScope: _scope,
  requestState: _state,
  inputRequests: _requests,
  _meta: meta,
  ...result
}: JsonObject): JsonObject {
  if (!isObject(meta)) return result;
  const { [META.serverInfo]: _info, ...others } = meta;
  return Object.keys(others).length === 0 ? result : { ...result, _meta: others };
}

/** The failure of a server as callers get it. */
export function failureOf(error: unknown, { name }: ReadyMcpServer): unknown {
  if (error instanceof McpSessionLost) return new McpSessionUnknown();
  if (!(error instanceof McpFailure)) return error;
  return error.hasTimedOut ? new McpServerTimedOut(name) : new McpServerFailed(name, error.message);
}

function progressTokenOf({ _meta: meta }: JsonObject): string | number | undefined {
  const token = isObject(meta) ? meta['progressToken'] : undefined;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/** What a server says of its progress: numbers. Its words are not handed on, because no filter reads them. */
export function progressOf({ progress, total }: JsonObject): JsonObject {
  return {
    ...(typeof progress === 'number' && { progress }),
    ...(typeof total === 'number' && { total }),
  };
}
