import { Injectable } from '@nestjs/common';
import type { ProviderError } from '../../../codecs/errors/provider-error.js';
import { AdmissionService } from '../../../spend/admission.service.js';
import { costAt, isWithin, type ReservedAmounts } from '../../../spend/worst-case.js';
import { largerOf, unitsOf } from '../../../spend/decimal-amount.js';
import type { AnswerOutcome } from '../request/answer-outcome.js';
import type { Exchange } from '../request/exchange.js';
import type { AttemptCharge } from '../cost/attempt-charge.js';
import { chargeOf } from '../cost/usage-charge.js';
import { admissionOf } from '../admission/request-admission.service.js';
import { judgingOf, type Reservation } from '../request/decision.js';
import type { RoutedBody } from '../request/operation.js';
import { givenUp } from '../settlement/given-up.js';
import { SettlementService } from '../settlement/settlement.service.js';
import { type Answering, type AttemptRules, AttemptsService } from './attempts.service.js';
import { amountsWith, type JudgingAmounts } from '../inspectors/judging-worst-case.js';
import type { Candidate } from '../request/candidate.js';

/** An attempt at a candidate, which its provider may charge once it has the whole request. */
export interface ChargedAttempt {
  readonly candidate: Candidate;
  /** Whether the provider has the whole request. */
  readonly isSent: boolean;
  /** The outcome if the client leaves before the answer has begun, with what has come. */
  unbegunOutcome(): AnswerOutcome;
}

/** How candidates are asked for an answer. */
export interface AnswerRequest<Attempt extends ChargedAttempt, Result> {
  readonly attemptAt: (candidate: Candidate) => Attempt;
  /** Resolves when the candidate begins to answer. @throws ProviderError */
  readonly ask: (attempt: Attempt) => Promise<Result>;
  /** The outcome of an attempt that was given up; absent for that of one whose client has left. */
  readonly outcomeOf?: (attempt: Attempt, error: ProviderError) => AnswerOutcome;
  /** Whether the candidate of an attempt is asked again, which has refused the request; absent for where it has refused thoughts alone. */
  readonly asksAgain?: (attempt: Attempt, error: ProviderError) => boolean;
  /** Is told that no candidate answers, before the last one is charged. */
  readonly failed?: () => void;
}

/** Asks candidates, and charges attempts that end without an answer although their provider has the whole request (docs/budgets.md#attempts-given-up). */
@Injectable()
export class ChargedAttempts {
  constructor(
    private readonly attempts: AttemptsService,
    private readonly admissions: AdmissionService,
    private readonly settlement: SettlementService,
  ) {}

  /**
   * Asks candidates until one begins to answer. An attempt that is given up is charged, and a further one is made only where its worst
   * case fits the limits besides. A client that leaves ends the attempt, and is charged its outcome.
   *
   * @throws DomainError where no provider answers
   * @throws ClientGoneError
   */
  async firstAnswer<Body extends RoutedBody, Attempt extends ChargedAttempt, Result>(
    exchange: Exchange<Body>,
    answer: AnswerRequest<Attempt, Result>,
  ): Promise<Answering<Result>> {
    const { decision, outcome, signal } = exchange;
    const { outcomeOf = (attempt, error) => givenUp(attempt.unbegunOutcome(), error) } = answer;
    let last: Attempt | undefined;
    const call = async (candidate: Candidate): Promise<Result> => {
      last = undefined;
      signal.throwIfAborted();
      last = answer.attemptAt(candidate);
      return answer.ask(last);
    };
    const rules: AttemptRules = {
      failed: (candidate, error) => {
        if (last?.isSent !== true || !wasGivenUp(error)) return;
        outcome.givenUp.push(chargeOf(exchange, candidate, outcomeOf(last, error)));
      },
      mayTry: (candidate) => this.leaveRoomFor(exchange, candidate),
      asksAgain: (error) =>
        decision.thoughts?.isAskedAgainAfter(error) === true ||
        (last !== undefined && answer.asksAgain?.(last, error) === true),
    };
    try {
      return await this.attempts.firstAnswer(exchange, decision.candidates, call, rules);
    } catch (error) {
      answer.failed?.();
      if (last?.isSent === true) {
        await this.settlement.settleUnbegun(exchange, last.candidate, last.unbegunOutcome(), error);
      }
      throw error;
    }
  }

