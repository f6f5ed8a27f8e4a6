import { Injectable } from '@nestjs/common';
import type { InferenceRequest } from '../request/inference-request.js';
import type { Outcome } from '../request/outcome.js';
import type { CatalogModel } from '../../../catalog/catalog-model.js';
import type { ProviderAttempt } from '../../../generations/generation-details.js';
import { maskSecrets } from '../../../../telemetry/logging/secret-mask.js';
import { ProviderError, type ProviderErrorKind } from '../../../codecs/errors/provider-error.js';
import { availabilityField } from '../../../routing/availability.js';
import { EndpointHealth } from '../../../routing/endpoint-health.js';
import { ProviderRefusedRequest, ProvidersRateLimited, ProvidersUnavailable } from '../../inference.errors.js';
import { type Candidate, endpointNameOf } from '../request/candidate.js';

const PROVIDERS_LIMIT = 'Rate limit exceeded: every provider that was asked has too many requests.';

const SHARE_USED =
  'Rate limit exceeded: the organization has as many requests open at every provider of the model as it may.';

/** A candidate that has begun to answer. */
export interface Answering<Result> {
  readonly candidate: Candidate;
  readonly result: Result;
}

/** What is done about attempts that fail, besides trying the next candidate. */
export interface AttemptRules {
  /** Is told that an attempt has failed. */
  readonly failed: (candidate: Candidate, error: ProviderError) => void;
  /** Whether a candidate may be tried after others have failed. */
  readonly mayTry: (candidate: Candidate) => Promise<boolean>;
  /** Whether the call is retried at the same candidate, with another request than the one that it has refused; absent for never. */
  readonly asksAgain?: (error: ProviderError) => boolean;
}

/** Whose request it is, and what receives each attempt. */
interface AskingRequest {
  readonly request: Pick<InferenceRequest, 'organizationId' | 'startedAt' | 'repeated'>;
  readonly outcome: Pick<Outcome, 'attempts' | 'providerFilters'>;
}

/** A candidate that did not answer. */
interface Failure {
  readonly candidate: Candidate;
  readonly error: ProviderError;
}

/** The least Retry-After, in seconds. */
const RETRY_AFTER_SECONDS = 1;

/** Statuses that are about the gateway's credentials or the moment, not about the request. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([401, 402, 403, 404, 408, 429]);

/** Of these, those that a caller is told where no other endpoint was asked: to repeat the request would not help. */
const PASSED_ON_OF_ONE: ReadonlySet<number> = new Set([403, 404]);

/** Statuses below 500 that say something about the health of an endpoint; the others are about the request or its sender. */
const SYMPTOMS: ReadonlySet<number> = new Set([401, 402, 404, 408]);

/** Statuses that an organization's own key may cause, so that they say nothing about the endpoint to others. */
const OF_AN_OWN_KEY: ReadonlySet<number> = new Set([401, 402, 404]);

/** A provider for which there was no connection left was not asked. */
const NOT_ASKED: ReadonlySet<ProviderErrorKind> = new Set(['busy', 'share_used']);

/** How much of what a provider says of its failure is recorded, in characters. */
const RECORDED_MESSAGE_LENGTH = 500;

/** Tries candidates one after the other until one begins to answer (docs/interface/inference.md#fallback). */
@Injectable()
export class AttemptsService {
  constructor(private readonly health: EndpointHealth) {}

  /**
   * Tries candidates in their order. Another endpoint is tried after a failure that is not about the request; after one that
   * is, only another model.
   *
   * @param asking whose request it is, and what receives each attempt
   * @param call asks one candidate, and resolves when it begins to answer
   * @param rules are asked before each further attempt
   * @throws ProviderRefusedRequest, ProvidersRateLimited, ProvidersUnavailable, and every error that is not a {@link ProviderError}
   */
  async firstAnswer<Result>(
    { request, outcome: { attempts, providerFilters } }: AskingRequest,
    candidates: readonly Candidate[],
    call: (candidate: Candidate) => Promise<Result>,
    rules: AttemptRules,
  ): Promise<Answering<Result>> {
    const { organizationId, startedAt } = request;
    const failures: Failure[] = [];
    const refusedModels = new Set<CatalogModel>();
    const left = candidates.toReversed();
    for (let candidate = left.pop(); candidate !== undefined; candidate = left.pop()) {
      if (refusedModels.has(candidate.model)) continue;
      if (failures.length > 0 && !(await rules.mayTry(candidate))) break;
      let start = performance.now();
      const record = (status: number | null, error?: string): void => {
        const attempt = attemptOf(candidate, status, start - startedAt, performance.now() - start);
        attempts.push(error === undefined ? attempt : { ...attempt, error });
      };
      request.repeated = () => {
        record(null);
        start = performance.now();
      };
      try {
        const result = await call(candidate);
        record(200);
        return { candidate, result };
      } catch (error) {
        // Also an attempt that the client has ended by leaving was made.
        if (!(error instanceof ProviderError)) {
          record(null);
          throw error;
        }
        record(error.status, recordedMessageOf(error));
        providerFilters.addRefused(error.filtered);
        // The endpoint is well, and nothing of the refused request is charged.
        if (rules.asksAgain?.(error) === true) {
          left.push(candidate);
          continue;
        }
        failures.push({ candidate, error });
        this.failed(candidate, organizationId, error);
        rules.failed(candidate, error);
        if (isAboutRequest(error)) refusedModels.add(candidate.model);
      }
    }
    throw errorOf(failures, (candidate) => this.health.waitFor(endpointNameOf(candidate), organizationId));
  }

