import type { GatehouseRequest } from '../../../../http/request.js';
import type { FinishReason, TokenUsage } from '../../../codecs/chat/chat-completion.js';
import type { Finding } from '../../../content/content-result.js';
import type { AppliedFilter } from '../../../generations/generation-details.js';
import type { ContentError, ContentOutput } from '../../../generations/content/generation-content.js';
import type { NewGeneration } from '../../../generations/generations.service.js';
import { textOfUnits } from '../../../spend/decimal-amount.js';
import type { RefusingLimit } from '../../../spend/spend.errors.js';
import { overrunOf } from '../../../spend/worst-case.js';
import { NoEndpoints } from '../../../routing/routing.errors.js';
import { recordedExclusions } from '../candidates/recorded-exclusions.js';
import { type AttemptCharge, costOfAttempts, recordedCharge } from '../cost/attempt-charge.js';
import type { CacheHit } from '../cache/request-cache.js';
import { NO_COST } from '../cost/cost.js';
import type { KeptOutput } from '../answer/kept-output.js';
import type { RequestState } from '../request/exchange.js';
import { counterUsesOf } from './counter-uses.js';
import { alsoObserved } from '../request/decision.js';
import { nameOfFilter } from '../request/filter-name.js';

/** How a request ended. */
export interface GenerationEnd {
  readonly status: number;
  readonly refusal?: string;
  /** The limit that refused it; absent where none did. */
  readonly limitedBy?: RefusingLimit;
  /** The guardrails whose rules refused it; absent where none did. */
  readonly refusingGuardrailIds?: readonly string[];
  readonly cancelled?: boolean;
  /** What the attempt that answered is charged; absent where none answered. */
  readonly charge?: AttemptCharge;
  readonly finishReason?: FinishReason | null;
  /** The finish reasons of all choices of a complete answer, in their order. */
  readonly finishReasons?: readonly FinishReason[] | undefined;
  readonly nativeFinishReason?: string | null;
  readonly upstreamId?: string | null;
  readonly serviceTier?: string | null;
  /** The cached answer that was used; undefined where a provider answered. */
  readonly cacheSource?: CacheHit | undefined;
  /** Images of the answer; absent for one that can have none. */
  readonly images?: number;
  readonly output?: KeptOutput | null;
  /** The error if the answer is missing or incomplete. */
  readonly error?: ContentError;
}

