import type { ModelNameEntity } from '../entities/model-name.entity.js';
import type { ModelEntity } from '../entities/model.entity.js';

type NamedModel = Pick<ModelEntity, 'id' | 'canonicalSlug' | 'inModelList' | 'inImageModelList'>;

/** An alias and the id of the model that it stands for. */
export interface Alias {
  readonly alias: string;
  readonly modelId: string;
}

/**
 * Every name that leads to a model. Where two models claim one name, a current one wins over a retired one, an id over a
 * canonical slug, and both over an alias.
 */
export function modelNamesOf(models: readonly NamedModel[], aliases: readonly Alias[]): ModelNameEntity[] {
  const names = new Map<string, ModelNameEntity>();
  const claim = (name: string, modelId: string, kind: ModelNameEntity['kind']): void => {
    const key = name.toLowerCase();
    if (!names.has(key)) names.set(key, { name: key, modelId, kind });
  };
  const ordered = [...models].sort((one, other) => rank(one) - rank(other));
  for (const { id } of ordered) claim(id, id, 'id');
  for (const { id, canonicalSlug } of ordered) {
    const variant = variantOf(id);
    claim(variant === '' ? canonicalSlug : `${canonicalSlug}${variant}`, id, 'canonical_slug');
  }
  // A model that there is only as a variant has its canonical slug to itself.
  for (const { id, canonicalSlug } of ordered) claim(canonicalSlug, id, 'canonical_slug');
  for (const { alias, modelId } of aliases) claim(alias, modelId, 'alias');
  return [...names.values()];
}

function variantOf(id: string): string {
  const separator = id.indexOf(':');
  return separator === -1 ? '' : id.slice(separator);
}

function rank(model: NamedModel): number {
  return model.inModelList || model.inImageModelList ? 0 : 1;
}
