import { Injectable } from '@nestjs/common';
import { type Catalog, type CatalogModel, type EndpointOffer, toEndpointOffer } from './catalog-model.js';
import { CatalogRepository } from './catalog.repository.js';
import { CurrentCatalog } from './current-catalog.js';
import { parseModelReference } from './model-reference.js';
import { PrivateCatalog } from './private/private-catalog.js';

/** A current model, with the facts that policies use. */
export interface ModelOffer {
  readonly id: string;
  /** What guardrails name; a model and its variants share it. */
  readonly canonicalSlug: string;
  readonly author: string;
  readonly outputs: readonly string[];
  /** Empty if the catalog knows no endpoint. */
  readonly endpoints: readonly EndpointOffer[];
}

/** Finds models and providers of the catalog, for this module and others. */
@Injectable()
export class CatalogLookup {
  constructor(
    private readonly repository: CatalogRepository,
    private readonly current: CurrentCatalog,
    private readonly privateCatalog: PrivateCatalog,
  ) {}

  /** The catalog in force, for a request of inference that has not read its edition. */
  async catalog(): Promise<Catalog> {
    return this.current.get();
  }

  /** The catalog for an inference request. @param edition what CATALOG_EDITION found for the request */
  async since(edition: string): Promise<Catalog> {
    return this.current.since(edition);
  }

  /** Every current model, oldest first, with the facts that policies use, and with the organization's own endpoints. */
  async offers(organizationId: string): Promise<ModelOffer[]> {
    const [{ models }, own] = await Promise.all([this.current.get(), this.privateCatalog.current(organizationId)]);
    return models.map((model) => toOffer(own.extended(model)));
  }

  /**
   * The canonical form of model references: the canonical slug, and the variant suffix where one is given.
   *
   * @returns an entry for every reference to a model, also to a retired one
   */
  async canonicalSlugsOf(references: readonly string[]): Promise<Map<string, string>> {
    if (references.length === 0) return new Map();
    const parsed = references.map((text) => ({ text, reference: parseModelReference(text) }));
    const names = parsed.flatMap(({ reference }) => (reference ? [reference.full, reference.base] : []));
    const slugs = await this.repository.canonicalSlugs([...new Set(names)]);
    return new Map(
      parsed.flatMap(({ text, reference }) => {
        const slug = reference && (slugs.get(reference.full) ?? slugs.get(reference.base));
        if (slug === undefined) return [];
        return [[text, reference?.variant === undefined ? slug : `${slug}:${reference.variant}`] as const];
      }),
    );
  }

  /**
   * The providers among the slugs, in any case.
   *
   * @param organizationId whose own providers count, too; absent for those of the catalog alone
   * @returns the slug in lower case for each known provider
   */
  async providerSlugsOf(slugs: readonly string[], organizationId?: string): Promise<Map<string, string>> {
    if (slugs.length === 0) return new Map();
    const lowerCase = [...new Set(slugs.map((slug) => slug.toLowerCase()))];
    const known = await this.repository.providerSlugs(lowerCase, organizationId);
    return new Map(
      slugs.flatMap((slug) => (known.has(slug.toLowerCase()) ? [[slug, slug.toLowerCase()] as const] : [])),
    );
  }

  /** Sample names for getModel: ids, aliases and free variants. */
  async sampleOfNames(): Promise<string[]> {
    return this.repository.sampleOfNames();
  }
}

/** A model as policies see it. */
export function toOffer({ row, author, endpoints }: CatalogModel): ModelOffer {
  return {
    id: row.id,
    canonicalSlug: row.canonicalSlug,
    author,
    outputs: row.architecture.output_modalities,
    endpoints: endpoints.map(toEndpointOffer),
  };
}
