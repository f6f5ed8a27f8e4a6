import { Injectable } from '@nestjs/common';
import { ClientGoneError } from '../../../http/client-signal.js';
import { DomainError } from '../../../http/errors/domain-error.js';
import { RequestSlots } from '../../../http/request-limits/request-slots.js';
import { isObject } from '../../../http/validation/constraints.js';
import { AnswerRefused } from '../../content/answers/answer-text.js';
import { ContentBlocked, errorOfRefusal, PromptInjectionDetected } from '../../content/content.errors.js';
import { mcpToolCheck } from '../../guardrails/mcp/mcp-tools-policy.js';
import { ContentInspection } from '../../inference/pipeline/content/content-inspection.service.js';
import { RequestInspectors } from '../../inference/pipeline/inspectors/request-inspectors.service.js';
import { RefusalRecordLimit } from '../../inference/pipeline/refusals/refusal-record-limit.js';
import { observation } from '../../inference/pipeline/request/decision.js';
import { argumentHeadersOf, mismatchedArgument } from '../../mcp-servers/upstream/header-values.js';
import { type JsonObject, RPC_CODES, type RpcError, type RpcOutcome } from '../../mcp-servers/upstream/json-rpc.js';
import { McpFailure } from '../../mcp-servers/upstream/mcp-failure.js';
import { McpUpstream } from '../../mcp-servers/upstream/mcp-upstream.service.js';
import type { ReadyMcpServer } from '../../mcp-servers/upstream/ready-mcp-server.js';
import type { McpRequestOf } from '../mcp-request.js';
import {
  McpArgumentsNotAllowed,
  McpServerFailed,
  McpServerTimedOut,
  McpToolNotApproved,
  McpToolUnknown,
} from '../mcp.errors.js';
import { textOf } from '../messages/mcp-message.js';
import { ArgumentRules } from './argument-rules.service.js';
import { AvailableTools, type OfferedTool } from './available-tools.service.js';
import { CallOutcome } from './call-outcome.js';
import { CallRecords } from './call-records.service.js';
import { begunCall, type McpCall, recordedName } from './mcp-call.js';
import { ToolAdmission } from './tool-admission.service.js';
import { MCP_RESULT } from './tool-texts.js';

/** Is told of progress and log messages of a server. */
export type OnServerNotification = (method: string, params: JsonObject) => void;

/** What a call comes to. */
export interface CalledTool {
  readonly outcome: RpcOutcome;
  /** The HTTP status of an error that has one of its own. */
  readonly status?: number;
}

/** Calls tools: permission, arguments, money, server, result and record, in this order (docs/interface/mcp.md#calls). */
@Injectable()
export class ToolCalls {
  constructor(
    private readonly tools: AvailableTools,
    private readonly rules: ArgumentRules,
    private readonly inspection: ContentInspection,
    private readonly inspectors: RequestInspectors,
    private readonly admission: ToolAdmission,
    private readonly upstream: McpUpstream,
    private readonly records: CallRecords,
    private readonly recordLimit: RefusalRecordLimit,
    private readonly slots: RequestSlots,
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
    const named = { server: tool.server.name, tool: tool.name };
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
    const inspected = await this.inspectedArguments(call, values, outcome);
    const issue = this.rules.issueOf(call.policy.rules, `${tool.server.name}/${tool.name}`, inspected);
    if (issue !== undefined) throw new McpArgumentsNotAllowed(issue);
    outcome.input = JSON.stringify(inspected);
    outcome.mcp = { requestBytes: Buffer.byteLength(outcome.input) };
    outcome.admitted = await this.admission.admit(call, tool);
    outcome.find([], outcome.admitted.observed);
    const answer = await this.asked(call, tool, inspected, outcome, onNotification);
    if (answer.error !== undefined) return { outcome: answer };
    const result = await this.inspectedResult(call, answer.result, outcome);
    outcome.output = JSON.stringify(result);
    return { outcome: { result } };
  }

