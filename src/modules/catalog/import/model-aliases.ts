import type { ModelEntity, ModelNameEntity } from '../entities/model.entity.js';

type NamedModel = Pick<ModelEntity, 'id' | 'canonicalSlug' | 'inModelList' | 'inImageModelList'>;

/** An alias and the id of the model that it stands for. */
export interface Alias {
  readonly alias: string;
  readonly modelId: string;
}

/**
 * All names of models. If several models claim a name, an id wins over a canonical slug, and that over an alias; but
 * any name of a current model wins over names of retired ones.
 */
export function modelNamesOf(models: readonly NamedModel[], aliases: readonly Alias[]): ModelNameEntity[] {
  const names = new Map<string, ModelNameEntity>();
  const claim = (name: string, modelId: string, kind: ModelNameEntity['kind']): void => {
    const key = name.toLowerCase();
    if (!names.has(key)) names.set(key, { name: key, modelId, kind });
  };
  for (const group of [models.filter(isCurrent), models.filter((model) => !isCurrent(model))]) {
    for (const { id } of group) claim(id, id, 'id');
    for (const { id, canonicalSlug } of group) {
      const variant = variantOf(id);
      claim(variant === '' ? canonicalSlug : `${canonicalSlug}${variant}`, id, 'canonical_slug');
    }
    // The canonical slug of a model that only exists as a variant leads to that variant.
    for (const { id, canonicalSlug } of group) claim(canonicalSlug, id, 'canonical_slug');
    const ids = new Set(group.map(({ id }) => id));
    for (const { alias, modelId } of aliases.filter((known) => ids.has(known.modelId))) claim(alias, modelId, 'alias');
  }
  return [...names.values()];
}

function variantOf(id: string): string {
  const separator = id.indexOf(':');
  return separator === -1 ? '' : id.slice(separator);
}

function isCurrent(model: NamedModel): boolean {
  return model.inModelList || model.inImageModelList;
}
