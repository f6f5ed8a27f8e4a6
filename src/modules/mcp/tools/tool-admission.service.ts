import { Injectable } from '@nestjs/common';
import { MCP_RECORD } from '../../../telemetry/operations.js';
import { limitsVersionOf } from '../../inference/pipeline/context/request-context.repository.js';
import { type JudgingWorstCase, withJudging } from '../../inference/pipeline/inspectors/judging-worst-case.js';
import { observation, observationOf } from '../../inference/pipeline/request/decision.js';
import type { AskedCounter } from '../../limits/compiled-limit.js';
import type { CounterUse } from '../../limits/limit-counters.js';
import { missingValueOf } from '../../limits/limits.errors.js';
import { AdmissionService } from '../../spend/admission.service.js';
import { textOfUnits, unitsOf } from '../../spend/decimal-amount.js';
import type { HeldCounter } from '../../spend/open-counters.js';
import { refusalOf } from '../../spend/spend.errors.js';
import { priceOfCall } from '../../mcp-servers/upstream/ready-mcp-server.js';
import type { OfferedTool } from './available-tools.service.js';
import type { CallOutcome } from './call-outcome.js';
import type { McpCall } from './mcp-call.js';

/** Admits calls of tools under the limits that requests to models have (docs/interface/mcp.md#money). */
@Injectable()
export class ToolAdmission {
  constructor(private readonly admissions: AdmissionService) {}

  /**
   * Reserves the price of a call, and what judge models may cost for it, where a limit applies to it.
   *
   * @param judging undefined for nothing
   * @param outcome told what may be reserved before that is tried, and what is
   * @throws the refusal of a limit that is met, or leaves too little; BadRequestError where one counts by something that the call lacks
   */
  async admit(
    call: McpCall,
    tool: Pick<OfferedTool, 'server' | 'name'>,
    judging: JudgingWorstCase | undefined,
    outcome: CallOutcome,
  ): Promise<void> {
    const { caller, context, subject } = call;
    const price = unitsOf(String(priceOfCall(tool.server, tool.name)));
    const asked = countersOf(call, tool);
    const { met = null, isStopped = false, observing = null } = context.limits ?? {};
    const isFree = price === 0n && judging === undefined;
    if (met !== null && (isStopped || !isFree)) throw refusalOf(met);
    const observers = (observing ?? []).filter(({ isStopping }) => isStopping || !isFree);
    const observed = observers.map((one) => observation(one, 'refused', 'budget'));
    if (asked.length === 0 && (isFree || context.limits === null)) {
      outcome.admitted = { price, holds: [], mayBeReserved: false, isCounted: false, observed };
      return;
    }
    // From here on there may be a reservation, whatever happens.
    const limited = { price, holds: [], mayBeReserved: true, isCounted: asked.length > 0, observed };
    outcome.admitted = limited;
    const tokens = { fixed: 0n, perToken: 0n, longestAnswer: 0, isByok: false };
    const costs = withJudging({ ...tokens, fixed: price }, judging);
    const counters = asked.map((counter) => ({ counter, candidates: [0] }));
    const fit = await this.admissions.admit({
      organizationId: caller.organizationId,
      generationId: call.id,
      keyId: caller.credentialId,
      userId: caller.userId,
      workspaceId: context.workspaceId,
      createdAt: call.createdAt,
      worstCase: { candidates: costs, namedTokens: null },
      limitsVersion: limitsVersionOf(context),
      ...(counters.length > 0 && {
        counters: { asked: counters, costs: [costs], tokens: [tokens], isFree: [isFree] },
      }),
      request: {
        requestId: call.http.requestId,
        requestedModel: call.model,
        model: call.model,
        apiType: MCP_RECORD,
        streamed: false,
        ...(subject.externalUser !== null && { externalUser: subject.externalUser }),
        ...(subject.sessionId !== null && { sessionId: subject.sessionId }),
        ...(subject.labels && { labels: subject.labels }),
      },
    });
    const budgets = (fit.observing ?? []).map((one) => observation(one, 'refused', 'budget'));
    outcome.admitted = {
      ...limited,
      reserved: fit,
      holds: fit.holds,
      observed: [...observed, ...budgets, ...fit.observed.map(observationOf)],
    };
  }
}

/** What a call has used, in the smallest units of a US dollar. */
export interface CallUse {
  /** Whether a server has answered it, or may have worked on it. */
  readonly isCharged: boolean;
  /** Its price, and what judge models have cost through keys of the deployment. */
  readonly ofDeployment: bigint;
  /** What judge models have cost through keys of the organization. */
  readonly ofOrganization: bigint;
}

/** What a call has used of its counters. @param holds what it held */
export function usesOf(holds: readonly HeldCounter[], use: CallUse): readonly CounterUse[] {
  return holds.map(({ counter }) => ({
    limitId: counter.limitId,
    combination: counter.combination,
    windowStart: counter.windowStart.toISOString(),
    ...usedOf(counter, use),
  }));
}

function usedOf(
  { limit: { row } }: AskedCounter,
  { isCharged, ofDeployment, ofOrganization }: CallUse,
): Pick<CounterUse, 'amount' | 'byokAmount'> {
  if (row.measure === 'usd') return { amount: textOfUnits(ofDeployment), byokAmount: textOfUnits(ofOrganization) };
  return { amount: row.measure === 'requests' && isCharged ? '1' : '0', byokAmount: '0' };
}

/** The counters that a call counts on. Limits that are about models have nothing to do with it. @throws BadRequestError */
function countersOf(
  { caller, context, limits, subject, createdAt }: McpCall,
  tool: Pick<OfferedTool, 'server' | 'name'>,
): AskedCounter[] {
  const attributes = {
    api_key: context.keyHash,
    workspace: context.workspaceId,
    member: caller.userId,
    operation: MCP_RECORD,
    user: subject.externalUser,
    session: subject.sessionId,
    labels: subject.labels ?? {},
    server: tool.server.name,
    tool: `${tool.server.name}/${tool.name}`,
  };
  return limits.flatMap((limit) => {
    const match = limit.match(attributes, undefined, createdAt);
    if (match === undefined) return [];
    if ('missing' in match) throw missingValueOf(limit, match.missing);
    return [match];
  });
}
