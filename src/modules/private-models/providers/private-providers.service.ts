import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { originOf } from '../../../config/provider-variables.js';
import { Dialect } from '../../../http/dialect/dialect.js';
import { withEntityTag } from '../../../http/entity-tags.js';
import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import { type PageQuery, toPageRequest, toPageResponse } from '../../../http/pagination/pagination.js';
import { Precondition } from '../../../http/precondition.js';
import { newUuid } from '../../../persistence/identifiers.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import { CatalogLookup } from '../../catalog/catalog-lookup.service.js';
import type { PrivateProviderEntity } from '../../catalog/entities/private-provider.entity.js';
import { Quotas } from '../../organization-limits/quotas.js';
import { KeysOfOtherAddress } from '../../providers/own-keys/own-keys.errors.js';
import { WELL_KNOWN_PROVIDERS } from '../../providers/connections/well-known-providers.js';
import {
  type CreatePrivateProviderRequest,
  type CreatePrivateProviderResponse,
  type DeletePrivateProviderResponse,
  type GetPrivateProviderResponse,
  type ListPrivateProvidersResponse,
  PrivateProvider,
  type PrivateProviderPath,
  type UpdatePrivateProviderRequest,
  type UpdatePrivateProviderResponse,
} from '../dto/private-provider.dto.js';
import { PrivateAddresses } from '../private-addresses.service.js';
import {
  PrivateEndpointActive,
  PrivateProviderExists,
  PrivateProviderInUse,
  SLUG_REQUIRED,
} from '../private-models.errors.js';
import {
  PRIVATE_PROVIDERS,
  PRIVATE_PROVIDERS_PAGE,
  PrivateProvidersRepository,
} from './private-providers.repository.js';

/** The longest slug, and the shortest. */
const SLUG_LENGTH = { least: 2, most: 64 };

/** Providers that organizations have of their own (docs/interface/private-models.md#providers). */
@Injectable()
export class PrivateProvidersService {
  constructor(
    private readonly repository: PrivateProvidersRepository,
    private readonly catalog: CatalogLookup,
    private readonly addresses: PrivateAddresses,
    private readonly statements: Statements,
    private readonly quotas: Quotas,
    private readonly dialect: Dialect,
  ) {}

  /**
   * @param signal ends the look-up of the host
   * @throws BadRequestError for an address that is not called, a name that no slug can be made of, and beyond the quota
   * @throws PrivateProviderExists for a slug or a name that another provider has
   * @throws KeysOfOtherAddress where provider keys of this slug are left
   */
  async create(
    caller: ManagementPrincipal,
    input: CreatePrivateProviderRequest,
    signal: AbortSignal,
  ): Promise<CreatePrivateProviderResponse> {
    const { organizationId } = caller;
    const { name, display_name: displayName = name } = input;
    const slug = input.slug ?? slugOf(name);
    const baseUrl = (await this.addresses.allowedOfProvider(input.base_url, { organizationId, signal })) ?? null;
    await this.requireNew(organizationId, slug, name);
    await this.quotas.requireBelowQuota(organizationId, PRIVATE_PROVIDERS.quota);
    const given = { ...input, display_name: displayName, base_url: baseUrl, ...declared(input) };
    const provider = { organizationId, id: newUuid(), ...PRIVATE_PROVIDERS.made(given), slug, name };
    return this.shown(await PRIVATE_PROVIDERS.create(this.statements, caller, provider));
  }

  /** Lists the providers that the organization has of its own, oldest first. */
  async list({ organizationId }: ManagementPrincipal, input: PageQuery): Promise<ListPrivateProvidersResponse> {
    const page = await this.statements.page(PRIVATE_PROVIDERS_PAGE, [organizationId], toPageRequest(input));
    return toPageResponse(page, (provider) => this.toResponse(provider));
  }

  /** @throws PrivateProviderNotFound */
  async get(
    { organizationId }: ManagementPrincipal,
    { slug }: PrivateProviderPath,
  ): Promise<GetPrivateProviderResponse> {
    return this.shown(await PRIVATE_PROVIDERS.get(this.statements, organizationId, slug));
  }

