import { Injectable } from '@nestjs/common';
import type { AdmissionRequest, AmountsOfProcess } from '../../../spend/admission-request.js';
import { AdmissionService } from '../../../spend/admission.service.js';
import type { CountedFit, RequestCounters } from '../../../spend/counted-decision.js';
import { isFree, type WorstCase } from '../../../spend/worst-case.js';
import { judgingAt } from '../inspectors/judging-worst-case.js';
import type { Candidate } from '../request/candidate.js';
import { limitsVersionOf } from '../context/request-context.repository.js';
import { type Decision, leftByLimits, observationOf, saying, withBudgets } from '../request/decision.js';
import type { InferenceRequest } from '../request/inference-request.js';
import type { InferenceOperation, RoutedBody } from '../request/operation.js';
import { PromptTokens } from './prompt-tokens.js';
import { askedCountersOf, requestCountersOf } from './request-counters.js';
import { type RequestWorstCase, worstCaseAmong, worstCaseOf } from './request-worst-case.js';

/** Admits requests to providers: the last step before one is called (docs/budgets.md#reservations). */
@Injectable()
export class RequestAdmissionService {
  constructor(
    private readonly admissions: AdmissionService,
    private readonly promptTokens: PromptTokens,
  ) {}

  /**
   * Reserves what a request may cost, where a limit applies to it.
   *
   * @returns the decision with the body as it is sent, whose answer is at most as long as what is left of its limits can pay for; or
   * with a refusal, which is what AdmissionService.admit throws
   */
  async admit<Body extends RoutedBody>(
    operation: InferenceOperation<Body>,
    request: InferenceRequest,
    decision: Decision<Body>,
  ): Promise<Decision<Body>> {
    const body = decision.inspected!;
    const asked = askedCountersOf(operation, request, decision, request.createdAt);
    if (decision.inputs!.context.limits === null && asked.length === 0) return saying(decision, { sent: body });
    const size = operation.sizeOf(body);
    const worstCase = worstCaseOf(decision.candidates, {
      size,
      wishes: body,
      at: request.createdAt,
      countsTokens: asked.some(({ counter }) => counter.limit.row.measure === 'tokens'),
      boundOf: (model) => this.promptTokens.boundOf(request.organizationId, model, size),
      judging: decision.judging?.worstCase,
    });
    if (isFree(worstCase) && asked.length === 0) return saying(decision, { size, sent: body });
    // From here on there may be a reservation, whatever happens.
    const limited = saying(decision, { size, mayBeReserved: true, ...(asked.length > 0 && { isCounted: true }) });
    const counters = requestCountersOf(asked, worstCase, decision.candidates);
    try {
      const fit = await this.admissions.admit(admissionOf(request, decision, worstCase, counters));
      const { observed } = withBudgets(decision, fit.observing ?? []);
      if (fit.isForFreeOnly === true && counters === undefined) {
        return saying(decision, { observed, size, sent: body, candidates: freeOf(decision.candidates) });
      }
      if (worstCase.judging !== undefined) decision.inspection!.account.limitTo(judgingAt(worstCase.judging, 0));
      const { cappedTokens } = fit;
      const sent = cappedTokens === null ? body : operation.withLongestAnswer(body, cappedTokens);
      const seen = [...observed, ...fit.observed.map(observationOf)];
      return saying(limited, { observed: seen, sent, ...admittedAmong(decision, fit, worstCase) });
    } catch (refusal) {
      return saying(limited, { refusal: refusal as Error });
    }
  }
}

/** The candidates that a request is admitted to, and what is reserved for it. */
function admittedAmong(
  { candidates, excluded }: Decision<unknown>,
  { candidates: indexes, observed: _, cappedTokens, ...fit }: CountedFit & AmountsOfProcess,
  worstCase: RequestWorstCase,
): Partial<Decision<never>> {
  if (indexes === undefined) return { reservation: { amounts: fit, worstCase, cappedTokens } };
  const places = new Map(indexes.map((index, place) => [index, place]));
  const holds = fit.holds.map((hold) => ({ ...hold, candidates: hold.candidates.map((index) => places.get(index)!) }));
  return {
    ...leftByLimits({ candidates, excluded }, indexes),
    reservation: { amounts: { ...fit, holds }, worstCase: worstCaseAmong(worstCase, indexes), cappedTokens },
  };
}

/** The candidates that are asked where limits do not pay for any other. */
function freeOf(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter(({ endpoint }) => endpoint.hasNoPrice);
}

/** What is asked for when a request is to be sent to its candidates. */
export function admissionOf(
  { id, caller, createdAt, description, http }: InferenceRequest,
  { inputs, workspaceId, candidates, externalUser, labels }: Decision<unknown>,
  worstCase: WorstCase,
  counters?: RequestCounters,
): AdmissionRequest {
  return {
    organizationId: caller.organizationId,
    generationId: id,
    keyId: caller.credentialId,
    userId: caller.userId,
    workspaceId,
    createdAt,
    worstCase,
    limitsVersion: limitsVersionOf(inputs!.context),
    ...(counters && { counters }),
    request: {
      requestId: http.requestId,
      requestedModel: description.requestedModel,
      model: candidates[0]!.model.row.id,
      endpoint: candidates[0]!.endpoint.row.tag,
      apiType: description.apiType,
      streamed: description.streamed,
      ...(externalUser !== null && { externalUser }),
      ...(description.sessionId !== null && { sessionId: description.sessionId }),
      ...(labels && { labels }),
    },
  };
}
