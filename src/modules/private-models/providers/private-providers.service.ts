import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { originOf } from '../../../config/provider-variables.js';
import { withEntityTag } from '../../../http/entity-tags.js';
import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import { type PageQuery, toPageRequest, toPageResponse } from '../../../http/pagination/pagination.js';
import { Precondition } from '../../../http/precondition.js';
import { valueOr } from '../../../http/request-values.js';
import { newUuid } from '../../../persistence/identifiers.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import { AuditTrail, created, updated } from '../../audit/index.js';
import { CatalogService, type PrivateProviderEntity } from '../../catalog/index.js';
import { Quotas } from '../../organization-limits/index.js';
import { KeysOfOtherAddress, WELL_KNOWN_PROVIDERS } from '../../providers/index.js';
import type {
  CreatePrivateProviderRequest,
  CreatePrivateProviderResponse,
  DeletePrivateProviderResponse,
  GetPrivateProviderResponse,
  ListPrivateProvidersResponse,
  PrivateProviderPath,
  UpdatePrivateProviderRequest,
  UpdatePrivateProviderResponse,
} from '../dto/private-provider.dto.js';
import { PrivateAddresses } from '../private-addresses.service.js';
import {
  PrivateEndpointActive,
  PrivateProviderExists,
  PrivateProviderInUse,
  PrivateProviderNotFound,
  SLUG_REQUIRED,
} from '../private-models.errors.js';
import { tagOfPrivateProvider, toAuditedProvider, toPrivateProviderResponse } from './private-providers.mapper.js';
import { PRIVATE_PROVIDERS_QUOTA, PrivateProvidersRepository } from './private-providers.repository.js';

/** The longest slug, and the shortest. */
const SLUG_LENGTH = { least: 2, most: 64 };

/** Providers that organizations have of their own (docs/interface/private-models.md#providers). */
@Injectable()
export class PrivateProvidersService {
  constructor(
    private readonly repository: PrivateProvidersRepository,
    private readonly catalog: CatalogService,
    private readonly addresses: PrivateAddresses,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    private readonly quotas: Quotas,
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
    const baseUrl = (await this.addresses.allowed(input.base_url, { organizationId, signal })) ?? null;
    await this.requireNew(organizationId, slug, name);
    await this.quotas.requireBelowQuota(organizationId, PRIVATE_PROVIDERS_QUOTA);
    const provider = { organizationId, id: newUuid(), slug, name, displayName, baseUrl };
    const changes = created(toAuditedProvider(provider));
    const times = await this.repository.insert(provider, caller, {
      action: 'private_provider.create',
      targetId: slug,
      changes,
    });
    return shown({ ...provider, ...times });
  }

  /** Lists the providers that the organization has of its own, oldest first. */
  async list({ organizationId }: ManagementPrincipal, input: PageQuery): Promise<ListPrivateProvidersResponse> {
    return toPageResponse(await this.repository.page(organizationId, toPageRequest(input)), toPrivateProviderResponse);
  }

  /** @throws PrivateProviderNotFound */
  async get(
    { organizationId }: ManagementPrincipal,
    { slug }: PrivateProviderPath,
  ): Promise<GetPrivateProviderResponse> {
    const provider = await this.repository.find(organizationId, slug);
    if (provider === undefined) throw new PrivateProviderNotFound();
    return shown(provider);
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
    await this.get(caller, { slug });
    const baseUrl = await this.addresses.allowed(input.base_url, { organizationId, signal });
    const provider = await this.statements.transaction(async (tx) => {
      const before = await this.locked(tx, organizationId, slug, precondition);
      const after = {
        ...before,
        displayName: valueOr(input.display_name, before.displayName),
        baseUrl: valueOr(baseUrl, before.baseUrl),
      };
      const changes = updated(toAuditedProvider(before), toAuditedProvider(after));
      if (isDeepStrictEqual(changes, {})) return before;
      if (after.baseUrl !== before.baseUrl) await this.requireMovable(tx, before, after.baseUrl);
      const { updatedAt } = await this.repository.update(tx, after);
      await this.audit.record(tx, organizationId, caller, {
        action: 'private_provider.update',
        targetId: slug,
        changes,
      });
      return { ...after, updatedAt };
    });
    return shown(provider);
  }

  /** @throws PrivateProviderNotFound @throws PreconditionFailed @throws PrivateProviderInUse while endpoints or provider keys name it */
  async delete(
    caller: ManagementPrincipal,
    { slug }: PrivateProviderPath,
    precondition = Precondition.NONE,
  ): Promise<DeletePrivateProviderResponse> {
    const { organizationId } = caller;
    await this.statements.transaction(async (tx) => {
      const provider = await this.locked(tx, organizationId, slug, precondition);
      const event = { action: 'private_provider.delete', targetId: slug };
      if (!(await this.repository.delete(tx, provider, caller, event))) throw new PrivateProviderInUse();
    });
    return { deleted: true };
  }

  /**
   * Requires that provider keys may be sent to an address: that there are none, or that an endpoint has this origin already. Otherwise
   * whoever may choose addresses could have keys sent to a server of theirs that they have never seen.
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
    if ((await this.repository.find(organizationId, slug)) !== undefined) throw new PrivateProviderExists();
    if ((await this.repository.useOf(organizationId, slug)).hasKeys) throw new KeysOfOtherAddress();
  }

  private async locked(
    tx: Transaction,
    organizationId: string,
    slug: string,
    precondition: Precondition,
  ): Promise<PrivateProviderEntity> {
    const provider = await this.repository.lock(tx, organizationId, slug);
    if (provider === undefined) throw new PrivateProviderNotFound();
    precondition.require(tagOfPrivateProvider(provider));
    return provider;
  }
}

/** A slug of the letters and digits of a name. @throws BadRequestError for a name with too few of them */
function slugOf(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const slug = words.join('-').slice(0, SLUG_LENGTH.most).replace(/-$/, '');
  if (slug.length < SLUG_LENGTH.least) throw BadRequestError.of([SLUG_REQUIRED.at('slug')]);
  return slug;
}

function shown(provider: PrivateProviderEntity): GetPrivateProviderResponse {
  return withEntityTag({ data: toPrivateProviderResponse(provider) }, tagOfPrivateProvider(provider));
}
