import type { CandidatePrice, ReservedAmounts } from '../../../spend/worst-case.js';

/** A cost that grows with the answer, in the smallest units of a US dollar. */
export interface GrowingCost {
  readonly fixed: bigint;
  /** For each token of the answer, times the number of choices. */
  readonly perToken: bigint;
}

/** What judge models cost, through provider keys of the deployment and through those of the organization: each judge uses one of either. */
export interface JudgingAmounts {
  readonly ofDeployment: bigint;
  readonly ofOrganization: bigint;
}

/** What judge models may cost for a request at most (docs/budgets.md#judge-models). */
export interface JudgingWorstCase {
  readonly ofDeployment: GrowingCost;
  readonly ofOrganization: GrowingCost;
}

/** What judge models may cost for an answer of so many tokens. */
export function judgingAt({ ofDeployment, ofOrganization }: JudgingWorstCase, tokens: number): JudgingAmounts {
  const at = ({ fixed, perToken }: GrowingCost): bigint => fixed + perToken * BigInt(tokens);
  return { ofDeployment: at(ofDeployment), ofOrganization: at(ofOrganization) };
}

/**
 * What a request may cost at a candidate together with what judges it: as what it may use through keys of the deployment, and through those
 * of the organization together with these.
 */
export function withJudging(price: CandidatePrice, judging: JudgingWorstCase | undefined): readonly CandidatePrice[] {
  if (judging === undefined) return [price];
  const { ofDeployment, ofOrganization } = judging;
  const all = plus(plus(price, ofDeployment), ofOrganization);
  const { longestAnswer } = price;
  if (price.isByok) {
    return isNothing(ofDeployment) ? [all] : [{ ...ofDeployment, longestAnswer, isByok: false }, all];
  }
  const own = isNothing(ofOrganization) ? [] : [{ ...all, isByok: true }];
  return [plus(price, ofDeployment), ...own];
}

/** Amounts of an attempt with those of judging: through keys of the organization those of the deployment count beside them. */
export function amountsWith(sums: JudgingAmounts, { ofDeployment, ofOrganization }: JudgingAmounts): ReservedAmounts {
  const [amount, own] = [sums.ofDeployment + ofDeployment, sums.ofOrganization + ofOrganization];
  return { amount, byokAmount: own === 0n ? 0n : amount + own };
}

function plus(price: CandidatePrice, { fixed, perToken }: GrowingCost): CandidatePrice {
  return { ...price, fixed: price.fixed + fixed, perToken: price.perToken + perToken };
}

function isNothing({ fixed, perToken }: GrowingCost): boolean {
  return fixed === 0n && perToken === 0n;
}
