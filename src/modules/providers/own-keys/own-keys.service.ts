import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { isUuid, newUuid } from '../../../persistence/identifiers.js';
import { type Transaction, Statements } from '../../../persistence/statements.js';
import { Dialect } from '../../../http/dialect/dialect.js';
import { withEntityTag } from '../../../http/entity-tags.js';
import { Precondition } from '../../../http/precondition.js';
import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import { requireAll, requireNoIssues } from '../../../http/errors/require-all.js';
import { toPageRequest, toPageResponse } from '../../../http/pagination/pagination.js';
import { Quotas } from '../../organization-limits/quotas.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { created, updated } from '../../audit/audited-event.js';
import { CatalogLookup } from '../../catalog/catalog-lookup.service.js';
import { UNKNOWN_PROVIDER } from '../../catalog/catalog.errors.js';
import { ReferenceForms } from '../../catalog/reference-forms.js';
import { EncryptionState } from '../../encryption/encryption-state.js';
import { isMask, labelOfKey } from '../../encryption/credential-mask.js';
import { MASKED_CREDENTIAL } from '../../encryption/encryption.errors.js';
import { WorkspaceLookupService } from '../../workspaces/workspace-lookup.service.js';
import { WELL_KNOWN_PROVIDERS } from '../connections/well-known-providers.js';
import {
  BYOKKey,
  type BYOKKeyPath,
  type BYOKKeyResponse,
  type CreateBYOKKeyRequest,
  type DeleteBYOKKeyResponse,
  type ListBYOKKeysQuery,
  type ListBYOKKeysResponse,
  type UpdateBYOKKeyRequest,
} from './dto/byok-key.dto.js';
import type { ProviderKeyEntity } from '../entities/provider-key.entity.js';
import { EncryptedOwnKeys } from './encrypted-own-keys.js';
import { OwnKeyRestrictions, type RestrictionInput, type Restrictions, UNRESTRICTED } from './own-key-restrictions.js';
import { FALLBACK_WITHOUT_SHARED, ProviderKeyNotFound } from './own-keys.errors.js';
import { OWN_KEY_FIELDS, type ShownKey, tagOfProviderKey, toBYOKKeyResponse } from './own-keys.mapper.js';
import { OwnKeysRepository, PROVIDER_KEYS_QUOTA } from './own-keys.repository.js';

/** The organizations' own keys for providers (docs/interface/provider-keys.md). */
@Injectable()
export class OwnKeysService {
  constructor(
    private readonly repository: OwnKeysRepository,
    private readonly encrypted: EncryptedOwnKeys,
    private readonly encryption: EncryptionState,
    private readonly restrictions: OwnKeyRestrictions,
    private readonly catalog: CatalogLookup,
    private readonly forms: ReferenceForms,
    private readonly workspaces: WorkspaceLookupService,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    private readonly quotas: Quotas,
    private readonly dialect: Dialect,
  ) {}

  /** Whether any organization has a key for a provider. */
  async existFor(provider: string): Promise<boolean> {
    return this.repository.existFor(provider);
  }

  /**
   * Creates a provider key, which is tried after those for the same provider in its workspace.
   *
   * @throws BadRequestError for an unknown provider, workspace, model, key or user, for a mask, for a fallback that forbids what it
   *   is to follow, and for a used up quota
   * @throws EncryptionKeyMismatch
   */
  async create(caller: ManagementPrincipal, input: CreateBYOKKeyRequest): Promise<BYOKKeyResponse> {
    const { organizationId } = caller;
    requireNoMask(input.key);
    requireConsistent({ isFallback: input.is_fallback === true, isByokOnly: input.is_byok_only === true });
    const [workspaceId, provider, { restrictions }] = await requireAll([
      this.workspaces.idFor(organizationId, input.workspace_id),
      this.providerOf(organizationId, input.provider),
      this.requireKnown(organizationId, input),
      this.encryption.assertFits(),
    ]);
    await this.quotas.requireBelowQuota(organizationId, PROVIDER_KEYS_QUOTA);
    const key = await this.statements.transaction(async (tx) => {
      const made = await this.store(tx, { organizationId, workspaceId, provider }, input, restrictions);
      const changes = created(OWN_KEY_FIELDS.shown(made));
      const event = { action: 'provider_key.create', targetId: made.id, changes };
      await this.audit.record(tx, organizationId, caller, event);
      return made;
    });
    return this.shown(key);
  }

