import { OPERATIONS } from '../../../../telemetry/operations.js';
import type { RequestAttributes } from '../../../limits/limit-attributes.js';
import type { AskedCounter, CompiledLimit } from '../../../limits/compiled-limit.js';
import { missingValueOf } from '../../../limits/limits.errors.js';
import type { RequestCounters, RequestedCounter } from '../../../spend/counted-decision.js';
import type { Candidate } from '../request/candidate.js';
import type { Decision } from '../request/decision.js';
import type { ArrivedRequest } from '../request/inference-request.js';
import type { InferenceOperation, RoutedBody } from '../request/operation.js';
import { pricesWithJudging, type RequestWorstCase } from './request-worst-case.js';

/**
 * The counters that a request counts on (docs/interface/limits.md#which-requests-count).
 *
 * @param at when the request came
 * @returns none where no limit by condition and group applies
 * @throws BadRequestError where a limit counts by something that the request must have, and lacks
 */
export function askedCountersOf(
  { name }: Pick<InferenceOperation<RoutedBody>, 'name'>,
  { caller, subject }: Pick<ArrivedRequest, 'caller' | 'subject'>,
  { inputs, workspaceId, candidates, externalUser: user, labels = {} }: Decision<unknown>,
  at: Date,
): readonly RequestedCounter[] {
  const { context, limits } = inputs!;
  if (limits.length === 0) return [];
  const attributes = {
    api_key: context.keyHash,
    workspace: workspaceId,
    member: caller.userId,
    operation: OPERATIONS[name].record,
    user,
    session: subject.sessionId,
    server: null,
    tool: null,
    labels,
  };
  return limits.flatMap((limit) =>
    limit.isOfCandidates
      ? countersByCandidate(limit, attributes, candidates, at)
      : counterOf(limit, attributes, undefined, at).map((counter) => ({
          counter,
          candidates: candidates.map((_, index) => index),
        })),
  );
}

/** The counters of a request with what each candidate may add to them; undefined for none. */
export function requestCountersOf(
  asked: readonly RequestedCounter[],
  { byCandidate, tokensByCandidate: tokens, judging }: RequestWorstCase,
  candidates: readonly Candidate[],
): RequestCounters | undefined {
  if (asked.length === 0) return undefined;
  const isFree = candidates.map(({ endpoint }) => judging === undefined && endpoint.hasNoPrice);
  return { asked, costs: pricesWithJudging(byCandidate, judging), tokens, isFree };
}

/** One counter for each combination that candidates make. */
function countersByCandidate(
  limit: CompiledLimit,
  attributes: RequestAttributes,
  candidates: readonly Candidate[],
  at: Date,
): readonly RequestedCounter[] {
  const byCombination = new Map<string, { counter: AskedCounter; candidates: number[] }>();
  for (const [index, candidate] of candidates.entries()) {
    for (const counter of counterOf(limit, attributes, candidate, at)) {
      const known = byCombination.get(counter.combination);
      if (known === undefined) byCombination.set(counter.combination, { counter, candidates: [index] });
      else known.candidates.push(index);
    }
  }
  return [...byCombination.values()];
}

/** @returns the counter, if the limit applies */
function counterOf(
  limit: CompiledLimit,
  attributes: RequestAttributes,
  candidate: Candidate | undefined,
  at: Date,
): AskedCounter[] {
  const facts = candidate && {
    model: candidate.model.row.id,
    author: candidate.model.author,
    provider: candidate.endpoint.provider.slug,
  };
  const match = limit.match(attributes, facts, at);
  if (match === undefined) return [];
  if ('missing' in match) throw missingValueOf(limit, match.missing);
  return [match];
}
