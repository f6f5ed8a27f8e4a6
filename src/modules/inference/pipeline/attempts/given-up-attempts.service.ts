import { Injectable } from '@nestjs/common';
import type { ProviderError } from '../../../codecs/errors/provider-error.js';
import { AdmissionService } from '../../../spend/admission.service.js';
import { costAt, isWithin } from '../../../spend/worst-case.js';
import { largerOf, unitsOf } from '../../../spend/decimal-amount.js';
import type { AnswerOutcome } from '../request/answer-outcome.js';
import type { Exchange } from '../request/exchange.js';
import { chargeOf } from '../cost/usage-charge.js';
import { admissionOf } from '../admission/request-admission.service.js';
import type { Reservation } from '../request/decision.js';
import type { RoutedBody } from '../request/operation.js';
import type { AttemptRules } from './attempts.service.js';
import type { Candidate } from '../request/candidate.js';

/** What is spent, or may be, through provider keys of the deployment, and through those of the organization. */
interface SpentAmounts {
  readonly ofDeployment: bigint;
  readonly ofOrganization: bigint;
}

/** Attempts that were given up after their provider had got the whole request, so that it may charge for them (docs/budgets.md#attempts-given-up). */
@Injectable()
export class GivenUpAttempts {
  constructor(private readonly admissions: AdmissionService) {}

  /**
   * The rules for the attempts of a request: each that is given up is charged, and a further one is made only where its worst case fits
   * the limits besides.
   *
   * @param outcomeOf what the attempt that has just failed came to; undefined where its provider has not got the whole request
   */
  rulesFor<Body extends RoutedBody>(
    exchange: Exchange<Body>,
    outcomeOf: (error: ProviderError) => AnswerOutcome | undefined,
  ): AttemptRules {
    return {
      failed: (candidate, error) => {
        const outcome = wasGivenUp(error) ? outcomeOf(error) : undefined;
        if (outcome !== undefined) exchange.outcome.givenUp.push(chargeOf(exchange, candidate, outcome));
      },
      mayTry: (candidate) => this.leaveRoomFor(exchange, candidate),
    };
  }

  /** @throws the errors of the database */
  private async leaveRoomFor<Body extends RoutedBody>(
    { request, decision, outcome }: Exchange<Body>,
    candidate: Candidate,
  ): Promise<boolean> {
    const { givenUp } = outcome;
    const { reservation, candidates } = decision;
    if (givenUp.length === 0 || reservation === undefined || candidate.endpoint.hasNoPrice) return true;
    const reserved = outcome.raised ?? reservation.amounts;
    const mayCost = (one: Candidate): bigint => worstCaseAt(reservation, candidates.indexOf(one));
    const kept = givenUp.reduce<SpentAmounts>(
      (sum, charge) => added(sum, charge.candidate, largerOf(mayCost(charge.candidate), unitsOf(charge.cost.total))),
      { ofDeployment: 0n, ofOrganization: 0n },
    );
    const { ofDeployment, ofOrganization } = added(kept, candidate, mayCost(candidate));
    const needed = { amount: ofDeployment, byokAmount: ofOrganization === 0n ? 0n : ofDeployment + ofOrganization };
    if (isWithin(needed, reserved)) return true;
    const admission = admissionOf(request, decision, reservation.worstCase);
    const raised = await this.admissions.raise(admission, { from: reserved, to: needed });
    if (raised !== null) outcome.raised = raised;
    return raised !== null;
  }
}

function added(sum: SpentAmounts, { isByok }: Candidate, cost: bigint): SpentAmounts {
  return isByok
    ? { ...sum, ofOrganization: sum.ofOrganization + cost }
    : { ...sum, ofDeployment: sum.ofDeployment + cost };
}

/** What an attempt at a candidate may cost. @param index of the candidate */
function worstCaseAt({ worstCase, cappedTokens }: Reservation, index: number): bigint {
  const prices = worstCase.byCandidate[index] ?? [];
  return prices.map((price) => costAt(price, worstCase.namedTokens, cappedTokens ?? Infinity)).reduce(largerOf, 0n);
}

/**
 * Whether the gateway has given an attempt up, and its provider has not refused it: as with an error, a redirect, or by closing the
 * connection without a word.
 */
export function wasGivenUp({ kind, status, hasHead }: ProviderError): boolean {
  return kind === 'timeout' || (kind === 'unreachable' && hasHead) || (kind === 'invalid' && status === null);
}
