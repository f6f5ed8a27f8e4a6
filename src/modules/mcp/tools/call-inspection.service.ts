import { Injectable } from '@nestjs/common';
import { RequestSlots } from '../../../http/request-limits/request-slots.js';
import { AnswerRefused } from '../../content/answers/answer-text.js';
import { errorOfRefusal } from '../../content/content.errors.js';
import { ContentInspection } from '../../inference/pipeline/content/content-inspection.service.js';
import { seenBy } from '../../inference/pipeline/content/observed-findings.js';
import { RequestInspectors } from '../../inference/pipeline/inspectors/request-inspectors.service.js';
import { isObject } from '../../../http/validation/constraints.js';
import { type JsonObject, RPC_CODES, type RpcError } from '../../mcp-servers/upstream/json-rpc.js';
import { askedOfClient } from '../sessions/paired-session.js';
import type { CallOutcome } from './call-outcome.js';
import type { McpCall } from './mcp-call.js';
import { MCP_RESULT } from './tool-texts.js';

/** The longest message of an error of a server, in characters. */
const MAXIMUM_MESSAGE = 500;

/** Has filters and inspectors look at what is sent to servers and what they answer (docs/interface/mcp.md#calls). */
@Injectable()
export class CallInspection {
  constructor(
    private readonly inspection: ContentInspection,
    private readonly inspectors: RequestInspectors,
    private readonly slots: RequestSlots,
  ) {}

  /** Finds the inspectors of a call, which stay the same to its end. */
  async begin(call: McpCall, outcome: CallOutcome): Promise<void> {
    const decision = { ...call, ...call.subject, inputs: call, workspaceId: call.context.workspaceId, models: [] };
    outcome.inspection = await this.slots.run(call.caller.organizationId, () => this.inspectors.of(call, decision));
  }

  /** The arguments as filters and inspectors leave them. @throws ContentBlocked and so on */
  async arguments(call: McpCall, values: JsonObject, outcome: CallOutcome): Promise<JsonObject> {
    const { policy, signal } = call;
    await this.begin(call, outcome);
    const judges = outcome.inspection?.judges() ?? [];
    const observers = policy.observers.filter(({ answers }) => !answers.isEmpty);
    const text = JSON.stringify(values);
    const texts = [{ place: 'tool_call' as const, kind: 'tool_arguments' as const, text }];
    if (policy.answers.isEmpty && judges.length + observers.length === 0) return values;
    const inspection = policy.answers.inspection(signal, judges);
    try {
      const [written] = await inspection.whole(texts);
      return written === text ? values : (JSON.parse(written!) as JsonObject);
    } catch (error) {
      throw error instanceof AnswerRefused ? errorOfRefusal(error.refusal, 'Request') : error;
    } finally {
      await inspection.report().catch(() => undefined);
      const { findings } = inspection;
      outcome.find(findings);
      for (const observer of observers) {
        const observation = observer.answers.observation(signal);
        await observation.whole(texts).catch(() => undefined);
        await observation.report().catch(() => undefined);
        const seen = seenBy(observer, observation.findings, { findings, of: policy });
        outcome.find(seen.findings, seen.observed);
      }
    }
  }

  /** The result as filters and inspectors leave it. @throws ContentBlocked and so on */
  async result(call: McpCall, answered: JsonObject, outcome: CallOutcome): Promise<JsonObject> {
    // What is sealed is no text.
    const { requestState, ...result } = answered;
    return { ...(await this.said(call, result, outcome)), ...(requestState !== undefined && { requestState }) };
  }

  /** What a server says, as filters and inspectors leave it. @throws ContentBlocked and so on */
  async said(call: McpCall, result: JsonObject, outcome: CallOutcome): Promise<JsonObject> {
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

  /** An error of a server without its data, and with its message as filters and inspectors leave it. @throws ContentBlocked and so on */
  async error(call: McpCall, { code, message, data }: RpcError, outcome: CallOutcome): Promise<RpcError> {
    const text = message.slice(0, MAXIMUM_MESSAGE).toWellFormed();
    const { content } = await this.result(call, { content: [{ type: 'text', text }] }, outcome);
    const needed = code === RPC_CODES.missingCapability ? neededIn(data) : undefined;
    return { code, message: (content as [{ readonly text: string }])[0].text, ...(needed && { data: needed }) };
  }
}

/** The capabilities that a server needs of the client, by their names alone. */
function neededIn(data: unknown): JsonObject {
  const names = isObject(data) ? Object.keys(askedOfClient(data['requiredCapabilities'])) : [];
  return { requiredCapabilities: Object.fromEntries(names.map((name) => [name, {}])) };
}
