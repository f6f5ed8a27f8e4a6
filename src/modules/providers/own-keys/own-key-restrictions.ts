import { Injectable } from '@nestjs/common';
import { joinPath, type IssueWithReason } from '../../../http/errors/issue.js';
import { valueOr, withoutRepetition } from '../../../http/request-values.js';
import { CatalogLookup } from '../../catalog/catalog-lookup.service.js';
import { UNKNOWN_MODEL } from '../../catalog/catalog.errors.js';
import { ReferenceForms } from '../../catalog/reference-forms.js';
import { KeyReferencesService } from '../../keys/key-references.service.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import type { UpdateBYOKKeyRequest } from './dto/byok-key.dto.js';
import type { ProviderKeyEntity } from '../entities/provider-key.entity.js';

/** What a provider key is used for: null is everything. */
export type Restrictions = Pick<ProviderKeyEntity, 'allowedModels' | 'allowedApiKeyHashes' | 'allowedUserIds'>;

/** The restrictions of a provider key for which a request says nothing. */
export const UNRESTRICTED: Restrictions = { allowedModels: null, allowedApiKeyHashes: null, allowedUserIds: null };

/** The fields of a request that restrict a provider key. */
export type RestrictionInput = Pick<
  UpdateBYOKKeyRequest,
  'allowed_models' | 'allowed_api_key_hashes' | 'allowed_user_ids'
>;

/** Restrictions after a request, and an issue for each unknown model, key or user. */
interface ResolvedRestrictions {
  readonly restrictions: Restrictions;
  readonly issues: readonly IssueWithReason[];
}

/** Resolves the models, keys and users that a request restricts a provider key to. */
@Injectable()
export class OwnKeyRestrictions {
  constructor(
    private readonly catalog: CatalogLookup,
    private readonly forms: ReferenceForms,
    private readonly keys: KeyReferencesService,
    private readonly organizations: OrganizationsService,
  ) {}

  /** @param known the present restrictions; a model, key or user that was deleted since may stay */
  async resolve(
    organizationId: string,
    input: RestrictionInput,
    known: Restrictions = UNRESTRICTED,
  ): Promise<ResolvedRestrictions> {
    const [slugs, modelForm, keyIssues, userIssues] = await Promise.all([
      this.catalog.canonicalSlugsOf(input.allowed_models ?? []),
      this.forms.modelForm(),
      this.keys.issuesOf(
        organizationId,
        'allowed_api_key_hashes',
        input.allowed_api_key_hashes,
        known.allowedApiKeyHashes,
      ),
      this.organizations.unknownMembers(
        organizationId,
        'allowed_user_ids',
        input.allowed_user_ids,
        known.allowedUserIds,
      ),
    ]);
    const kept = new Set(known.allowedModels);
    const models = input.allowed_models?.map((model) => slugs.get(model) ?? (kept.has(model) ? model : undefined));
    const modelIssues = (input.allowed_models ?? []).flatMap((model, index) =>
      models?.[index] === undefined ? [UNKNOWN_MODEL.at(joinPath('allowed_models', index), model)] : [],
    );
    const slugsOfModels = models?.filter((slug) => slug !== undefined);
    return {
      restrictions: {
        allowedModels: valueOr(withoutRepetition(slugsOfModels ?? input.allowed_models), known.allowedModels),
        allowedApiKeyHashes: valueOr(withoutRepetition(input.allowed_api_key_hashes), known.allowedApiKeyHashes),
        allowedUserIds: valueOr(withoutRepetition(input.allowed_user_ids), known.allowedUserIds),
      },
      issues: [
        ...modelIssues,
        ...this.forms.listIssues('allowed_models', input.allowed_models, slugs, modelForm),
        ...keyIssues,
        ...userIssues,
      ],
    };
  }
}
