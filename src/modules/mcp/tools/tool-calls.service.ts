import { Injectable } from '@nestjs/common';
import { recordedName } from '../../../telemetry/recorded-tools.js';
import { DomainError } from '../../../http/errors/domain-error.js';
import { isObject } from '../../../http/validation/constraints.js';
import { ContentBlocked, PromptInjectionDetected } from '../../content/content.errors.js';
import { mcpToolCheck } from '../../guardrails/mcp/mcp-tools-policy.js';
import { RefusalRecordLimit } from '../../inference/pipeline/refusals/refusal-record-limit.js';
import { observation } from '../../inference/pipeline/request/decision.js';
import { argumentHeadersOf, mismatchedArgument } from '../../mcp-servers/upstream/header-values.js';
import { type JsonObject, RPC_CODES, type RpcError, type RpcOutcome } from '../../mcp-servers/upstream/json-rpc.js';
import type { McpRequestOf } from '../mcp-request.js';
import { McpArgumentsNotAllowed, McpToolNotApproved, McpToolUnknown } from '../mcp.errors.js';
import { textOf } from '../messages/mcp-message.js';
import { CallInspection } from './call-inspection.service.js';
import { CallJudging } from './call-judging.service.js';
import { type OnServerNotification, ServerCalls } from './server-calls.service.js';
import { ArgumentRules } from './argument-rules.service.js';
import { AvailableTools, type OfferedTool } from './available-tools.service.js';
import { CallOutcome } from './call-outcome.js';
import { CallRecords } from './call-records.service.js';
import { withJoinedUris } from './joined-names.js';
import { begunCall, type McpCall } from './mcp-call.js';
import { ToolAdmission } from './tool-admission.service.js';

/** What a call comes to. */
export interface CalledTool {
  readonly outcome: RpcOutcome;
  /** The HTTP status of an error that has one of its own. */
  readonly status?: number;
}

/** Calls tools: permission, arguments, money, judge models, server, result and record, in this order (docs/interface/mcp.md#calls). */
@Injectable()
export class ToolCalls {
  constructor(
    private readonly tools: AvailableTools,
    private readonly rules: ArgumentRules,
    private readonly inspection: CallInspection,
    private readonly judging: CallJudging,
    private readonly admission: ToolAdmission,
    private readonly servers: ServerCalls,
    private readonly records: CallRecords,
    private readonly recordLimit: RefusalRecordLimit,
  ) {}

  /**
   * Calls a tool, and records it.
   *
   * @throws DomainError for a refusal, which is recorded; those of unknown tools as far as there is room for such records
   * @throws the reason of the signal
   */
  async call(request: McpRequestOf, onNotification: OnServerNotification): Promise<CalledTool> {
    const startedAt = performance.now();
    const { name, arguments: values = {} } = request.message.params;
    if (typeof name !== 'string' || !isObject(values)) {
      const message = `Invalid params: ${typeof name === 'string' ? 'arguments must be an object' : 'name must be a text'}`;
      return { outcome: { error: { code: RPC_CODES.invalidParams, message } } };
    }
    const tool = await this.tools.named(request, name);
    if (tool === undefined) throw new McpToolUnknown(name.slice(0, 200).toWellFormed());
    const call = begunCall(request, startedAt, recordedName(tool.server.name, tool.name));
    request.http.res?.setHeader('X-Generation-Id', call.id);
    const outcome = new CallOutcome();
    const named = { server: tool.server, tool: tool.name };
    try {
      const answered = await this.answered(call, tool, values, outcome, onNotification);
      await this.records.record(call, outcome, named);
      return answered;
    } catch (error) {
      if (!(error instanceof McpToolUnknown) || this.recordLimit.take(request.caller)) {
        await this.records.record(call, outcome, named, error);
      }
      if (error instanceof ContentBlocked || error instanceof PromptInjectionDetected) {
        // Models read this, and not errors of the protocol.
        return { outcome: { result: failedResult(error) } };
      }
      throw error;
    }
  }