  /** @throws the errors of the database */
  private async leaveRoomFor<Body extends RoutedBody>(
    { request, decision, outcome }: Exchange<Body>,
    candidate: Candidate,
  ): Promise<boolean> {
    const { givenUp } = outcome;
    const { reservation, candidates } = decision;
    if (givenUp.length === 0 || reservation === undefined) return true;
    const reserved = outcome.raised ?? reservation.amounts;
    const { judging } = reservation.worstCase;
    if (candidate.endpoint.hasNoPrice && reserved.holds.length === 0 && judging === undefined) return true;
    const places = new Map(candidates.map((one, index) => [one, index]));
    const attempts: readonly TriedCandidate[] = [
      ...givenUp.map((charge) => ({
        charge,
        index: places.get(charge.candidate)!,
        isByok: charge.candidate.isByok,
      })),
      { index: places.get(candidate)!, isByok: candidate.isByok },
    ];
    const judged = judgingOf(reservation, places.get(candidate)!) ?? NO_JUDGING;
    const needed = {
      ...neededFor(attempts, (index) => worstCaseAt(reservation, index), costOf, judged),
      holds: reserved.holds.map((hold) => {
        const { measure } = hold.counter.limit.row;
        if (measure === 'requests' || measure === 'concurrent') return hold;
        const counted = new Set(hold.candidates);
        const tried = attempts.filter(({ index }) => counted.has(index));
        return measure === 'usd'
          ? { ...hold, ...neededFor(tried, (index) => worstCaseAt(reservation, index), costOf, judged) }
          : { ...hold, ...neededFor(tried, (index) => mostTokensAt(reservation, index), tokensOf) };
      }),
    };
    const isHeld = needed.holds.every((hold, index) => isWithin(hold, reserved.holds[index]!));
    if (isWithin(needed, reserved) && isHeld) return true;
    const admission = admissionOf(request, decision, reservation.worstCase);
    const raised = await this.admissions.raise(admission, { from: reserved, to: needed });
    if (raised !== null) outcome.raised = raised;
    return raised !== null;
  }
}

/** An attempt at a candidate, with its charge if it was given up. */
interface TriedCandidate {
  /** Of the candidate. */
  readonly index: number;
  readonly isByok: boolean;
  readonly charge?: AttemptCharge;
}

/** What an attempt that was given up has used. */
type UsedAmount = (charge: AttemptCharge) => bigint;

const costOf: UsedAmount = ({ cost }) => unitsOf(cost.total);

const tokensOf: UsedAmount = ({ usage }) => unitsOf(String(usage.prompt_tokens + usage.completion_tokens));

const NO_JUDGING: JudgingAmounts = { ofDeployment: 0n, ofOrganization: 0n };

/**
 * What attempts take of a limit together: those through provider keys of the organization count beside the others where such keys count.
 *
 * @param most what an attempt may take, by the index of its candidate
 * @param used what one that was given up has taken
 * @param judged what judging the answer may take besides
 */
function neededFor(
  tried: readonly TriedCandidate[],
  most: (index: number) => bigint,
  used: UsedAmount,
  judged: JudgingAmounts = NO_JUDGING,
): ReservedAmounts {
  const sums = { ofDeployment: 0n, ofOrganization: 0n };
  for (const { index, isByok, charge } of tried) {
    sums[isByok ? 'ofOrganization' : 'ofDeployment'] += largerOf(most(index), charge === undefined ? 0n : used(charge));
  }
  return amountsWith(sums, judged);
}

/** What an attempt at a candidate may cost. @param index of the candidate */
function worstCaseAt({ worstCase, cappedTokens }: Reservation, index: number): bigint {
  const prices = worstCase.byCandidate[index] ?? [];
  return prices.map((price) => costAt(price, worstCase.namedTokens, cappedTokens ?? Infinity)).reduce(largerOf, 0n);
}

/** How many tokens an attempt at a candidate may have, in the units of `decimal-amount.ts`. @param index of the candidate */
function mostTokensAt({ worstCase, cappedTokens }: Reservation, index: number): bigint {
  const tokens = worstCase.tokensByCandidate[index];
  return tokens === undefined ? 0n : costAt(tokens, worstCase.namedTokens, cappedTokens ?? Infinity);
}

/**
 * Whether the gateway has given an attempt up, and its provider has not refused it: as with an error, a redirect, or by closing the
 * connection without a word.
 */
export function wasGivenUp({ kind, status, hasHead }: ProviderError): boolean {
  return kind === 'timeout' || (kind === 'unreachable' && hasHead) || (kind === 'invalid' && status === null);
}
