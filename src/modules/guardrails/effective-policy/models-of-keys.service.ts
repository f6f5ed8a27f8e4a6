import { Injectable } from '@nestjs/common';
import { Environment } from '../../../config/environment.js';
import { Statements } from '../../../persistence/statements.js';
import { CatalogService } from '../../catalog/catalog.service.js';
import { ConfiguredKinds } from '../../configuration/kinds/configured-kinds.js';
import { type ModelsOfKey, ModelsOfKeys } from '../../configuration/plan/models-of-keys.js';
import { combineForModels } from './effective-policy.js';
import { EffectiveGuardrailsRepository, OLDEST_KEYS } from './effective-guardrails.repository.js';
import { permission } from './permitted-models.js';

/** How many combinations of guardrails are looked at: the transaction of a plan holds what it has changed meanwhile. */
const MOST_HOLDERS = 100;

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
    const byHolder = new Map<string, ReadonlySet<string>>();
    const keys: ModelsOfKey[] = [];
    for (const { id, hash, name, holder } of await this.statements.rows(OLDEST_KEYS, [organizationId, most])) {
      let models = byHolder.get(holder);
      if (models === undefined) {
        if (byHolder.size === MOST_HOLDERS) continue;
        const policies = await this.repository.modelPoliciesOfKey(organizationId, id);
        const isPermitted = permission(combineForModels(policies), this.environment.zdrVendors);
        models = new Set(offers.filter(isPermitted).map((offer) => offer.id));
        byHolder.set(holder, models);
      }
      keys.push({ hash, name, models });
    }
    return keys;
  }
}