  /** Counts that a candidate has answered to the end. */
  succeeded(candidate: Candidate, organizationId: string): void {
    this.health.record(endpointNameOf(candidate), organizationId, true);
  }

  /** Counts that a candidate has failed, before or within its answer, if that says something about its endpoint. */
  failed(
    candidate: Candidate,
    organizationId: string,
    error: Pick<ProviderError, 'kind' | 'status' | 'wasRepeated'>,
  ): void {
    if (!error.wasRepeated && isSymptom(error, candidate))
      this.health.record(endpointNameOf(candidate), organizationId, false);
  }
}

function isSymptom({ kind, status }: Pick<ProviderError, 'kind' | 'status'>, { isByok }: Candidate): boolean {
  if (status === null) return !NOT_ASKED.has(kind);
  if (isByok && OF_AN_OWN_KEY.has(status)) return false;
  return status >= 500 || SYMPTOMS.has(status);
}

function isAboutRequest({ kind, status }: ProviderError): boolean {
  return kind === 'refused' && status !== null && status < 500 && !PASSING_STATUSES.has(status);
}

/**
 * What the record says of a failure.
 *
 * @returns undefined where the request is at fault: such a message may quote it, and records have nothing of what was asked
 */
function recordedMessageOf(error: ProviderError): string | undefined {
  return isAboutRequest(error) ? undefined : maskSecrets(error.message).slice(0, RECORDED_MESSAGE_LENGTH);
}

/**
 * What the caller is told when no provider answers.
 *
 * @param waitFor how long to wait before a candidate is asked again, in milliseconds
 */
function errorOf(failures: readonly Failure[], waitFor: (candidate: Candidate) => number): Error {
  const { candidate, error } = failures.at(-1)!;
  const provider = candidate.endpoint.provider.name;
  const isLone = failures.length === 1 && error.kind === 'refused' && PASSED_ON_OF_ONE.has(error.status ?? 0);
  if (isLone || isAboutRequest(error)) return new ProviderRefusedRequest(error, provider);
  const waits = failures.flatMap(({ error: { retryAfter } }) => retryAfter ?? []);
  const ofHealth = failures.map(({ candidate: failed }) => waitFor(failed) / 1000);
  const least = Math.min(...(waits.length > 0 ? waits : ofHealth));
  const retryAfterSeconds = Math.max(RETRY_AFTER_SECONDS, Math.ceil(least));
  const isOfOrganization = failures.every(({ error: { kind } }) => kind === 'share_used');
  const isCapacity = failures.every(({ error: { kind, status } }) => status === 429 || kind === 'share_used');
  const options = {
    retryAfterSeconds,
    detail: {
      previous_errors: failures.map(({ candidate: tried, error: { kind, status } }) => ({
        provider: tried.endpoint.provider.name,
        code: status ?? kind,
      })),
    },
    fields: availabilityField(isCapacity ? 'capacity_exhausted' : 'temporarily_unavailable', modelsOf(failures), {
      retry_after: retryAfterSeconds,
      affected_providers: [...new Set(failures.map(({ candidate: tried }) => tried.endpoint.provider.name))],
    }),
  };
  return isCapacity
    ? new ProvidersRateLimited(
        `${isOfOrganization ? SHARE_USED : PROVIDERS_LIMIT} Please try again in ${retryAfterSeconds}s.`,
        options,
      )
    : new ProvidersUnavailable('Service temporarily unavailable: no provider could answer.', options);
}

function modelsOf(failures: readonly Failure[]): string[] {
  return [...new Set(failures.map(({ candidate }) => candidate.model.row.id))];
}

function attemptOf(candidate: Candidate, status: number | null, startedMs: number, latencyMs: number): ProviderAttempt {
  const { model, endpoint, isByok } = candidate;
  return {
    provider: endpoint.provider.slug,
    providerName: endpoint.provider.name,
    model: model.row.id,
    canonicalSlug: model.row.canonicalSlug,
    endpoint: endpoint.row.tag,
    status,
    isByok,
    startedMs: Math.round(startedMs * 1000) / 1000,
    latencyMs: Math.round(latencyMs * 1000) / 1000,
  };
}