  private async answered(
    call: McpCall,
    tool: OfferedTool,
    values: JsonObject,
    outcome: CallOutcome,
    onNotification: OnServerNotification,
  ): Promise<Pick<CalledTool, 'outcome' | 'status'>> {
    this.requireAllowed(call, tool, outcome);
    const mismatch = headerError(call, tool, values);
    if (mismatch !== undefined) return { outcome: { error: mismatch }, status: 400 };
    const { inputResponses } = call.message.params;
    const written = await this.inspection.arguments(
      call,
      { arguments: values, ...(isObject(inputResponses) && { inputResponses }) },
      outcome,
      false,
    );
    const inspected = written['arguments'] as JsonObject;
    const refused = this.rules.issueOf(call.policy.rules, `${tool.server.name}/${tool.name}`, inspected);
    if (refused !== undefined) throw new McpArgumentsNotAllowed(refused.issue, refused.guardrailIds);
    outcome.input = JSON.stringify(inspected);
    outcome.mcp = { requestBytes: Buffer.byteLength(outcome.input) };
    const judged = await this.judging.of(call, written, outcome);
    await this.admission.admit(call, tool, judged?.judging.worstCase, outcome);
    outcome.find([], outcome.admitted?.observed);
    if (judged !== undefined) await this.judging.arguments(call, judged);
    const sent = {
      method: 'tools/call',
      params: { name: tool.name, arguments: inspected },
      headers: argumentHeadersOf(tool.usable!.inputSchema, inspected),
    };
    const answer = await this.servers.ask(withInput(call, written), tool.server, sent, outcome, onNotification);
    if (answer.error !== undefined) {
      return { outcome: { error: await this.inspection.error(call, answer.error, outcome) } };
    }
    const inspectedResult = await this.inspection.result(call, answer.result, outcome);
    const result = call.serverName === undefined ? withJoinedUris(tool.server.name, inspectedResult) : inspectedResult;
    outcome.output = JSON.stringify(result);
    return { outcome: { result } };
  }

  /** @throws McpToolUnknown, McpToolNotApproved */
  private requireAllowed(
    { policy }: McpCall,
    { refusal, usable, state, server, name, shownName }: OfferedTool,
    outcome: CallOutcome,
  ): void {
    if (refusal !== undefined) {
      const { allowedMcpTools, ignoredMcpTools } = policy.rules;
      const { guardrailIds } = refusal === 'ignored' ? ignoredMcpTools : allowedMcpTools;
      throw new McpToolUnknown(shownName, refusal, guardrailIds);
    }
    if (state === 'gone') throw new McpToolUnknown(shownName, state);
    if (usable === undefined) throw new McpToolNotApproved(shownName);
    const refusing = policy.observers.filter(({ rules }) => {
      const { allowedMcpTools, ignoredMcpTools } = rules;
      const speaks = allowedMcpTools.value !== null || ignoredMcpTools.value !== null;
      const refused = mcpToolCheck(rules)(`${server.name}/${name}`);
      return speaks && (allowedMcpTools.value === null ? refused === 'ignored' : refused !== undefined);
    });
    outcome.find(
      [],
      refusing.map((observer) => observation(observer, 'refused', 'tool')),
    );
  }
}

/** The error of a request of the newest revision whose headers do not repeat its arguments as the tool says. */
function headerError({ message, http }: McpCall, { usable }: OfferedTool, values: JsonObject): RpcError | undefined {
  if (message.isLegacy) return undefined;
  const header = mismatchedArgument(usable!.inputSchema, values, (name) => textOf(http.headers[name]));
  if (header === undefined) return undefined;
  return { code: RPC_CODES.headerMismatch, message: `The header ${header} does not repeat its argument.` };
}

/** A result that says to the model why there is none. */
function failedResult(error: DomainError): JsonObject {
  return { content: [{ type: 'text', text: error.shownMessage ?? error.reason }], isError: true };
}

/** A call whose answers to a server are as filters leave them. */
export function withInput(call: McpCall, { inputResponses }: JsonObject): McpCall {
  if (inputResponses === undefined) return call;
  return { ...call, message: { ...call.message, params: { ...call.message.params, inputResponses } } };
}
