import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ApiKeyPrincipal, ManagementPrincipal } from '../../../auth/principal.js';
import { Environment } from '../../../config/environment.js';
import { CredentialKindNotAllowed } from '../../../http/errors/request.errors.js';
import { LargeRows } from '../../organization-limits/large-rows.js';
import { Statements } from '../../../persistence/statements.js';
import {
  CatalogService,
  type ListModelsResponse,
  type ModelOffer,
  type UserModelsQuery,
} from '../../catalog/catalog.service.js';
import { ModelListFilters } from '../../catalog/list/model-list-filters.js';
import { OrganizationSettingsService } from '../../organizations/settings/organization-settings.service.js';
import { type CurrentKeyResponse, KeysService, type KnownKey } from '../../keys/keys.service.js';
import { KeyNotFound } from '../../keys/keys.errors.js';
import { AvailableModels } from './available-models.js';
import type { EffectiveGuardrailsQuery, EffectiveGuardrailsResponse } from './effective-guardrails.dto.js';
import { toEffectiveResponse } from './effective-guardrails.mapper.js';
import { CURRENT_KEY } from './current-key.repository.js';
import { type ApplyingGuardrail, EffectiveGuardrailsRepository } from './effective-guardrails.repository.js';
import { combineForModels, type EffectivePolicy, policyInForce } from './effective-policy.js';
import { GuardrailNotFound } from '../guardrails.errors.js';
import { GuardrailsService } from '../guardrails.service.js';
import { permission } from './permitted-models.js';

/** A key, the guardrails that apply to it, and their rules. */
export interface PolicyOfKey {
  readonly key: KnownKey;
  readonly guardrails: readonly ApplyingGuardrail[];
  readonly policy: EffectivePolicy;
}

/** Shows the effective policy of a key: the default guardrail of its workspace, the guardrail of its owner and its own. */
@Injectable()
export class EffectiveGuardrailsService implements OnModuleInit {
  constructor(
    private readonly repository: EffectiveGuardrailsRepository,
    private readonly guardrails: GuardrailsService,
    private readonly keys: KeysService,
    private readonly catalog: CatalogService,
    private readonly available: AvailableModels,
    private readonly statements: Statements,
    private readonly largeRows: LargeRows,
    private readonly environment: Environment,
    private readonly settings: OrganizationSettingsService,
    private readonly filters: ModelListFilters,
  ) {}

  onModuleInit(): void {
    this.filters.register(async (caller) =>
      (await this.settings.filtersModels(caller.organizationId)) ? this.permissionOf(caller) : undefined,
    );
  }

  /**
   * Returns the effective policy of a key with the source of each rule and the permitted models; optionally with one
   * guardrail more, to see its effect before it is assigned.
   *
   * @throws KeyNotFound
   * @throws GuardrailNotFound
   */
  async effective(caller: ManagementPrincipal, input: EffectiveGuardrailsQuery): Promise<EffectiveGuardrailsResponse> {
    const { organizationId } = caller;
    const { key, guardrails, policy } = await this.policyFor(caller, input);
    const offers = await this.catalog.offers(organizationId);
    const models = offers.filter(permission(policy, this.environment.zdrVendors));
    const { hash: keyHash, userId, workspaceId } = key;
    const isAvailable = await this.available.check({ organizationId, workspaceId, keyHash, userId }, policy);
    // Of all models: an own key may have what the policy misses at the endpoints.
    const availableModels = offers.filter(isAvailable);
    const isClassified = this.environment.contentClassifierUrl !== undefined;
    return { data: toEffectiveResponse({ keyHash, guardrails, policy, isClassified, models, availableModels }) };
  }

  /** A key with the guardrails that apply to it, and their rules. @throws KeyNotFound @throws GuardrailNotFound */
  async policyFor(
    { organizationId, userId: callerId, onlyOwn }: ManagementPrincipal,
    input: EffectiveGuardrailsQuery,
  ): Promise<PolicyOfKey> {
    const key = (await this.keys.byHashes(this.statements, organizationId, [input.key_hash])).get(input.key_hash);
    if (key === undefined || (onlyOwn && key.userId !== callerId)) throw new KeyNotFound();
    if (onlyOwn && input.with !== undefined) throw new GuardrailNotFound();
    // Guardrails can be large, so they are read as large rows.
    const { guardrails, policy } = await this.largeRows.run(organizationId, async () => {
      const applying = [
        ...(await this.repository.ofKey(organizationId, key.id)),
        ...(await this.hypothetical(organizationId, input.with)),
      ];
      return { guardrails: applying, policy: policyInForce(applying).rules };
    });
    return { key, guardrails, policy };
  }

  /** The models that the effective policy of the caller's key permits. */
  async listModels(caller: ManagementPrincipal | ApiKeyPrincipal, input: UserModelsQuery): Promise<ListModelsResponse> {
    const isLeft = await this.permissionOf(caller);
    return this.catalog.listOffered(caller.organizationId, isLeft, input, '/models/user');
  }

  /**
   * Describes the key that the caller has presented, with the regions that its guardrails allow, in one read.
   *
   * @throws InvalidCredential when it has been deleted since
   * @throws CredentialKindNotAllowed for a person who has signed in, without a key
   */
  async describeKey(caller: ManagementPrincipal | ApiKeyPrincipal): Promise<CurrentKeyResponse> {
    if (caller.kind === 'session') throw new CredentialKindNotAllowed(['management_key', 'api_key']);
    return this.keys.getCurrent(caller, CURRENT_KEY);
  }

  private async permissionOf(caller: ManagementPrincipal | ApiKeyPrincipal): Promise<(offer: ModelOffer) => boolean> {
    const policies = await this.repository.modelPoliciesOfKey(caller.organizationId, caller.credentialId);
    return permission(combineForModels(policies), this.environment.zdrVendors);
  }

  private async hypothetical(organizationId: string, guardrailId: string | undefined): Promise<ApplyingGuardrail[]> {
    if (guardrailId === undefined) return [];
    return [{ ...(await this.guardrails.find(organizationId, guardrailId)), through: 'request' }];
  }
}
