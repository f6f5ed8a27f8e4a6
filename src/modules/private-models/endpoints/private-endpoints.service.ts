import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { withEntityTag } from '../../../http/entity-tags.js';
import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import { requireAll, requireNoIssues } from '../../../http/errors/require-all.js';
import { type PageQuery, toPageRequest, toPageResponse } from '../../../http/pagination/pagination.js';
import { Precondition } from '../../../http/precondition.js';
import { newUuid } from '../../../persistence/identifiers.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import { addressOfEndpoint } from '../../catalog/private/private-models.js';
import { CatalogLookup } from '../../catalog/catalog-lookup.service.js';
import { ReferenceForms } from '../../catalog/reference-forms.js';
import { modelReferenceOf } from '../../catalog/model-reference.js';
import { namedModel } from '../../catalog/catalog-model.js';
import type { PlannedPrivateEndpoint, PrivateEndpointRow } from '../../catalog/private/private-catalog.repository.js';
import type { PrivatePricing } from '../../catalog/private/private-endpoint.js';
import type { PrivateProviderEntity } from '../../catalog/entities/private-provider.entity.js';
import { Quotas } from '../../organization-limits/quotas.js';
import type {
  CreatePrivateEndpointRequest,
  DeletePrivateEndpointQuery,
  DeletePrivateEndpointResponse,
  GetPrivateEndpointResponse,
  ListPrivateEndpointsResponse,
  ManagedPrivateEndpoint,
  PrivateEndpointPath,
  UpdatePrivateEndpointRequest,
} from '../dto/private-endpoint.dto.js';
import { PrivateAddresses } from '../private-addresses.service.js';
import {
  MODEL_NOT_SERVED,
  PrivateEndpointActive,
  PrivateEndpointStatusConflict,
  PrivateEndpointValidationStale,
  PrivateEndpointWithoutPrices,
  UNKNOWN_PRIVATE_PROVIDER,
} from '../private-models.errors.js';
import { PRIVATE_PROVIDERS } from '../providers/private-providers.repository.js';
import { PrivateProvidersService } from '../providers/private-providers.service.js';
import { isServed } from './endpoint-validation.service.js';
import { toManaged, toPrivateEndpointResponse, toSummary } from './private-endpoints.mapper.js';
import { PRIVATE_ENDPOINTS, PRIVATE_ENDPOINTS_PAGE } from './private-endpoints.repository.js';

/** An endpoint that was made, with its settings. */
export interface MadeEndpoint {
  readonly endpoint: PrivateEndpointRow;
  readonly shown: { data: ManagedPrivateEndpoint };
}

/** Endpoints that organizations have of their own (docs/interface/private-models.md#endpoints). */
@Injectable()
export class PrivateEndpointsService {
  constructor(
    private readonly ofProviders: PrivateProvidersService,
    private readonly catalog: CatalogLookup,
    private readonly forms: ReferenceForms,
    private readonly addresses: PrivateAddresses,
    private readonly statements: Statements,
    private readonly quotas: Quotas,
  ) {}

  /**
   * Checks the draft that a request asks for, and makes nothing.
   *
   * @param signal ends the look-up of the host
   * @throws BadRequestError for a provider that is none of the organization's own, a model that is none for it, an address that is not
   *   called, and beyond the quota
   * @throws KeysOfOtherAddress for an address of another origin, while there are provider keys
   */
  async plan(
    { organizationId }: ManagementPrincipal,
    input: CreatePrivateEndpointRequest,
    signal: AbortSignal,
  ): Promise<PlannedPrivateEndpoint> {
    const [modelPermaslug, baseUrl] = await requireAll([
      this.permaslugOf(input.model_permaslug),
      this.addresses.allowed(input.base_url, { organizationId, signal }),
    ]);
    await this.quotas.requireBelowQuota(organizationId, PRIVATE_ENDPOINTS.quota);
    const slug = input.provider_slug.toLowerCase();
    const provider = await PRIVATE_PROVIDERS.find(this.statements, organizationId, slug);
    if (provider !== undefined) requireNoIssues(this.forms.nameIssues('provider_slug', input.provider_slug, slug));
    const plan = {
      organizationId,
      id: newUuid(),
      ...PRIVATE_ENDPOINTS.made({
        ...input,
        model_permaslug: modelPermaslug,
        base_url: baseUrl,
        pricing: pricingOf(input.pricing),
      }),
      status: 'draft' as const,
      validatedConfiguration: null,
      validatedWorkspaceId: null,
    };
    return { ...plan, ...(await this.providerOf(plan, provider)) };
  }

