import { Injectable } from '@nestjs/common';
import { RequestSlots } from '../../../http/request-limits/request-slots.js';
import { AnswerRefused } from '../../content/answers/answer-text.js';
import { errorOfRefusal } from '../../content/content.errors.js';
import { ContentInspection } from '../../inference/pipeline/content/content-inspection.service.js';
import { seenBy } from '../../inference/pipeline/content/observed-findings.js';
import { RequestInspectors } from '../../inference/pipeline/inspectors/request-inspectors.service.js';
import type { JsonObject, RpcError } from '../../mcp-servers/upstream/json-rpc.js';
import type { CallOutcome } from './call-outcome.js';
import { addressesIn, capabilitiesIn, shortened } from './error-data.js';
import type { McpCall } from './mcp-call.js';
import { MCP_RESULT } from './tool-texts.js';

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

  /**
   * The arguments as filters and inspectors leave them.
   *
   * @param withModels whether judge models judge here; those of a call that pays for them judge when it was admitted
   * @throws ContentBlocked and so on
   */
  async arguments(call: McpCall, values: JsonObject, outcome: CallOutcome, withModels = true): Promise<JsonObject> {
    const { policy, signal } = call;
    await this.begin(call, outcome);
    const judges = outcome.inspection?.judges(withModels) ?? [];
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

  /** An error of a server without its data, but for what clients need of it, and with its words as filters and inspectors leave them. @throws ContentBlocked and so on */
  async error(call: McpCall, error: RpcError, outcome: CallOutcome): Promise<RpcError> {
    const said = { content: [{ type: 'text', text: shortened(error.message) }], ...addressesIn(error, call) };
    const { content, ...addresses } = await this.said(call, said, outcome);
    const [{ text: message }] = content as [{ readonly text: string }];
    const data = { ...addresses, ...capabilitiesIn(error) };
    return { code: error.code, message, ...(Object.keys(data).length > 0 && { data }) };
  }
}
