import type { FilterName } from '../../../content/content-result.js';

/** How records and answers call a filter: the slug of a builtin one, the label of a custom one. */
export function nameOfFilter(filter: FilterName): string {
  return 'slug' in filter ? filter.slug : (filter.label ?? 'custom');
}
