import { Injectable } from '@nestjs/common';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import type { CatalogEndpoint } from '../../../catalog/catalog-endpoint.js';
import type { CatalogModel } from '../../../catalog/catalog-model.js';
import { modelReferenceOf } from '../../../catalog/model-reference.js';
import type { ConnectionSet } from '../../../providers/connections/provider-connections.js';
import { NO_OWN_KEYS, type OwnKeys, OwnProviderKeys } from '../../../providers/own-keys/own-provider-keys.js';
import { ProviderClients } from '../../../providers/clients/provider-clients.service.js';
import {
  type CandidateEndpoint,
  orderedCandidates,
  type OrderRules,
  withOwnFirst,
} from '../../../routing/endpoint-order.js';
import { type Conversation, StickyEndpoints } from '../../../routing/sticky-endpoints.js';
import { EndpointHealth } from '../../../routing/endpoint-health.js';
import { type EndpointNeeds, type Exclusion, exclusionsOf } from '../../../routing/endpoint-exclusion.js';
import { noEndpoints } from '../../../routing/routing.errors.js';
import { ANYWHERE, dearerByWishes } from '../cost/price-factors.js';
import { comparedPrice } from '../cost/compared-price.js';
import { type Candidate, endpointNameOf } from '../request/candidate.js';
import { isBodyFieldTaken } from '../../../codecs/capabilities/translated-request.js';
import { SORTS } from '../../../codecs/chat/client-request.js';
import type { CompiledPolicy } from '../policy/compiled-policies.js';
import type { RequestedModel } from '../context/requested-models.js';
import type { Decision, ExcludedEndpoint } from '../request/decision.js';
import {
  type CallableEndpoint,
  candidatesOf,
  isFor,
  namedCredentialsOf,
  type ProviderCredential,
  providerCredentialsOf,
} from './provider-credentials.js';
import type { RequestContext } from '../context/request-context.repository.js';
import type { InferenceOperation, RoutedBody } from '../request/operation.js';
import { ObservedEndpoints } from './observed-endpoints.js';
import type { CarriedThoughts } from '../thoughts/carried-thoughts.js';

interface CandidateRequest<Body extends RoutedBody = RoutedBody> {
  readonly caller: ApiKeyPrincipal;
  readonly models: readonly RequestedModel[];
  readonly policy: CompiledPolicy;
  readonly context: RequestContext;
  readonly connections: ConnectionSet;
  readonly conversation: Conversation | undefined;
  readonly thoughts: CarriedThoughts | undefined;
  readonly body: Body;
  /** Whether only endpoints without a price may answer, because a limit of spending is met. */
  readonly isFreeOnly: boolean;
}

/** What is the same for every model of a request. */
interface SharedByModels {
  readonly needs: EndpointNeeds;
  /** Whether the operation can be asked of a provider in this way. */
  readonly isAble: (way: ProviderCredential) => boolean;
  readonly endpointsOf: (model: CatalogModel) => readonly CatalogEndpoint[];
  /** Receives each endpoint that is excluded, with every reason. */
  readonly excluded: ExcludedEndpoint[];
  /** Receives each endpoint that is not excluded. */
  readonly observed: ObservedEndpoints;
  readonly priceOf: OrderRules['priceOf'];
}

type Sort = OrderRules['sort'];

/** Finds the endpoints that may answer a request, in the order in which they are tried. */
@Injectable()
export class CandidatesService {
  constructor(
    private readonly ownKeys: OwnProviderKeys,
    private readonly providers: ProviderClients,
    private readonly health: EndpointHealth,
    private readonly sticky: StickyEndpoints,
  ) {}

  /** @returns the candidates of a request; with a refusal where there is none */
  async of<Body extends RoutedBody>(
    operation: Pick<InferenceOperation<Body>, 'name' | 'needsOf' | 'endpointsOf' | 'likelyUseOf'>,
    request: CandidateRequest<Body>,
  ): Promise<Pick<Decision<Body>, 'candidates' | 'excluded' | 'refusal' | 'observed'>> {
    const { models, body } = request;
    // Counts the bytes of the whole prompt, which are the same for every model.
    const needs = operation.needsOf(body);
    const endpointsOf = (model: CatalogModel): readonly CatalogEndpoint[] =>
      operation.endpointsOf?.(model, body) ?? model.endpoints;
    const isAble = ({ connection }: ProviderCredential): boolean =>
      this.providers.of(connection.protocol).has(operation.name);
    const use = operation.likelyUseOf?.(body);
    const priced = { at: new Date(), promptTokens: needs.promptTokens };
    const priceOf = ({ row }: CatalogEndpoint): number => comparedPrice(row, priced, use);
    const excluded: ExcludedEndpoint[] = [];
    const observed = new ObservedEndpoints(request.policy.observers);
    const left: Candidate[][] = [];
    for (const model of models) {
      left.push(await this.ofModel(model, request, { needs, isAble, endpointsOf, excluded, observed, priceOf }));
    }
    const candidates = left.flat();
    if (candidates.length === 0) {
      const refusal = noEndpoints(
        models.map(({ name }) => name),
        excluded.map(({ reasons }) => reasons),
      );
      return { candidates, excluded, refusal, observed: [] };
    }
    const sorted = isAcrossModels(body)
      ? this.atMakersFirst(orderedCandidates(candidates, this.orderRules(request, models[0]!, needs, priceOf)), request)
      : candidates;
    return {
      candidates: body.provider?.allow_fallbacks === false ? sorted.slice(0, 1) : sorted,
      excluded,
      observed: observed.list,
    };
  }

