import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { ModelNotFound } from './catalog.errors.js';
import { toImageModelsResponse, toModelResponse } from './catalog.mapper.js';
import { CatalogRepository, type NamedModel } from './catalog.repository.js';
import type { ListImageModelsResponse } from './dto/image-model.dto.js';
import type { ModelResponse } from './dto/model.dto.js';
import type { ModelPath } from './dto/model-path.dto.js';
import { type ModelReference, parseModelReference } from './model-reference.js';

/** The models that there are, and who provides them. */
@Injectable()
export class CatalogService {
  constructor(
    private readonly repository: CatalogRepository,
    private readonly environment: Environment,
  ) {}

  /**
   * One model, by its id, canonical slug or an alias of it, in any case (SERVICE.md, section 4.7). A variant without facts
   * of its own is answered with its base model.
   *
   * @throws ModelNotFound
   */
  async getModel(input: ModelPath): Promise<ModelResponse> {
    const reference = parseModelReference(`${input.author}/${input.slug}`);
    const model = reference && (await this.resolve(reference));
    if (model === undefined) throw new ModelNotFound();
    return { data: toModelResponse(model, this.environment.apiBasePath) };
  }

  /** Every image model, with what its endpoints can do between them (SERVICE.md, section 4.6). */
  async listImageModels(): Promise<ListImageModelsResponse> {
    return { data: toImageModelsResponse(await this.repository.imageModels(), this.environment.apiBasePath) };
  }

  /**
   * The canonical form of model references: the canonical slug, and the variant suffix where one is given.
   *
   * @returns an entry for every reference that leads to a model, retired ones included
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
   * @returns for every one that is a provider, its slug in lower case
   */
  async providerSlugsOf(slugs: readonly string[]): Promise<Map<string, string>> {
    if (slugs.length === 0) return new Map();
    const known = await this.repository.providerSlugs([...new Set(slugs.map((slug) => slug.toLowerCase()))]);
    return new Map(
      slugs.flatMap((slug) => (known.has(slug.toLowerCase()) ? [[slug, slug.toLowerCase()] as const] : [])),
    );
  }

  /** Names that getModel answers, for somebody who wants to try it out: ids, aliases and free variants. */
  async sampleOfNames(): Promise<string[]> {
    return this.repository.sampleOfNames();
  }

  private async resolve({ full, base, variant }: ModelReference): Promise<NamedModel | undefined> {
    const models = await this.repository.currentByNames(variant === undefined ? [full] : [full, base]);
    const exact = models.find((model) => model.matchedName === full);
    const fallback = models.find((model) => model.matchedName === base);
    if (exact !== undefined || fallback === undefined || variant === undefined) return exact;
    // The name may be an alias of a model whose variant has facts of its own.
    const [ownVariant] = await this.repository.currentByNames([`${fallback.id.toLowerCase()}:${variant}`]);
    return ownVariant ?? fallback;
  }
}