/** The record of a request (docs/interface/generations.md#fields). */
export function generationOf({ request, decision, outcome }: RequestState, end: GenerationEnd): NewGeneration {
  const { caller, http, description } = request;
  const { charge } = end;
  const charges = charge === undefined ? outcome.givenUp : [...outcome.givenUp, charge];
  const judging = decision.inspection?.account.settled() ?? [];
  const usage = charge?.usage;
  const charged = [...charges.filter(({ cost }) => cost !== NO_COST), ...judging];
  const last = outcome.attempts.at(-1);
  const isByok =
    (charge === undefined ? charges.at(-1)?.candidate.isByok : undefined) ??
    last?.isByok ??
    charge?.candidate.isByok ??
    judging[0]?.candidate.isByok ??
    false;
  const isMixed = charged.some(({ candidate }) => candidate.isByok !== isByok);
  const overrun = overrunOf(outcome.raised ?? decision.reservation?.amounts, {
    ofDeployment: costOfAttempts(charged, false),
    ofOrganization: costOfAttempts(charged, true),
  });
  const adjustments = request.adjustments.list;
  const providerFilters = outcome.providerFilters.list;
  const { observed } = alsoObserved(decision, outcome.observed);
  const judgements = decision.inspection?.recorded ?? [];
  return {
    organizationId: caller.organizationId,
    id: request.id,
    createdAt: request.createdAt,
    keyId: caller.credentialId,
    userId: caller.userId,
    workspaceId: decision.workspaceId,
    status: end.status,
    model: charge?.candidate.model.row.id ?? decision.models[0]?.model.row.id ?? description.requestedModel,
    provider: last?.provider ?? null,
    isByok,
    costUsd: textOfUnits(costOfAttempts(charged)),
    promptTokens: usage?.prompt_tokens ?? sumOf(charges, ({ prompt_tokens: tokens }) => tokens),
    completionTokens: usage?.completion_tokens ?? sumOf(charges, ({ completion_tokens: tokens }) => tokens),
    details: {
      requestId: http.requestId,
      requestedModel: description.requestedModel,
      apiType: description.apiType,
      streamed: description.streamed,
      cancelled: end.cancelled === true,
      ...given({
        refusal: end.refusal,
        limitedBy: end.limitedBy,
        refusingGuardrailIds: end.refusingGuardrailIds,
        exclusions: end.refusal === NoEndpoints.reason ? recordedExclusions(decision) : undefined,
        endpoint: end.cacheSource?.candidate.endpoint.row.tag,
        upstreamId: end.upstreamId,
        latencyMs: milliseconds(outcome.latencySince(request.startedAt)),
        cacheSourceId: end.cacheSource?.sourceId,
        generationMs:
          last === undefined && end.cacheSource === undefined
            ? undefined
            : milliseconds(performance.now() - request.startedAt),
        finishReason: end.finishReason,
        nativeFinishReason: end.nativeFinishReason,
        serviceTier: end.serviceTier,
        cachedTokens: usage?.prompt_tokens_details?.cached_tokens,
        reasoningTokens: usage?.completion_tokens_details?.reasoning_tokens,
        imageTokens: usage?.completion_tokens_details?.image_tokens,
        // At list price: what the provider charges the key is between it and the organization.
        upstreamCostUsd: last?.isByok === true ? textOfUnits(costOfAttempts(charged, true)) : undefined,
        byokCostUsd: isMixed ? textOfUnits(costOfAttempts(charged, true)) : undefined,
        charges: charged.length === 0 ? undefined : charged.map(recordedCharge),
        cacheDiscountUsd: charge?.cost.cacheDiscount,
        overrunUsd: overrun === undefined ? undefined : textOfUnits(overrun),
        mediaInPrompt: decision.media?.images,
        audioInPrompt: decision.media?.recordings,
        mediaInAnswer: end.images,
        externalUser: decision.externalUser,
        sessionId: description.sessionId,
        labels: decision.labels,
        presetId: decision.preset?.id,
        referer: headerOf(http, 'http-referer') ?? headerOf(http, 'referer'),
        userAgent: headerOf(http, 'user-agent'),
        consoleSessionId: caller.consoleSessionId,
      }),
      dataRegion: description.dataRegion,
      attempts: outcome.attempts,
      filters: [...decision.findings, ...outcome.findings].map(toAppliedFilter),
      ...(judgements.length > 0 && { judgements }),
      ...(outcome.filtering !== undefined && { answerFiltering: outcome.filtering }),
      ...(providerFilters.length > 0 && { providerFilters }),
      ...(observed.length > 0 && { observed }),
      ...(adjustments.length > 0 && { adjustments }),
    },
    ...(decision.isCounted && { uses: counterUsesOf(decision, outcome, { charges, judging }) }),
    content:
      decision.input === undefined
        ? undefined
        : { input: decision.input, output: loggedOutput(end), error: end.error ?? null },
  };
}

function loggedOutput({ output }: GenerationEnd): ContentOutput {
  return { completion: output?.completion ?? null, reasoning: output?.reasoning ?? null };
}

function sumOf(charges: readonly AttemptCharge[], tokensOf: (usage: TokenUsage) => number): number | null {
  return charges.length === 0 ? null : charges.reduce((sum, { usage }) => sum + tokensOf(usage), 0);
}

function toAppliedFilter({ filter, action, guardrailIds, count, place }: Finding): AppliedFilter {
  return { filter: nameOfFilter(filter), action, guardrailIds, count, ...(place !== undefined && { place }) };
}

/** The longest header that a record keeps, in characters. */
const MAXIMUM_HEADER = 512;

function headerOf({ headers }: GatehouseRequest, name: string): string | undefined {
  const value = headers[name];
  // Node.js reads headers as Latin-1, in which NUL cannot occur.
  return typeof value === 'string' ? value.slice(0, MAXIMUM_HEADER) : undefined;
}

function milliseconds(duration: number | undefined): number | undefined {
  return duration === undefined ? undefined : Math.round(duration * 1000) / 1000;
}

function given<T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], null | undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as {
    [Name in keyof T]?: Exclude<T[Name], null | undefined>;
  };
}