  /** @throws McpToolUnknown, McpToolNotApproved */
  private requireAllowed(
    { policy }: McpCall,
    { refusal, usable, state, server, name, shownName }: OfferedTool,
    outcome: CallOutcome,
  ): void {
    if (refusal !== undefined) throw new McpToolUnknown(shownName, refusal);
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

  /** The arguments as filters and inspectors leave them. @throws ContentBlocked and so on */
  private async inspectedArguments(call: McpCall, values: JsonObject, outcome: CallOutcome): Promise<JsonObject> {
    const { policy, signal } = call;
    const decision = { ...call, ...call.subject, inputs: call, workspaceId: call.context.workspaceId, models: [] };
    outcome.inspection = await this.slots.run(call.caller.organizationId, () => this.inspectors.of(call, decision));
    const judges = outcome.inspection?.judges() ?? [];
    const observers = policy.observers.filter(({ answers }) => !answers.isEmpty);
    const text = JSON.stringify(values);
    const texts = [{ place: 'tool_call' as const, kind: 'tool_arguments' as const, text }];
    for (const { answers } of observers) {
      await answers
        .observation(signal)
        .whole(texts)
        .catch(() => undefined);
    }
    if (policy.answers.isEmpty && judges.length === 0) return values;
    const inspection = policy.answers.inspection(signal, judges);
    try {
      const [written] = await inspection.whole(texts);
      return written === text ? values : (JSON.parse(written!) as JsonObject);
    } catch (error) {
      throw error instanceof AnswerRefused ? errorOfRefusal(error.refusal, 'Request') : error;
    } finally {
      await inspection.report().catch(() => undefined);
      outcome.find(inspection.findings);
    }
  }

  /** The result as filters and inspectors leave it. @throws ContentBlocked and so on */
  private async inspectedResult(call: McpCall, result: JsonObject, outcome: CallOutcome): Promise<JsonObject> {
    const { caller, policy, signal } = call;
    return this.slots.run(caller.organizationId, async (slot) => {
      const means = { slot, signal };
      const { inspected, findings, refusal } = await this.inspection.inspect(MCP_RESULT, policy, call, result, means);
      outcome.find(findings);
      if (inspected === undefined) throw refusal!;
      const judged =
        outcome.inspection &&
        (await this.inspectors.inspect(MCP_RESULT, call, outcome.inspection, inspected, {
          ...means,
          withModels: true,
        }));
      if (judged?.refusal !== undefined) throw judged.refusal;
      const seen = await this.inspection.observe(MCP_RESULT, policy, call, result, { ...means, findings: [] });
      outcome.find(seen.findings, seen.observed);
      return judged?.inspected ?? inspected;
    });
  }

  private async asked(
    call: McpCall,
    { server, name, usable }: OfferedTool,
    values: JsonObject,
    outcome: CallOutcome,
    onNotification: OnServerNotification,
  ): Promise<RpcOutcome> {
    const begun = performance.now();
    const { signal, holder, message } = call;
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
      const answer = await this.upstream.ask(
        server,
        {
          method: 'tools/call',
          params: { name, arguments: values, ...(token !== undefined && { _meta: { progressToken: call.id } }) },
          headers: argumentHeadersOf(usable!.inputSchema, values),
        },
        {
          holder,
          signal,
          onNotification: ({ method, params }) => {
            if (token !== undefined && method === 'notifications/progress' && params['progressToken'] === call.id) {
              onNotification(method, { ...progressOf(params), progressToken: token });
            }
          },
        },
      );
      note(200);
      if (answer.error !== undefined) return { error: boundedError(answer.error) };
      outcome.isCharged = true;
      outcome.mcp = {
        ...outcome.mcp,
        resultBytes: Buffer.byteLength(JSON.stringify(answer.result)),
        ...(answer.result['isError'] === true && { isError: true as const }),
      };
      return { result: answer.result };
    } catch (error) {
      // One that was given up may have done its work all the same.
      outcome.isCharged = error instanceof ClientGoneError || (error instanceof McpFailure && error.hasTimedOut);
      note(error instanceof McpFailure ? (error.status ?? null) : null);
      throw failureOf(error, server);
    }
  }
}

function failureOf(error: unknown, { name }: ReadyMcpServer): unknown {
  if (!(error instanceof McpFailure)) return error;
  return error.hasTimedOut ? new McpServerTimedOut(name) : new McpServerFailed(name, error.message);
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

function progressTokenOf({ _meta: meta }: JsonObject): string | number | undefined {
  const token = isObject(meta) ? meta['progressToken'] : undefined;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/** What a server says of its progress: numbers. Its words are not handed on, because no filter reads them. */
function progressOf({ progress, total }: JsonObject): JsonObject {
  return {
    ...(typeof progress === 'number' && { progress }),
    ...(typeof total === 'number' && { total }),
  };
}

/** The longest message of an error of a server, in characters. */
const MAXIMUM_MESSAGE = 500;

/** An error of a server without its data, which no filter reads. */
function boundedError({ code, message }: RpcError): RpcError {
  return { code, message: message.slice(0, MAXIMUM_MESSAGE).toWellFormed() };
}