  /**
   * Changes the fields in the request; without a change nothing is written.
   *
   * @throws PrivateProviderNotFound
   * @throws PreconditionFailed
   * @throws BadRequestError for an address that is not called
   * @throws PrivateEndpointActive for another address, while an active endpoint has the present one
   * @throws KeysOfOtherAddress for another origin, while there are provider keys
   */
  async update(
    caller: ManagementPrincipal,
    { slug, ...input }: PrivateProviderPath & UpdatePrivateProviderRequest,
    signal: AbortSignal,
    precondition = Precondition.NONE,
  ): Promise<UpdatePrivateProviderResponse> {
    const { organizationId } = caller;
    const present = await this.get(caller, { slug });
    // What it has may be in another form, and can be sent back.
    const baseUrl =
      input.base_url === present.data.base_url
        ? input.base_url
        : await this.addresses.allowedOfProvider(input.base_url, { organizationId, signal });
    const provider = await this.statements.transaction(async (tx) => {
      const before = await PRIVATE_PROVIDERS.hold(tx, organizationId, slug, precondition);
      const after = PRIVATE_PROVIDERS.changed(before, { ...input, base_url: baseUrl, ...declared(input) });
      if (after.baseUrl !== before.baseUrl) await this.requireMovable(tx, before, after.baseUrl);
      return PRIVATE_PROVIDERS.update(tx, caller, before, after);
    });
    return this.shown(provider);
  }

  /** @throws PrivateProviderNotFound @throws PreconditionFailed @throws PrivateProviderInUse while endpoints or provider keys name it */
  async delete(
    caller: ManagementPrincipal,
    { slug }: PrivateProviderPath,
    precondition = Precondition.NONE,
  ): Promise<DeletePrivateProviderResponse> {
    const { organizationId } = caller;
    await this.statements.transaction(async (tx) => {
      await PRIVATE_PROVIDERS.hold(tx, organizationId, slug, precondition);
      if (!(await PRIVATE_PROVIDERS.remove(tx, caller, slug, slug))) throw new PrivateProviderInUse();
    });
    return { deleted: true };
  }

  /**
   * Requires that provider keys may be sent to an address: that there are none, or that an endpoint has this origin already. Otherwise
   * one who may choose addresses could have keys sent to a server of theirs that they have never seen.
   *
   * @param tx holds the provider, where that has to stay as it is
   * @throws KeysOfOtherAddress
   */
  async requireKnownOrigin(
    { organizationId, slug, baseUrl }: PrivateProviderEntity,
    address: string | null,
    tx?: Transaction,
  ): Promise<void> {
    if (address === null) return;
    const { hasKeys, addresses } = await this.repository.useOf(organizationId, slug, tx);
    const known = [...addresses, ...(baseUrl === null ? [] : [baseUrl])].map(originOf);
    if (hasKeys && !known.includes(originOf(address))) throw new KeysOfOtherAddress();
  }

  private shown(provider: PrivateProviderEntity): GetPrivateProviderResponse {
    return withEntityTag({ data: this.toResponse(provider) }, PRIVATE_PROVIDERS.tagOf(provider));
  }

  /** A provider as the interface shows it, which names it by its slug. */
  private toResponse(provider: PrivateProviderEntity): PrivateProvider {
    const { id: _id, ...fields } = PRIVATE_PROVIDERS.shown(provider);
    return this.dialect.shown(PrivateProvider, { ...fields, created_at: provider.createdAt.toISOString() });
  }

  private async requireMovable(
    tx: Transaction,
    provider: PrivateProviderEntity,
    address: string | null,
  ): Promise<void> {
    const { isActive } = await this.repository.useOf(provider.organizationId, provider.slug, tx);
    if (isActive) throw new PrivateEndpointActive();
    await this.requireKnownOrigin(provider, address, tx);
  }

  /** A provider of the catalog is known by its name in requests as well. */
  private async requireNew(organizationId: string, slug: string, name: string): Promise<void> {
    const { providers } = await this.catalog.catalog();
    const isTaken = providers.some((known) => known.slug === slug || known.name.toLowerCase() === name.toLowerCase());
    if (isTaken || WELL_KNOWN_PROVIDERS.has(slug)) throw new PrivateProviderExists();
    if ((await PRIVATE_PROVIDERS.find(this.statements, organizationId, slug)) !== undefined)
      throw new PrivateProviderExists();
    if ((await this.repository.useOf(organizationId, slug)).hasKeys) throw new KeysOfOtherAddress();
  }
}

/** A slug of the letters and digits of a name. @throws BadRequestError for a name with too few of them */
function slugOf(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const slug = words.join('-').slice(0, SLUG_LENGTH.most).replace(/-$/, '');
  if (slug.length < SLUG_LENGTH.least) throw BadRequestError.of([SLUG_REQUIRED.at('slug')]);
  return slug;
}

/** What a request says of a provider, as it is stored: without the class of the request. */
function declared({
  data_policy: policy,
}: UpdatePrivateProviderRequest): Pick<UpdatePrivateProviderRequest, 'data_policy'> {
  if (policy === undefined || policy === null) return { data_policy: policy };
  const { training, retains_prompts, prompt_retention_days = null } = policy;
  return { data_policy: { training, retains_prompts, prompt_retention_days } };
}
