import { Injectable } from '@nestjs/common';
import { MCP_RECORD } from '../../../telemetry/operations.js';
import { limitsVersionOf } from '../../inference/pipeline/context/request-context.repository.js';
import { observation, observationOf } from '../../inference/pipeline/request/decision.js';
import type { Observation } from '../../generations/generation-details.js';
import type { AskedCounter } from '../../limits/compiled-limit.js';
import type { CounterUse } from '../../limits/limit-counters.js';
import { missingValueOf } from '../../limits/limits.errors.js';
import { AdmissionService } from '../../spend/admission.service.js';
import { textOfUnits, unitsOf } from '../../spend/decimal-amount.js';
import type { HeldCounter } from '../../spend/open-counters.js';
import { refusalOf } from '../../spend/spend.errors.js';
import type { CandidatePrice } from '../../spend/worst-case.js';
import { priceOfCall } from '../../mcp-servers/upstream/ready-mcp-server.js';
import type { OfferedTool } from './available-tools.service.js';
import type { McpCall } from './mcp-call.js';

/** What a call may cost, and what is reserved for it. */
export interface AdmittedCall {
  /** In the smallest units of a US dollar. */
  readonly price: bigint;
  /** What it holds of limits by condition and group. */
  readonly holds: readonly HeldCounter[];
  /** Whether there may be a reservation, which its record ends. */
  readonly mayBeReserved: boolean;
  readonly observed: readonly Observation[];
}

/** Admits calls of tools under the limits that requests to models have (docs/interface/mcp.md#money). */
@Injectable()
export class ToolAdmission {
  constructor(private readonly admissions: AdmissionService) {}

  /**
   * Reserves the price of a call, where a limit applies to it.
   *
   * @throws the refusal of a limit that is met, or leaves too little; BadRequestError where one counts by something that the call lacks
   */
  async admit(call: McpCall, tool: Pick<OfferedTool, 'server' | 'name'>): Promise<AdmittedCall> {
    const { caller, context, subject } = call;
    const price = unitsOf(String(priceOfCall(tool.server, tool.name)));
    const asked = countersOf(call, tool);
    const { met = null, isStopped = false, observing = null } = context.limits ?? {};
    if (met !== null && (isStopped || price > 0n)) throw refusalOf(met);
    const observers = (observing ?? []).filter(({ isStopping }) => isStopping || price > 0n);
    const observed = observers.map((one) => observation(one, 'refused', 'budget'));
    const isFree = price === 0n;
    if (asked.length === 0 && (isFree || context.limits === null)) {
      return { price, holds: [], mayBeReserved: false, observed };
    }
    const cost: CandidatePrice = { fixed: price, perToken: 0n, longestAnswer: 0, isByok: false };
    const tokens = { ...cost, fixed: 0n };
    const counters = asked.map((counter) => ({ counter, candidates: [0] }));
    const fit = await this.admissions.admit({
      organizationId: caller.organizationId,
      generationId: call.id,
      keyId: caller.credentialId,
      userId: caller.userId,
      workspaceId: context.workspaceId,
      createdAt: call.createdAt,
      worstCase: { candidates: [cost], namedTokens: null },
      limitsVersion: limitsVersionOf(context),
      ...(counters.length > 0 && {
        counters: { asked: counters, costs: [[cost]], tokens: [tokens], isFree: [isFree] },
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
    return {
      price,
      holds: fit.holds,
      mayBeReserved: true,
      observed: [...observed, ...budgets, ...fit.observed.map(observationOf)],
    };
  }
}

/** What a call has used of its counters. @param cost undefined for one that no server has answered @param holds what it held */
export function usesOf(holds: readonly HeldCounter[], cost: bigint | undefined): readonly CounterUse[] {
  return holds.map(({ counter }) => ({
    limitId: counter.limitId,
    combination: counter.combination,
    windowStart: counter.windowStart.toISOString(),
    amount: usedOf(counter, cost),
    byokAmount: '0',
  }));
}

function usedOf({ limit }: AskedCounter, cost: bigint | undefined): string {
  if (cost === undefined) return '0';
  if (limit.row.measure === 'usd') return textOfUnits(cost);
  return limit.row.measure === 'requests' ? '1' : '0';
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
