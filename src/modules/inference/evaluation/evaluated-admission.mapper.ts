import { textOfUnits } from '../../spend/decimal-amount.js';
import type { AdmissionDecision, AdmissionForecast, ForeseenLimit } from '../pipeline/admission/admission-forecast.js';
import type { ForeseenCounter } from '../../spend/counted-decision.js';
import type {
  EvaluatedAdmission,
  EvaluatedCounter,
  EvaluatedLimit,
  LimitEffect,
} from './dto/evaluated-admission.dto.js';
import type { CandidateEndpoint } from '../../routing/endpoint-order.js';
import type { Candidate } from '../pipeline/request/candidate.js';
import type { EvaluatedCandidate, EvaluatedEndpoint } from './dto/evaluated-endpoint.dto.js';

/** Names an endpoint in the response. */
export function toEndpoint({ model, endpoint }: CandidateEndpoint): EvaluatedEndpoint {
  return { model: model.row.id, provider: endpoint.provider.slug, endpoint: endpoint.row.tag };
}

/** Names an endpoint that is tried. */
export function toCandidate(candidate: Candidate): EvaluatedCandidate {
  return { ...toEndpoint(candidate), is_byok: candidate.isByok };
}

/** Maps what the admission would decide to the response. */
export function toEvaluatedAdmission({
  mostExpensive,
  limits,
  counters,
  decision,
}: AdmissionForecast): EvaluatedAdmission {
  const { candidate, promptTokens, answerTokens, cost } = mostExpensive;
  return {
    worst_case: {
      ...toCandidate(candidate),
      prompt_tokens: promptTokens,
      answer_tokens: answerTokens,
      cost_usd: numberOf(cost),
    },
    limits: limits.map(toLimit),
    ...(counters.length > 0 && { limits_by_group: counters.map(toCounter) }),
    capped_max_tokens: cappedTokensOf(decision),
  };
}

function toLimit({ open, counted, decision }: ForeseenLimit): EvaluatedLimit {
  const { subject, guardrailId, holder, interval, limitUsd, spentUsd, includesByok } = open.row;
  return {
    subject,
    guardrail_id: guardrailId,
    holder,
    interval,
    limit_usd: Number(limitUsd),
    spent_usd: Number(spentUsd),
    reserved_usd: numberOf(open.reserved),
    remaining_usd: numberOf(open.remaining),
    includes_byok: includesByok,
    cost_usd: numberOf(counted),
    effect: effectOf(decision),
    capped_max_tokens: cappedTokensOf(decision),
    ...(open.row.observer !== null && { enforcement: 'observe' as const }),
  };
}

function toCounter({ counter, decision, ...amounts }: ForeseenCounter): EvaluatedCounter {
  const { id, name, measure, window, enforcement } = counter.limit.row;
  return {
    id,
    name,
    measure,
    window,
    values: counter.values,
    amount: numberOf(amounts.limit),
    used: numberOf(amounts.used),
    reserved: numberOf(amounts.reserved),
    remaining: numberOf(amounts.remaining),
    counts: numberOf(amounts.counted),
    effect: 'fits' in decision && decision.candidates !== undefined ? 'excludes' : effectOf(decision),
    capped_max_tokens: cappedTokensOf(decision),
    enforcement,
  };
}

function effectOf(decision: AdmissionDecision): LimitEffect {
  if (!('fits' in decision)) return 'refuses';
  return decision.cappedTokens === null ? 'none' : 'caps';
}

function cappedTokensOf(decision: AdmissionDecision): number | null {
  return 'fits' in decision ? decision.cappedTokens : null;
}

function numberOf(units: bigint): number {
  return Number(textOfUnits(units));
}