  /** Lists the provider keys of a workspace, oldest first. An unknown workspace, or one of another organization, has none. */
  async list(caller: ManagementPrincipal, input: ListBYOKKeysQuery): Promise<ListBYOKKeysResponse> {
    const { workspace_id: workspaceId, provider } = input;
    const page = await this.repository.page(caller.organizationId, workspaceId, provider, toPageRequest(input));
    return toPageResponse(page, (key) => this.toResponse(key));
  }

  /** @throws ProviderKeyNotFound also for an id that is not a UUID */
  async get(caller: ManagementPrincipal, input: BYOKKeyPath): Promise<BYOKKeyResponse> {
    return this.shown(await this.find(caller.organizationId, input.id));
  }

  /**
   * Changes the fields in the request; without a change nothing is written.
   *
   * @throws ProviderKeyNotFound
   * @throws BadRequestError for an unknown model, key or user, and for another key's mask
   * @throws EncryptionKeyMismatch
   */
  async update(
    caller: ManagementPrincipal,
    input: BYOKKeyPath & UpdateBYOKKeyRequest,
    precondition = Precondition.NONE,
  ): Promise<BYOKKeyResponse> {
    const { organizationId } = caller;
    const known = await this.find(organizationId, input.id);
    const [{ restrictions }] = await requireAll([
      this.requireKnown(organizationId, input, known),
      input.key === undefined ? undefined : this.encryption.assertFits(),
    ]);
    const key = await this.statements.transaction(async (tx) => {
      const stored = await this.locked(tx, caller, input.id, precondition);
      return this.change(tx, caller, stored, input, restrictions);
    });
    return this.shown(key);
  }

  /** @throws ProviderKeyNotFound, PreconditionFailed */
  async delete(
    caller: ManagementPrincipal,
    { id }: BYOKKeyPath,
    precondition = Precondition.NONE,
  ): Promise<DeleteBYOKKeyResponse> {
    const event = { action: 'provider_key.delete', targetId: id.toLowerCase() };
    if (!isUuid(id)) throw new ProviderKeyNotFound();
    const remove = async (tx?: Transaction): Promise<DeleteBYOKKeyResponse> => {
      if (await this.repository.delete(caller.organizationId, id, caller, event, tx)) return { deleted: true };
      throw new ProviderKeyNotFound();
    };
    if (!precondition.isGiven) return remove();
    return this.statements.transaction(async (tx) => {
      await this.locked(tx, caller, id, precondition);
      return remove(tx);
    });
  }

  /**
   * Stores a new own key without checking its provider and restrictions.
   *
   * @throws BadRequestError when the workspace has its maximum number of provider keys
   */
  async store(
    tx: Transaction,
    place: Pick<ProviderKeyEntity, 'organizationId' | 'workspaceId' | 'provider'>,
    input: Omit<CreateBYOKKeyRequest, 'provider' | 'workspace_id' | keyof RestrictionInput>,
    restrictions: Restrictions = UNRESTRICTED,
  ): Promise<ProviderKeyEntity> {
    const { organizationId, workspaceId, provider } = place;
    const { count, nextOrder } = await this.repository.ofWorkspace(tx, organizationId, workspaceId, provider);
    this.quotas.requireCountBelowQuota(count, 'workspace_provider_keys');
    const owner = { id: newUuid(), organizationId, workspaceId, provider };
    return this.repository.insert(tx, {
      ...OWN_KEY_FIELDS.made(input),
      ...owner,
      ...restrictions,
      label: labelOfKey(input.key),
      encryptedKey: this.encrypted.encrypted(owner, input.key),
      sortOrder: nextOrder,
    });
  }

  private shown(key: ShownKey): BYOKKeyResponse {
    return withEntityTag({ data: this.toResponse(key) }, tagOfProviderKey(key));
  }

  private toResponse(key: ShownKey): BYOKKey {
    return this.dialect.shown(BYOKKey, toBYOKKeyResponse(key));
  }

