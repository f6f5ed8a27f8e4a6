import { Injectable } from '@nestjs/common';
import { Environment } from '../../../config/environment.js';
import { Statements } from '../../../persistence/statements.js';
import { CatalogService } from '../../catalog/catalog.service.js';
import { ConfiguredKinds } from '../../configuration/kinds/configured-kinds.js';
import { type ModelsOfKey, ModelsOfKeys } from '../../configuration/plan/models-of-keys.js';
import { combineForModels } from './effective-policy.js';
import { EffectiveGuardrailsRepository, OLDEST_KEYS } from './effective-guardrails.repository.js';
import { permission } from './permitted-models.js';

/** What the guardrails of keys permit of the catalog. Keys of the same guardrails are looked at once. */
@Injectable()
export class GuardrailModelsOfKeys extends ModelsOfKeys {
  constructor(
    kinds: ConfiguredKinds,
    private readonly repository: EffectiveGuardrailsRepository,
    private readonly catalog: CatalogService,
    private readonly statements: Statements,
    private readonly environment: Environment,
  ) {
    super();
    kinds.modelsOfKeys = this;
  }

  override async of(organizationId: string, most: number): Promise<readonly ModelsOfKey[]> {
    const offers = await this.catalog.offers(organizationId);
    const known = new Map<string, ReadonlySet<string>>();
    const keys: ModelsOfKey[] = [];
    for (const { id, hash, name } of await this.statements.rows(OLDEST_KEYS, [organizationId, most])) {
      const policies = await this.repository.modelPoliciesOfKey(organizationId, id);
      const text = JSON.stringify(policies);
      const models =
        known.get(text) ??
        new Set(
          offers.filter(permission(combineForModels(policies), this.environment.zdrVendors)).map((offer) => offer.id),
        );
      known.set(text, models);
      keys.push({ hash, name, models });
    }
    return keys;
  }
}