  /**
   * Makes a draft. Its provider may have changed since it was planned.
   *
   * @param isValidated whether it was validated as it was planned
   * @throws BadRequestError, KeysOfOtherAddress as `plan` does
   * @throws PrivateEndpointValidationStale for one that has another address by now than it was validated with
   */
  async create(caller: ManagementPrincipal, plan: PlannedPrivateEndpoint, isValidated = false): Promise<MadeEndpoint> {
    const { organizationId } = caller;
    const endpoint = await this.statements.transaction(async (tx) => {
      const provider = await PRIVATE_PROVIDERS.lock(tx, organizationId, plan.providerSlug);
      const planned = { ...plan, ...(await this.providerOf(plan, provider, tx)) };
      if (isValidated && addressOfEndpoint(planned) !== addressOfEndpoint(plan)) {
        throw new PrivateEndpointValidationStale();
      }
      return PRIVATE_ENDPOINTS.create(tx, caller, planned);
    });
    return { endpoint, shown: await this.managed(endpoint) };
  }

  /** Lists the endpoints that the organization has of its own, oldest first. */
  async list({ organizationId }: ManagementPrincipal, input: PageQuery): Promise<ListPrivateEndpointsResponse> {
    const catalog = await this.catalog.catalog();
    const page = await this.statements.page(PRIVATE_ENDPOINTS_PAGE, [organizationId], toPageRequest(input));
    return toPageResponse(page, (endpoint) => toSummary(endpoint, catalog));
  }

  /** @throws PrivateEndpointNotFound also for an id that is not a UUID */
  async get({ organizationId }: ManagementPrincipal, { id }: PrivateEndpointPath): Promise<GetPrivateEndpointResponse> {
    return this.shown(await this.find(organizationId, id));
  }

  /**
   * Changes the fields in the request; without a change nothing is written.
   *
   * @throws PrivateEndpointNotFound
   * @throws PreconditionFailed
   * @throws BadRequestError for an address that is not called
   * @throws PrivateEndpointActive, PrivateEndpointWithoutPrices for another address or name of the model, and for prices taken away, while it
   *   is active
   * @throws KeysOfOtherAddress for an address of another origin, while there are provider keys
   */
  async update(
    caller: ManagementPrincipal,
    { id, ...input }: PrivateEndpointPath & UpdatePrivateEndpointRequest,
    signal: AbortSignal,
    precondition = Precondition.NONE,
  ): Promise<GetPrivateEndpointResponse> {
    const { organizationId } = caller;
    const { providerSlug } = await this.find(organizationId, id);
    const baseUrl = await this.addresses.allowed(input.base_url, { organizationId, signal });
    const endpoint = await this.statements.transaction(async (tx) => {
      // Before the endpoint, as creations and changes of the provider do.
      const provider = await PRIVATE_PROVIDERS.lock(tx, organizationId, providerSlug);
      const before = await PRIVATE_ENDPOINTS.hold(tx, organizationId, id, precondition);
      const after = PRIVATE_ENDPOINTS.changed(before, {
        ...input,
        base_url: baseUrl,
        pricing: pricingOf(input.pricing),
      });
      const isElsewhere = after.baseUrl !== before.baseUrl;
      if (before.status === 'active' && (isElsewhere || after.upstreamModelId !== before.upstreamModelId)) {
        throw new PrivateEndpointActive();
      }
      if (before.status === 'active' && after.pricing === null) throw new PrivateEndpointWithoutPrices();
      if (isElsewhere) await this.ofProviders.requireKnownOrigin(provider!, after.baseUrl, tx);
      return PRIVATE_ENDPOINTS.update(tx, caller, before, after);
    });
    return this.shown(endpoint);
  }

