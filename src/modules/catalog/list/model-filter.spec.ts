import type { CatalogModel } from '../catalog-model.js';
import { modelFilter } from './model-filter.js';

const MODEL = {
  row: {
    id: 'acme/model',
    canonicalSlug: 'acme/model-2026',
    name: 'Acme: Model',
    architecture: { tokenizer: 'Own', input_modalities: ['text'], output_modalities: ['text'] },
    supportedParameters: ['tools'],
  },
  author: 'acme',
  endpoints: [{ provider: { slug: 'east', name: 'East' } }],
};

/** How often a property of the model is read while a filter looks at it. */
function readsOf(query: Parameters<typeof modelFilter>[0]): number {
  let reads = 0;
  const counted = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(object, property): unknown {
        reads += 1;
        const value: unknown = Reflect.get(object, property);
        return typeof value === 'object' && value !== null ? counted(value) : value;
      },
    });
  modelFilter(query, 0)(counted(MODEL) as unknown as CatalogModel);
  return reads;
}

describe('the number of facts that a filter of models reads', () => {
  const many = (name: (index: number) => string, separator: string): string =>
    Array.from({ length: 1_000 }, (_, index) => name(index)).join(separator);

  it.each([
    ['q', 'acme', many(() => 'acme', ' ')],
    ['arch', 'x', many((index) => `x${index}`, ',')],
    ['providers', 'x', many((index) => `x${index}`, ',')],
    ['model_authors', 'x', many((index) => `x${index}`, ',')],
    ['input_modalities', 'text', many(() => 'text', ',')],
    ['supported_parameters', 'tools', many(() => 'tools', ',')],
    ['output_modalities', 'image', many(() => 'image', ',')],
  ])('is the same for one and for a thousand values of %s', (parameter, one, thousand) => {
    expect(readsOf({ [parameter]: thousand })).toBe(readsOf({ [parameter]: one }));
  });
});
