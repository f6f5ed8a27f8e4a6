import { Injectable } from '@nestjs/common';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import type { ExceededRate, RateSubject } from '../../../rates/rate-count.js';
import { hasRateLimits, type StoredRateLimits } from '../../../rates/rate-limits.js';
import { rateRefusalOf } from '../../../rates/rates.errors.js';
import { RatesService } from '../../../rates/rates.service.js';
import { estimatedTokens } from '../cost/estimated-tokens.js';
import type { RequestFacts } from '../request/prepared-request.js';
import type { RequestForm, RoutedBody } from '../request/request-form.js';
import type { RateContext } from './rate-context.js';

/** A request that is counted. */
interface RatedArrival {
  readonly caller: ApiKeyPrincipal;
  readonly context: RateContext;
  /** Receives how it was counted, also when it is refused. */
  readonly facts: Pick<RequestFacts, 'rates'>;
}

/** A request as it came. */
interface ArrivedRequest<Body> extends RatedArrival {
  readonly body: Body;
}

/** Counts requests for the limits per minute of their keys and workspaces (docs/limits.md#rates). */
@Injectable()
export class RequestRates {
  constructor(private readonly rates: RatesService) {}

  /**
   * Counts a request, and about how many tokens its prompt has, before anything is done with its content. Nothing is counted where
   * neither its key nor its workspace has such limits.
   *
   * @throws WorkspaceRateLimitExceeded
   * @throws KeyRateLimitExceeded
   */
  async count<Body extends RoutedBody>(
    form: Pick<RequestForm<Body>, 'promptBytesOf'>,
    { caller, context, body, facts }: ArrivedRequest<Body>,
  ): Promise<void> {
    const tokensOf = (): number => Math.max(1, estimatedTokens(form.promptBytesOf(body)));
    const exceeded = await this.countWith(tokensOf, { caller, context, facts });
    if (exceeded !== undefined) throw rateRefusalOf(exceeded);
  }

  /**
   * Counts a request that is refused for its form: as one token, because the size of its prompt is not known. Where a limit leaves no
   * room for it, it is not counted, and it is still refused for its form.
   *
   * @param facts receives how it was counted
   */
  async countRefused(caller: ApiKeyPrincipal, context: RateContext, facts: Pick<RequestFacts, 'rates'>): Promise<void> {
    await this.countWith(() => 1, { caller, context, facts });
  }

  /** Counts the tokens that a request has used instead of those that it was expected to use. @param tokens 0 for one that was refused */
  async settle(organizationId: string, { rates }: Pick<RequestFacts, 'rates'>, tokens: number): Promise<void> {
    if (rates?.counted === undefined) return;
    const { subjects, second, tokens: expected } = rates.counted;
    if (tokens !== expected) await this.rates.correct(organizationId, { subjects, second, tokens: tokens - expected });
  }

  private async countWith(
    tokensOf: () => number,
    { caller, context, facts }: RatedArrival,
  ): Promise<ExceededRate | undefined> {
    const subjects = subjectsOf(caller, context);
    if (subjects.length === 0) return undefined;
    const countsTokens = subjects.some(({ limits }) => limits.tokensPerMinute !== null);
    const tokens = countsTokens ? tokensOf() : 1;
    const { second, levels, exceeded } = await this.rates.count(caller.organizationId, { subjects, tokens });
    facts.rates = { levels, ...(exceeded === undefined && countsTokens && { counted: { subjects, second, tokens } }) };
    return exceeded;
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
