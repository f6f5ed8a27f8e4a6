import { Injectable } from '@nestjs/common';
import type { ReasonedIssue } from '../../http/errors/issue.js';
import { CatalogService } from '../catalog/catalog.service.js';
import type { GuardrailInput } from './dto/guardrail-input.dto.js';
import { unknownModel, unknownProvider } from './guardrails.errors.js';

const MODEL_LISTS = ['allowed_models', 'ignored_models'] as const;

const PROVIDER_LISTS = ['allowed_providers', 'ignored_providers'] as const;

type ReferenceList = (typeof MODEL_LISTS)[number] | (typeof PROVIDER_LISTS)[number];

/** What a list of models or providers in a request turned out to mean; undefined where the request has none. */
export type ReferenceLists = Readonly<Record<ReferenceList, string[] | null | undefined>>;

/** The lists of a request, and what they name that there is not. */
export interface ResolvedReferences {
  readonly lists: ReferenceLists;
  readonly issues: readonly ReasonedIssue[];
}

/** Finds what the lists of a request name. */
@Injectable()
export class GuardrailReferences {
  constructor(private readonly catalog: CatalogService) {}

  /** Models as canonical slugs and providers as ids, each kept once. */
  async resolve(input: GuardrailInput): Promise<ResolvedReferences> {
    const [models, providers] = await Promise.all([
      this.catalog.canonicalSlugsOf(MODEL_LISTS.flatMap((list) => input[list] ?? [])),
      this.catalog.providerSlugsOf(PROVIDER_LISTS.flatMap((list) => input[list] ?? [])),
    ]);
    const issues: ReasonedIssue[] = [];
    const resolve = (
      list: ReferenceList,
      known: ReadonlyMap<string, string>,
      unknown: typeof unknownModel,
    ): string[] | null | undefined => {
      const references = input[list];
      if (references === undefined || references === null) return references;
      // Two references to the same thing are kept once.
      const resolved = new Set<string>();
      for (const [index, reference] of references.entries()) {
        const slug = known.get(reference);
        if (slug === undefined) issues.push(unknown(list, index, reference));
        else resolved.add(slug);
      }
      return [...resolved];
    };
    return {
      lists: {
        allowed_models: resolve('allowed_models', models, unknownModel),
        ignored_models: resolve('ignored_models', models, unknownModel),
        allowed_providers: resolve('allowed_providers', providers, unknownProvider),
        ignored_providers: resolve('ignored_providers', providers, unknownProvider),
      },
      issues,
    };
  }
}
