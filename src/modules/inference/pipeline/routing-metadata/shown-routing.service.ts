import { Injectable } from '@nestjs/common';
import { Dialect } from '../../../../http/dialect/dialect.js';
import type { GatehouseRequest } from '../../../../http/request.js';
import type { CandidateEndpoint } from '../../../routing/endpoint-order.js';
import type { RequestState } from '../request/exchange.js';
import { type RoutedRequest, routerMetadata } from './router-metadata.js';

/** Shows callers who ask for it how their requests were routed (docs/interface/inference.md#routing-metadata). */
@Injectable()
export class ShownRouting {
  private readonly headers: readonly string[];

  constructor(private readonly dialect: Dialect) {
    this.headers = dialect.headerNames('X-Router-Metadata').map((name) => name.toLowerCase());
  }

  /**
   * The field that an answer, its last chunk or the envelope of an error has for it.
   *
   * @param selected the endpoint that answered; undefined if none did
   * @returns nothing unless the request asks for it and its models are known
   */
  fieldOf(state: RequestState, selected?: CandidateEndpoint): object {
    if (state.decision.models.length === 0 || !this.isAskedFor(state.request.http)) return {};
    return this.dialect.write({ router_metadata: routerMetadata(routedRequestOf(state), selected) });
  }

  /** Any other value counts as `disabled`. */
  private isAskedFor({ headers }: GatehouseRequest): boolean {
    return this.headers.some((name) => String(headers[name] ?? '').toLowerCase() === 'enabled');
  }
}

function routedRequestOf({ request, decision, outcome }: RequestState): RoutedRequest {
  const { models, candidates } = decision;
  return {
    requestedModel: request.description.requestedModel,
    dataRegion: request.description.dataRegion,
    models,
    candidates,
    findings: [...decision.findings, ...outcome.findings],
    judgements: decision.inspection?.recorded ?? [],
    attempts: outcome.attempts,
    pluginStages: [...decision.pluginStages, ...outcome.pluginStages],
    adjustments: request.adjustments.list,
    generationMs: request.clock.sinceLastCall,
  };
}