  private async ofModel(
    requested: RequestedModel,
    request: CandidateRequest,
    { needs, isAble, endpointsOf, excluded, observed, priceOf }: SharedByModels,
  ): Promise<Candidate[]> {
    const { model } = requested;
    const ownKeys = await this.ownKeysFor(requested, request);
    const credentials = providerCredentialsOf(request.connections.connected, ownKeys);
    const check = exclusionsOf({
      policyRefusals: request.policy.refusalsOf,
      preferences: request.body.provider ?? {},
      needs,
    });
    const callable = endpointsOf(model).flatMap((endpoint): CallableEndpoint[] => {
      const { providerSlug, isZdr } = endpoint.row;
      const ofProvider = credentials.filter((way) => isFor(way, endpoint));
      const named = namedCredentialsOf(ofProvider, { model, endpoint });
      const able = named.filter(isAble);
      // Keys may be of accounts whose data are handled otherwise than the endpoint says.
      const reasonsAgainst = ({ connection, declaredZdr }: ProviderCredential): Exclusion[] => {
        const way = { model, endpoint, connection };
        return [
          ...check(model, endpoint, declaredZdr ?? isZdr, dearerByWishes(request.body, way)),
          ...this.placeExclusions(request.body, way),
        ];
      };
      const isTooDear = request.isFreeOnly && !endpoint.hasNoPrice;
      const allowed = isTooDear ? [] : able.filter((way) => reasonsAgainst(way).length === 0);
      for (const way of allowed) observed.add(model, endpoint, way.declaredZdr ?? isZdr);
      if (allowed.length > 0) return [{ model, endpoint, credentials: allowed }];
      const [first] = able;
      const reasons = [
        ...(first === undefined
          ? [
              this.reasonWithoutCredential(providerSlug, { ofProvider, named }, request),
              ...check(model, endpoint, isZdr),
            ]
          : reasonsAgainst(first)),
        ...(isTooDear ? (['spending_limit'] as const) : []),
      ];
      excluded.push({ model, endpoint, reasons });
      return [];
    });
    const candidates = candidatesOf(orderedCandidates(callable, this.orderRules(request, requested, needs, priceOf)));
    return this.atMakersFirst(candidates, request);
  }

  /** Only a provider that is told where data may be processed keeps to it. */
  private placeExclusions(
    { inference_geo: place }: RoutedBody,
    way: Pick<Candidate, 'model' | 'endpoint' | 'connection'>,
  ): Exclusion[] {
    const isFree = place === undefined || place === null || place === ANYWHERE;
    return isFree || isBodyFieldTaken(way, 'inference_geo') ? [] : ['inference_geo'];
  }

  /** Conversations stay where their thoughts were made, as long as the endpoint there works. */
  private atMakersFirst(
    candidates: Candidate[],
    { thoughts, body, caller: { organizationId } }: CandidateRequest,
  ): Candidate[] {
    if (thoughts?.haveMakers !== true || candidates.length < 2) return candidates;
    return withOwnFirst(candidates, body.provider?.order ?? [], (candidate) => {
      const age = thoughts.ageAt(candidate.connection);
      const isDown = this.health.conditionOf(endpointNameOf(candidate), organizationId) === 'down';
      return isDown ? Infinity : age;
    });
  }

  /** Why a provider cannot be called. @param credentials for it, and those of them that know the model, but not the operation */
  private reasonWithoutCredential(
    provider: string,
    { ofProvider, named }: Readonly<Record<'ofProvider' | 'named', readonly ProviderCredential[]>>,
    { connections }: CandidateRequest,
  ): Exclusion {
    if (named.length > 0) return 'unsupported_operation';
    if (ofProvider.length > 0) return 'unknown_name';
    return connections.connected.has(provider) ? 'byok_only' : 'not_connected';
  }

  private async ownKeysFor(
    { model }: RequestedModel,
    { caller, context, connections }: CandidateRequest,
  ): Promise<OwnKeys> {
    const { workspaceId, keyHash, hasOwnKeys } = context;
    // Most workspaces have none, and then there is nothing to read.
    if (workspaceId === null || !hasOwnKeys) return NO_OWN_KEYS;
    const { organizationId, userId } = caller;
    const use = { organizationId, workspaceId, keyHash, userId, model: modelReferenceOf(model.row) };
    return this.ownKeys.ofCaller(use, connections.reachable);
  }

  private orderRules(
    { body, caller, context, conversation }: CandidateRequest,
    requested: RequestedModel,
    { preferredParameters }: EndpointNeeds,
    priceOf: OrderRules['priceOf'],
  ): OrderRules {
    const { provider } = body;
    return {
      order: provider?.order ?? null,
      preferredParameters,
      sort: sortOf(body, requested, context),
      minimumThroughput: provider?.preferred_min_throughput ?? null,
      maximumLatency: provider?.preferred_max_latency ?? null,
      isSticky: (candidate: CandidateEndpoint) => this.sticky.knows(conversation, candidate),
      conditionOf: (candidate: CandidateEndpoint) =>
        this.health.conditionOf(endpointNameOf(candidate), caller.organizationId),
      priceOf,
      random: Math.random,
    };
  }
}

/** What the endpoints of a model are sorted by: the request's wish, the variant's, that of the workspace. */
function sortOf({ provider }: RoutedBody, { sort }: RequestedModel, context: RequestContext): Sort {
  const asked = provider?.sort;
  const by = typeof asked === 'object' ? asked?.by : asked;
  if (by !== undefined && by !== null) return by;
  if (sort !== null) return sort;
  const ofWorkspace = SORTS.find((name) => name === context.defaultProviderSort);
  return ofWorkspace ?? null;
}

/** Whether the endpoints of all models are sorted together. */
function isAcrossModels({ provider, route }: RoutedBody): boolean {
  const sort = provider?.sort;
  return route === 'sort' || (typeof sort === 'object' && sort?.partition === 'none');
}
