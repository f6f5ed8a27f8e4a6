import { Injectable } from '@nestjs/common';
import type { Catalog } from './catalog-model.js';
import { CatalogRepository } from './catalog.repository.js';
import { CurrentCatalog } from './current-catalog.js';
import { parseModelReference } from './model-reference.js';

/** Finds models and providers of the catalog, for this module and others. */
@Injectable()
export class CatalogLookup {
  constructor(
    private readonly repository: CatalogRepository,
    private readonly current: CurrentCatalog,
  ) {}

  /** The catalog in force, for a request of inference that has not read its edition. */
  async catalog(): Promise<Catalog> {
    return this.current.get();
  }

  /** The catalog for an inference request. @param edition what CATALOG_EDITION found for the request */
  async since(edition: string): Promise<Catalog> {
    return this.current.since(edition);
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
