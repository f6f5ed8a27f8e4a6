import { Injectable } from '@nestjs/common';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import type { CatalogModel } from '../../../catalog/catalog-model.js';
import { DomainError } from '../../../../http/errors/domain-error.js';
import type { HypotheticalAssignment } from '../../../guardrails/effective-policy/hypothetical-assignment.js';
import { type CandidatePrice, costAt, countedAmount, isFree, worstCaseAmounts } from '../../../spend/worst-case.js';
import { countedDecisionOf, foreseenCountersOf, type RequestedCounter } from '../../../spend/counted-decision.js';
import { dayOf } from '../../../spend/admission-state.repository.js';
import { decisionOf, observingBudgets } from '../../../spend/admission-decision.js';
import type { OpenLimit } from '../../../spend/open-limits.js';
import { judgingAt } from '../inspectors/judging-worst-case.js';
import type { Candidate } from '../request/candidate.js';
import type { Decision } from '../request/decision.js';
import type { InferenceOperation, RoutedBody } from '../request/operation.js';
import type { NamedSubject } from '../request/request-subject.js';
import type { AdmissionDecision, AdmissionForecast, MostExpensiveCase } from './admission-forecast.js';
import { AdmissionForecastRepository } from './admission-forecast.repository.js';
import { type PromptBound, PromptTokens } from './prompt-tokens.js';
import { askedCountersOf, requestCountersOf } from './request-counters.js';
import { type RequestWorstCase, worstCaseOf } from './request-worst-case.js';

interface ForeseenRequest {
  readonly caller: ApiKeyPrincipal;
  readonly subject: NamedSubject;
  readonly hypothetical: HypotheticalAssignment;
}

/** Says what would be decided about requests that are not sent: nothing is reserved (docs/budgets.md#reservations). */
@Injectable()
export class AdmissionForecastService {
  constructor(
    private readonly repository: AdmissionForecastRepository,
    private readonly promptTokens: PromptTokens,
  ) {}

  /** What the admission of a request that came now would decide. @throws the errors of the database */
  async foresee<Body extends RoutedBody>(
    operation: InferenceOperation<Body>,
    decision: Decision<Body>,
    request: ForeseenRequest,
  ): Promise<AdmissionForecast> {
    const { candidates, inspected, inputs, workspaceId } = decision;
    const { organizationId, credentialId: keyId } = request.caller;
    const at = new Date();
    const size = operation.sizeOf(inspected!);
    const boundOf = (model: CatalogModel['row']): PromptBound => this.promptTokens.boundOf(organizationId, model, size);
    const asked = countersOrRefusal(() => askedCountersOf(operation, request, decision, at));
    const isOfTokens = ({ counter }: RequestedCounter): boolean => counter.limit.row.measure === 'tokens';
    const countsTokens = Array.isArray(asked) && asked.some(isOfTokens);
    const judging = decision.judging?.worstCase;
    const worstCase = worstCaseOf(candidates, { size, wishes: inspected!, at, boundOf, countsTokens, judging });
    const limits = inputs!.context.limits !== null ? await this.limitsOf(request, workspaceId) : [];
    const amounts = worstCaseAmounts(worstCase);
    const enforced = limits.filter(({ row }) => row.observer === null);
    const counters = Array.isArray(asked) ? requestCountersOf(asked, worstCase, candidates) : undefined;
    const counted = counters && { worstCase, counters, keyId };
    const open = counters && (await this.repository.countersOf(organizationId, keyId, counters.asked));
    const decide = (those: readonly OpenLimit[]): AdmissionDecision =>
      decisionOf(worstCase, isFree(worstCase) ? [] : those);
    const decisionAbout = (): AdmissionDecision => {
      if (asked instanceof DomainError) return asked;
      if (counted === undefined) return decide(enforced);
      return countedDecisionOf(counted, isFree(worstCase) ? [] : enforced, open!);
    };
    return {
      mostExpensive: mostExpensiveOf(candidates, worstCase, size.answer !== undefined, boundOf),
      limits: limits.map((open) => ({ open, counted: countedAmount(amounts, open), decision: decide([open]) })),
      counters: counted === undefined ? [] : foreseenCountersOf(counted, open!),
      decision: decisionAbout(),
      observing: isFree(worstCase) ? [] : observingBudgets(worstCase, limits),
    };
  }

  private async limitsOf(
    { caller, hypothetical }: ForeseenRequest,
    workspaceId: string | null,
  ): Promise<readonly OpenLimit[]> {
    const { organizationId, credentialId: keyId, userId } = caller;
    const spender = { keyId, userId, workspaceId, day: dayOf(new Date()) };
    const open = await this.repository.limitsOf(organizationId, spender, hypothetical);
    return open.of(1);
  }
}

/** The counters of a request, or what it is refused with because it lacks what a limit counts by. */
function countersOrRefusal(asked: () => readonly RequestedCounter[]): readonly RequestedCounter[] | DomainError {
  try {
    return asked();
  } catch (refusal) {
    if (refusal instanceof DomainError) return refusal;
    throw refusal;
  }
}

function mostExpensiveOf(
  candidates: readonly Candidate[],
  { byCandidate, namedTokens, judging }: RequestWorstCase,
  hasAnswer: boolean,
  boundOf: (model: CatalogModel['row']) => PromptBound,
): MostExpensiveCase {
  const { candidate, price, cost } = candidates
    .flatMap((candidate, index) => byCandidate[index]!.map((price) => ({ candidate, price })))
    .map((one) => ({ ...one, cost: costAt(one.price, namedTokens) + judgingCost(judging, one.price, namedTokens) }))
    .reduce((mostExpensive, one) => (one.cost > mostExpensive.cost ? one : mostExpensive));
  const { texts, media } = boundOf(candidate.model.row);
  const answerTokens = hasAnswer ? (namedTokens ?? price.longestAnswer) : 0;
  return { candidate, promptTokens: texts + media, answerTokens, cost };
}

/** What judge models may cost besides, through whichever keys. */
function judgingCost(
  judging: RequestWorstCase['judging'],
  { longestAnswer }: CandidatePrice,
  namedTokens: number | null,
): bigint {
  if (judging === undefined) return 0n;
  const { ofDeployment, ofOrganization } = judgingAt(judging, namedTokens ?? longestAnswer);
  return ofDeployment + ofOrganization;
}
