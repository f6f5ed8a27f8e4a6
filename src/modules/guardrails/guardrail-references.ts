import { Injectable } from '@nestjs/common';
import { joinPath, type IssueWithReason } from '../../http/errors/issue.js';
import type { IssueKind } from '../../http/errors/issue-kind.js';
import { CatalogLookup } from '../catalog/catalog-lookup.service.js';
import { UNKNOWN_MODEL, UNKNOWN_PROVIDER } from '../catalog/catalog.errors.js';
import { ReferenceForms } from '../catalog/reference-forms.js';
import type { Transaction } from '../../persistence/statements.js';
import type { GuardrailInput } from './dto/guardrail.dto.js';
import { UNKNOWN_INSPECTOR } from './guardrails.errors.js';
import { GuardrailsRepository } from './guardrails.repository.js';
import { MODEL_LISTS, PROVIDER_LISTS, type ReferenceList, type ReferenceLists } from './reference-lists.js';
import { requireNoIssues } from '../../http/errors/require-all.js';

/** The lists of a request, resolved, and an issue for each unknown model or provider. */
export interface ResolvedReferences {
  readonly lists: ReferenceLists;
  readonly issues: readonly IssueWithReason[];
}

/** Resolves the models and providers that a request names, and looks for its inspectors. */
@Injectable()
export class GuardrailReferences {
  constructor(
    private readonly catalog: CatalogLookup,
    private readonly repository: GuardrailsRepository,
    private readonly forms: ReferenceForms,
  ) {}

  /**
   * Resolves the lists of a request that must name nothing unknown.
   *
   * @throws BadRequestError for an unknown model or provider
   */
  async require(organizationId: string, input: GuardrailInput): Promise<ReferenceLists> {
    const { lists, issues } = await this.resolve(organizationId, input);
    requireNoIssues(issues);
    return lists;
  }

  /** Finds inspectors that the organization does not have. @param tx the transaction until whose end the others stay, if they are to */
  async inspectorIssues(
    organizationId: string,
    ids: readonly string[] | null | undefined,
    tx?: Transaction,
  ): Promise<IssueWithReason[]> {
    if (ids === undefined || ids === null) return [];
    const known = await this.repository.knownInspectors(organizationId, ids, tx);
    return ids.flatMap((id, index) =>
      known.has(id.toLowerCase()) ? [] : [UNKNOWN_INSPECTOR.at(joinPath('inspector_ids', index))],
    );
  }

  /** Models as canonical slugs and providers as ids, each kept once. */
  async resolve(organizationId: string, input: GuardrailInput): Promise<ResolvedReferences> {
    const [models, providers, unknownInspectors, modelForm] = await Promise.all([
      this.catalog.canonicalSlugsOf(MODEL_LISTS.flatMap((list) => input[list] ?? [])),
      this.catalog.providerSlugsOf(
        PROVIDER_LISTS.flatMap((list) => input[list] ?? []),
        organizationId,
      ),
      this.inspectorIssues(organizationId, input.inspector_ids),
      this.forms.modelForm(),
    ]);
    const issues: IssueWithReason[] = [...unknownInspectors];
    const resolve = (
      list: ReferenceList,
      known: ReadonlyMap<string, string>,
      unknown: IssueKind<[reference: string]>,
    ): string[] | null | undefined => {
      const references = input[list];
      if (references === undefined || references === null) return references;
      // Two references to the same thing are kept once.
      const resolved = new Set<string>();
      for (const [index, reference] of references.entries()) {
        const slug = known.get(reference);
        if (slug === undefined) issues.push(unknown.at(joinPath(list, index), reference));
        else resolved.add(slug);
      }
      issues.push(...this.forms.listIssues(list, references, known, known === models ? modelForm : undefined));
      return [...resolved];
    };
    return {
      lists: {
        allowed_models: resolve('allowed_models', models, UNKNOWN_MODEL),
        ignored_models: resolve('ignored_models', models, UNKNOWN_MODEL),
        allowed_providers: resolve('allowed_providers', providers, UNKNOWN_PROVIDER),
        ignored_providers: resolve('ignored_providers', providers, UNKNOWN_PROVIDER),
      },
      issues,
    };
  }
}
