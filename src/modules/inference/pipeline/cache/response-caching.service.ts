import { Injectable, Optional } from '@nestjs/common';
import type { Response } from 'express';
import { Environment } from '../../../../config/environment.js';
import { canonicalJson } from '../../../../http/canonical-json.js';
import { CACHE_HEADERS, Dialect } from '../../../../http/dialect/dialect.js';
import { type GatehouseRequest, pathOf } from '../../../../http/request.js';
import { withoutFields } from '../../../codecs/chat/messages-fields.js';
import { type CacheReading, ResponseCache } from '../../../response-cache/response-cache.service.js';
import { type CacheResult, Metrics } from '../../../../telemetry/metrics/metrics.js';
import type { Candidate } from '../request/candidate.js';
import type { Decision } from '../request/decision.js';
import type { InferenceRequest } from '../request/inference-request.js';
import type { InferenceOperation, RoutedBody } from '../request/operation.js';
import { demandsZeroRetention } from '../candidates/zero-retention.js';
import { type CacheHeaders, type CacheWish, cacheWishOf } from './cache-wish.js';
import { neutralValue, readNeutral } from './neutral-json.js';
import { type CachedHead, type CacheHit, RequestCache } from './request-cache.js';

/** The form of what is kept: answers of another one are not found. */
const FORM = 2;

/** The largest body whose answer is looked up or kept, in bytes: a digest of it is made in one turn of the event loop. */
const MAXIMUM_BODY_BYTES = 1_048_576;

/** Fields that say how the cache is used, and nothing about the answer. */
const ABOUT_CACHE: ReadonlySet<string> = new Set(['cache_enabled', 'cache_ttl_seconds']);

/** What the cache does for one request. */
export interface CacheUse {
  readonly result: CacheResult;
  /** Absent where the request goes past it. */
  readonly cache?: RequestCache;
}

const BYPASS: CacheUse = { result: 'bypass' };

/** What a request finds that replaces what is kept for it. */
const NOT_READ: CacheReading = { hasFailed: false };

/** Answers requests from the cache, for those who ask for it (docs/response-cache.md). */
@Injectable()
export class ResponseCaching {
  constructor(
    private readonly cache: ResponseCache,
    private readonly environment: Environment,
    private readonly dialect: Dialect,
    @Optional() private readonly metrics?: Metrics,
  ) {}

  /**
   * Looks for the answer to a request that is otherwise decided: its rates, policy, filters and met budgets come before.
   *
   * @returns undefined for a request that does not ask for it
   * @throws BadRequestError for a wish that means nothing
   */
  async use<Body extends RoutedBody>(
    { isCached }: InferenceOperation<Body>,
    request: InferenceRequest,
    decision: Decision<Body>,
  ): Promise<CacheUse | undefined> {
    const wish = cacheWishOf(this.headersOf(request.http), decision.body);
    if (wish === undefined) return undefined;
    const isUsed = isCached && wish.isUsed && this.isAllowed(request, decision);
    const use = isUsed ? await this.lookUp(wish, request, decision) : BYPASS;
    this.metrics?.gateway.cacheRequest(use.result);
    return use;
  }

  private async lookUp(wish: CacheWish, request: InferenceRequest, decision: Decision<RoutedBody>): Promise<CacheUse> {
    const { workspaceId } = decision;
    const body = neutralValue(withoutFields(decision.inspected!, ABOUT_CACHE), MAXIMUM_BODY_BYTES);
    if (workspaceId === null || body === undefined) return BYPASS;
    const models = decision.models.map(({ model }) => model.row.id);
    const path = pathOf(request.http);
    // What is kept is what left the filters of answers.
    const { key } = decision.policy!.answers;
    const filters = key === '' ? [] : [key];
    const text = canonicalJson([FORM, request.organizationId, workspaceId, path, models, body, ...filters]);
    const place = this.cache.placeOf(request.organizationId, workspaceId, text);
    const { text: kept, hasFailed } = wish.isCleared ? NOT_READ : await this.cache.get(place);
    const hit = kept === undefined ? undefined : hitOf(kept, decision.candidates);
    const missed = hasFailed ? 'failed' : 'miss';
    const keeping = {
      place,
      ttlSeconds: this.ttlOf(wish),
      maximumLength: this.environment.responseCacheMaximumEntryBytes,
    };
    return { result: hit === undefined ? missed : 'hit', cache: new RequestCache(this.cache, keeping, hit) };
  }

  /** Says in the headers of an answer what the cache has done. */
  show(response: Response, { result, cache }: CacheUse): void {
    const set = (name: keyof typeof CACHE_HEADERS.answer, value: string | number): unknown =>
      response.setHeader(this.dialect.cacheHeaders.answer[name], String(value));
    // The client is told nothing of the store.
    set('status', this.dialect.cacheStatus(result === 'failed' ? 'miss' : result));
    if (cache === undefined) return;
    const { hit, ttlSeconds } = cache;
    if (hit === undefined) set('ttl', ttlSeconds);
    else {
      set('age', Math.max(0, Math.floor((Date.now() - hit.keptAt) / 1000)));
      set('source', hit.sourceId);
    }
  }

  /** Whether an answer costs nothing, so that nothing is reserved for it. */
  isFree({ cache }: CacheUse): boolean {
    return cache?.hit !== undefined && this.environment.responseCacheChargePercent === 0;
  }

  private isAllowed({ bodyBytes }: InferenceRequest, decision: Decision<RoutedBody>): boolean {
    const { isResponseCacheEnabled, contentLoggingRate } = decision.inputs!.context;
    if (this.environment.responseCacheMaximumTtlSeconds === 0 || bodyBytes > MAXIMUM_BODY_BYTES) return false;
    return (isResponseCacheEnabled ?? contentLoggingRate > 0) && !demandsNoRetention(decision);
  }

  private ttlOf({ ttlSeconds }: CacheWish): number {
    const { responseCacheTtlSeconds, responseCacheMaximumTtlSeconds } = this.environment;
    return Math.min(ttlSeconds ?? responseCacheTtlSeconds, responseCacheMaximumTtlSeconds);
  }

  private headersOf({ headers }: GatehouseRequest): CacheHeaders {
    const read = (name: string): { name: string; value?: string } => {
      const value = headers[name.toLowerCase()];
      return typeof value === 'string' ? { name, value } : { name };
    };
    const { use, ttl, clear } = this.dialect.cacheHeaders.request;
    return { use: read(use), ttl: read(ttl), clear: read(clear) };
  }
}

/** Whether nothing of the request may be kept: it says so itself, or a guardrail demands it of the providers of its models. */
function demandsNoRetention(decision: Decision<RoutedBody>): boolean {
  return decision.body.provider?.data_collection === 'deny' || demandsZeroRetention(decision);
}

/** The answer that is kept, if the endpoint that has given it may answer this request too. */
function hitOf(text: string, candidates: readonly Candidate[]): CacheHit | undefined {
  const { answer, ...head } = JSON.parse(text) as CachedHead & { readonly answer: unknown };
  const candidate = candidates.find(
    ({ model, endpoint }) => model.row.id === head.model && endpoint.row.tag === head.endpoint,
  );
  return candidate && { ...head, candidate, answer: readNeutral(answer) };
}