  private async change(
    tx: Transaction,
    caller: ManagementPrincipal,
    stored: ProviderKeyEntity,
    input: UpdateBYOKKeyRequest,
    restrictions: Restrictions,
  ): Promise<ProviderKeyEntity> {
    const { organizationId } = caller;
    const patched = {
      ...OWN_KEY_FIELDS.changed(stored, input),
      ...givenRestrictions(input, restrictions),
      ...this.replacedKey(stored, input.key),
    };
    if (input.is_fallback !== undefined || input.is_byok_only !== undefined) requireConsistent(patched);
    if (isDeepStrictEqual(patched, stored)) return stored;
    await this.repository.update(tx, patched);
    const changes = {
      ...updated(OWN_KEY_FIELDS.shown(stored), OWN_KEY_FIELDS.shown(patched)),
      // The new key may have the same mask.
      ...(patched.encryptedKey !== stored.encryptedKey && { label: { before: stored.label, after: patched.label } }),
    };
    const event = { action: 'provider_key.update', targetId: stored.id, changes };
    await this.audit.record(tx, organizationId, caller, event);
    return patched;
  }

  /**
   * The mask of the stored key, sent back, keeps the key.
   *
   * @throws BadRequestError for any other mask
   */
  private replacedKey(
    stored: ProviderKeyEntity,
    key: string | undefined,
  ): Partial<Pick<ProviderKeyEntity, 'label' | 'encryptedKey'>> {
    if (key === undefined || key === stored.label) return {};
    requireNoMask(key);
    return { label: labelOfKey(key), encryptedKey: this.encrypted.encrypted(stored, key) };
  }

  /** @throws BadRequestError for an unknown model, key or user */
  private async requireKnown(
    organizationId: string,
    input: UpdateBYOKKeyRequest,
    known?: Restrictions,
  ): Promise<{ restrictions: Restrictions }> {
    const { restrictions, issues } = await this.restrictions.resolve(organizationId, input, known);
    requireNoIssues(issues);
    return { restrictions };
  }

  /** @throws BadRequestError for a provider that is neither in the catalog, nor well known, nor the organization's own */
  private async providerOf(organizationId: string, requested: string): Promise<string> {
    const slug = requested.toLowerCase();
    const known = await this.catalog.providerSlugsOf([slug], organizationId);
    if (!known.has(slug) && !WELL_KNOWN_PROVIDERS.has(slug)) {
      throw BadRequestError.of([UNKNOWN_PROVIDER.at('provider', requested)]);
    }
    requireNoIssues(this.forms.nameIssues('provider', requested, slug));
    return slug;
  }

  /** Locks a key. @throws ProviderKeyNotFound, PreconditionFailed */
  private async locked(
    tx: Transaction,
    { organizationId }: ManagementPrincipal,
    id: string,
    precondition: Precondition,
  ): Promise<ProviderKeyEntity> {
    const key = await this.repository.lockForUpdate(tx, organizationId, id);
    if (key === undefined) throw new ProviderKeyNotFound();
    precondition.require(tagOfProviderKey(key));
    return key;
  }

  private async find(organizationId: string, id: string): Promise<ShownKey> {
    const key = isUuid(id) ? await this.repository.find(organizationId, id) : undefined;
    if (key === undefined) throw new ProviderKeyNotFound();
    return key;
  }
}

/** @throws BadRequestError for a key that has the form of a mask */
function requireNoMask(key: string): void {
  if (isMask(key)) throw BadRequestError.of([MASKED_CREDENTIAL.at('key')]);
}

/** @throws BadRequestError for a key that is tried after credentials which it forbids */
function requireConsistent({ isFallback, isByokOnly }: Pick<ProviderKeyEntity, 'isFallback' | 'isByokOnly'>): void {
  if (isFallback && isByokOnly) throw BadRequestError.of([FALLBACK_WITHOUT_SHARED.at('is_byok_only')]);
}

/** The restrictions that a request sets; the others may have been changed by another request since. */
function givenRestrictions(input: UpdateBYOKKeyRequest, restrictions: Restrictions): Partial<Restrictions> {
  return {
    ...(input.allowed_models !== undefined && { allowedModels: restrictions.allowedModels }),
    ...(input.allowed_api_key_hashes !== undefined && { allowedApiKeyHashes: restrictions.allowedApiKeyHashes }),
    ...(input.allowed_user_ids !== undefined && { allowedUserIds: restrictions.allowedUserIds }),
  };
}