  /** @throws PrivateEndpointNotFound @throws PreconditionFailed @throws PrivateEndpointStatusConflict for none but a draft, if only that is asked for */
  async delete(
    caller: ManagementPrincipal,
    { id, draft_only: draftOnly }: PrivateEndpointPath & DeletePrivateEndpointQuery,
    precondition = Precondition.NONE,
  ): Promise<DeletePrivateEndpointResponse> {
    if (draftOnly === 'true') {
      return this.statements.transaction(async (tx) => {
        const { status } = await PRIVATE_ENDPOINTS.hold(tx, caller.organizationId, id, precondition);
        if (status !== 'draft') throw new PrivateEndpointStatusConflict({ status });
        await PRIVATE_ENDPOINTS.remove(tx, caller, id);
        return { deleted: true };
      });
    }
    return PRIVATE_ENDPOINTS.delete(this.statements, caller, id, precondition);
  }

  /** @throws PrivateEndpointNotFound also for an id that is not a UUID */
  async find(organizationId: string, id: string): Promise<PrivateEndpointRow> {
    return PRIVATE_ENDPOINTS.get(this.statements, organizationId, id);
  }

  /**
   * Changes an endpoint under lock, and records what has changed.
   *
   * @param change makes of the endpoint, as it is now, what it is to be
   * @throws PrivateEndpointNotFound
   */
  async changeUnderLock(
    caller: ManagementPrincipal,
    id: string,
    action: string,
    change: (before: PrivateEndpointRow) => PrivateEndpointRow,
  ): Promise<PrivateEndpointRow> {
    return this.statements.transaction(async (tx) => {
      const before = await PRIVATE_ENDPOINTS.hold(tx, caller.organizationId, id);
      return PRIVATE_ENDPOINTS.update(tx, caller, before, change(before), { action });
    });
  }

  /** An endpoint as changes of its status answer it. */
  async managed(endpoint: PrivateEndpointRow): Promise<{ data: ManagedPrivateEndpoint }> {
    return withEntityTag(
      { data: toManaged(endpoint, await this.catalog.catalog()) },
      PRIVATE_ENDPOINTS.tagOf(endpoint),
    );
  }

  /**
   * What an endpoint has of its provider.
   *
   * @param planned its own settings
   * @param provider undefined for none of this slug
   * @param tx holds the provider, where that has to stay as it is
   */
  private async providerOf(
    { baseUrl }: Pick<PlannedPrivateEndpoint, 'baseUrl'>,
    provider: PrivateProviderEntity | undefined,
    tx?: Transaction,
  ): Promise<Pick<PlannedPrivateEndpoint, 'providerId' | 'providerSlug' | 'providerName' | 'providerBaseUrl'>> {
    if (provider === undefined) throw BadRequestError.of([UNKNOWN_PRIVATE_PROVIDER.at('provider_slug')]);
    await this.ofProviders.requireKnownOrigin(provider, baseUrl, tx);
    const { id: providerId, slug: providerSlug, name: providerName, baseUrl: providerBaseUrl } = provider;
    return { providerId, providerSlug, providerName, providerBaseUrl };
  }

  /** @throws BadRequestError for a name of no model, of a variant, and of a model that is none for own endpoints */
  private async permaslugOf(name: string): Promise<string> {
    const model = namedModel(await this.catalog.catalog(), name);
    const isVariant = name.includes(':') || model?.row.id.includes(':') === true;
    if (model === undefined || isVariant || !isServed(model)) {
      throw BadRequestError.of([MODEL_NOT_SERVED.at('model_permaslug')]);
    }
    const permaslug = modelReferenceOf(model.row);
    requireNoIssues(this.forms.nameIssues('model_permaslug', name, permaslug));
    return permaslug;
  }

  private async shown(endpoint: PrivateEndpointRow): Promise<GetPrivateEndpointResponse> {
    const data = toPrivateEndpointResponse(endpoint, await this.catalog.catalog());
    return withEntityTag({ data }, PRIVATE_ENDPOINTS.tagOf(endpoint));
  }
}

/** Prices as they are stored, without the class of the request. */
function pricingOf<None extends null | undefined>(pricing: PrivatePricing | None): PrivatePricing | None {
  return pricing && { prompt: pricing.prompt, completion: pricing.completion };
}
