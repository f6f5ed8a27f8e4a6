import { Injectable } from '@nestjs/common';
import type { ApiKeyPrincipal, ManagementPrincipal } from '../../auth/principal.js';
import { Environment } from '../../config/environment.js';
import { Statements } from '../../database/statements.js';
import { CatalogService, type ListModelsResponse, type UserModelsQuery } from '../catalog/catalog.service.js';
import { KeyNotFound } from '../keys/keys.errors.js';
import { KeysService } from '../keys/keys.service.js';
import type { EffectiveGuardrailsQuery, EffectiveGuardrailsResponse } from './dto/effective-guardrails.dto.js';
import { toEffectiveResponse } from './effective-guardrails.mapper.js';
import { type ApplyingGuardrail, EffectiveGuardrailsRepository } from './effective-guardrails.repository.js';
import { combine, combineForModels } from './effective-policy.js';
import { GuardrailsService } from './guardrails.service.js';
import { permission } from './permitted-models.js';

/** What applies to the requests of a key: the default guardrail of its workspace, its owner's and its own together. */
@Injectable()
export class EffectiveGuardrailsService {
  constructor(
    private readonly repository: EffectiveGuardrailsRepository,
    private readonly guardrails: GuardrailsService,
    private readonly keys: KeysService,
    private readonly catalog: CatalogService,
    private readonly statements: Statements,
    private readonly environment: Environment,
  ) {}

  /**
   * What applies to a key, where each rule comes from, and which models that leaves; with one guardrail more, before
   * anybody assigns it.
   *
   * @throws KeyNotFound
   * @throws GuardrailNotFound
   */
  async effective(
    { organizationId }: ManagementPrincipal,
    input: EffectiveGuardrailsQuery,
  ): Promise<EffectiveGuardrailsResponse> {
    const key = (await this.keys.byHashes(this.statements, organizationId, [input.key_hash])).get(input.key_hash);
    if (key === undefined) throw new KeyNotFound();
    const guardrails = [
      ...(await this.repository.ofKey(organizationId, key.id)),
      ...(await this.supposed(organizationId, input.with)),
    ];
    const policy = combine(guardrails);
    const offers = await this.catalog.offers();
    const models = offers.filter(permission(policy, this.environment.zdrVendors));
    const ids = models.map(({ id }) => id);
    return { data: toEffectiveResponse({ keyHash: key.hash, guardrails, policy, models: ids }) };
  }

  /** The models that the caller's guardrails leave: those that apply to the key that it calls with. */
  async listModels(caller: ManagementPrincipal | ApiKeyPrincipal, input: UserModelsQuery): Promise<ListModelsResponse> {
    const policies = await this.repository.modelPoliciesOfKey(caller.organizationId, caller.credentialId);
    const isLeft = permission(combineForModels(policies), this.environment.zdrVendors);
    return this.catalog.listOffered(isLeft, input, '/models/user');
  }

  private async supposed(organizationId: string, guardrailId: string | undefined): Promise<ApplyingGuardrail[]> {
    if (guardrailId === undefined) return [];
    return [{ ...(await this.guardrails.find(organizationId, guardrailId)), through: 'request' }];
  }
}
