import { Injectable } from '@nestjs/common';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import type { ExceededRate, RateSubject } from '../../../rates/rate-count.js';
import { hasRateLimits, type StoredRateLimits } from '../../../rates/rate-limits.js';
import { rateRefusalOf } from '../../../rates/rates.errors.js';
import { RatesService } from '../../../rates/rates.service.js';
import { estimatedTokens } from '../cost/estimated-tokens.js';
import type { Decision, RatedRequest } from '../request/decision.js';
import type { RateContext } from '../context/request-context.repository.js';

/** Counts requests for the limits per minute of their keys and workspaces (docs/limits.md#rates). */
@Injectable()
export class RequestRates {
  constructor(private readonly rates: RatesService) {}

  /**
   * Counts a request, and about how many tokens its prompt has, before anything is done with its content. Nothing is counted where
   * neither its key nor its workspace has such limits.
   *
   * @param promptBytesOf counts the bytes of the prompt, where tokens are limited
   * @returns how it was counted, with the refusal where a limit leaves no room for it
   */
  async count(
    caller: ApiKeyPrincipal,
    context: RateContext,
    promptBytesOf: () => number,
  ): Promise<Pick<Decision<unknown>, 'rates' | 'refusal'>> {
    const counted = await this.countWith(caller, context, () => Math.max(1, estimatedTokens(promptBytesOf())));
    if (counted === undefined) return {};
    const { rates, exceeded } = counted;
    return exceeded === undefined ? { rates } : { rates, refusal: rateRefusalOf(exceeded) };
  }

  /**
   * Counts a request that is refused for its form: as one token, because the size of its prompt is not known. Where a limit leaves no
   * room for it, it is not counted, and it is still refused for its form.
   *
   * @returns how it was counted; undefined where no such limits apply
   */
  async countRefused(caller: ApiKeyPrincipal, context: RateContext): Promise<RatedRequest | undefined> {
    return (await this.countWith(caller, context, () => 1))?.rates;
  }

  /** Counts the tokens that a request has used instead of those that it was expected to use. @param tokens 0 for one that was refused */
  async settle(organizationId: string, rates: RatedRequest | undefined, tokens: number): Promise<void> {
    if (rates?.counted === undefined) return;
    const { subjects, second, tokens: expected } = rates.counted;
    if (tokens !== expected) await this.rates.correct(organizationId, { subjects, second, tokens: tokens - expected });
  }

  private async countWith(
    caller: ApiKeyPrincipal,
    context: RateContext,
    tokensOf: () => number,
  ): Promise<{ readonly rates: RatedRequest; readonly exceeded: ExceededRate | undefined } | undefined> {
    const subjects = subjectsOf(caller, context);
    if (subjects.length === 0) return undefined;
    const countsTokens = subjects.some(({ limits }) => limits.tokensPerMinute !== null);
    const tokens = countsTokens ? tokensOf() : 1;
    const { second, levels, exceeded } = await this.rates.count(caller.organizationId, { subjects, tokens });
    const isCounted = exceeded === undefined && countsTokens;
    return { rates: { levels, ...(isCounted && { counted: { subjects, second, tokens } }) }, exceeded };
  }
}

/** The workspace before the key: of several limits the broadest is named. */
function subjectsOf({ credentialId }: ApiKeyPrincipal, context: RateContext): RateSubject[] {
  const { workspaceId, workspaceRequestsPerMinute, workspaceTokensPerMinute } = context;
  const ofWorkspace = { requestsPerMinute: workspaceRequestsPerMinute, tokensPerMinute: workspaceTokensPerMinute };
  const ofKey = { requestsPerMinute: context.keyRequestsPerMinute, tokensPerMinute: context.keyTokensPerMinute };
  return [
    ...(workspaceId === null ? [] : limited('workspace', workspaceId, ofWorkspace)),
    ...limited('key', credentialId, ofKey),
  ];
}

function limited(subject: RateSubject['subject'], id: string, limits: StoredRateLimits): RateSubject[] {
  return hasRateLimits(limits) ? [{ subject, id, limits }] : [];
}
