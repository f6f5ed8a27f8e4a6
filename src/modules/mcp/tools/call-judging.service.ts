import { Injectable } from '@nestjs/common';
import { UNCOUNTED_MEMORY } from '../../../http/input/request-memory.js';
import { RequestSlots } from '../../../http/request-limits/request-slots.js';
import { AnswerRefused } from '../../content/answers/answer-text.js';
import { errorOfRefusal } from '../../content/content.errors.js';
import { appliesTo } from '../../content/content-filters.js';
import { RequestInputsService } from '../../inference/pipeline/context/request-inputs.service.js';
import { JudgeCalls } from '../../inference/pipeline/inspectors/judge-calls.service.js';
import { JudgeModels } from '../../inference/pipeline/inspectors/judge-models.service.js';
import type { Judging } from '../../inference/pipeline/inspectors/judging.js';
import type { RequestInspection } from '../../inference/pipeline/inspectors/request-inspection.js';
import { judgingAt } from '../../inference/pipeline/inspectors/judging-worst-case.js';
import type { JsonObject } from '../../mcp-servers/upstream/json-rpc.js';
import type { CallOutcome } from './call-outcome.js';
import type { McpCall } from './mcp-call.js';

/** The places of what a call of a tool says. */
const PLACES = ['tool_call', 'tool_result'] as const;

/** A call whose arguments and result judge models judge. */
export interface JudgedCall {
  readonly inspection: RequestInspection;
  /** How they are asked, and what they may cost for it. */
  readonly judging: Judging;
  /** What is judged of its arguments. */
  readonly text: string;
}

/** The judge models of calls of tools, which each call pays for (docs/budgets.md#judge-models). */
@Injectable()
export class CallJudging {
  constructor(
    private readonly inputs: RequestInputsService,
    private readonly models: JudgeModels,
    private readonly calls: JudgeCalls,
    private readonly slots: RequestSlots,
  ) {}

  /**
   * Finds the judge models of a call, and what they may cost for it.
   *
   * @param written its arguments as filters and other inspectors leave them
   * @returns undefined where none judges calls of tools
   */
  async of(
    { caller, context, policy, createdAt: at }: McpCall,
    written: JsonObject,
    { inspection }: CallOutcome,
  ): Promise<JudgedCall | undefined> {
    const inspectors = inspection?.models.filter(({ appliesTo: places }) => appliesTo({ applies_to: places }, PLACES));
    if (inspection === undefined || inspectors === undefined || inspectors.length === 0) return undefined;
    const text = JSON.stringify(written);
    const judging = await this.slots.run(caller.organizationId, async () =>
      this.models.of(inspectors, {
        ...{ caller, at, policy, wishes: {}, said: undefined },
        inputs: await this.inputs.under(caller.organizationId, context),
        texts: [{ place: 'tool_call', texts: [text] }],
        expected: 'tool_result',
      }),
    );
    return { inspection, judging, text };
  }

  /**
   * Has the arguments of an admitted call judged. From here on its judge models are asked, as far as what it may cost at most pays for
   * them, also where no limit applies: a server that says much must not make its callers pay for all of it.
   *
   * @throws ContentBlocked, ContentFilterUnavailable and so on, the reason of the signal
   */
  async arguments(
    { id, caller: { organizationId }, createdAt, signal, http }: McpCall,
    { inspection, judging, text }: JudgedCall,
  ): Promise<void> {
    const { account } = inspection;
    if (judging.worstCase !== undefined) account.limitTo(judgingAt(judging.worstCase, 0));
    const memory = http.heldMemory ?? UNCOUNTED_MEMORY;
    const request = { id, organizationId, createdAt, via: http.headers.via, memory };
    inspection.asksModels(this.calls.of(request, account, judging));
    try {
      await inspection.inspect('models', 'tool_call', [{ kind: 'tool_arguments', text }], signal);
    } catch (error) {
      throw error instanceof AnswerRefused ? errorOfRefusal(error.refusal, 'Request') : error;
    }
  }
}
