import type { Attributes } from './attribute-value.js';
import type { FilterOperator, FilterValue, ScimFilter } from './scim-filter.js';

/** Whether one of several values meets the filter of a path. Texts are compared without case. */
export function meets(one: Attributes, filter: ScimFilter): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.filters.every((part) => meets(one, part));
    case 'or':
      return filter.filters.some((part) => meets(one, part));
    case 'not':
      return !meets(one, filter.filter);
    case 'present':
      return valueAt(one, filter.path.attribute) !== undefined;
    case 'compare':
      return compares(valueAt(one, filter.path.attribute), filter.operator, filter.value);
    case 'some':
      return false;
  }
}

/** What a filter says by `eq` that holds in any case: the names in lower case, with their values. */
export function equalitiesOf(filter: ScimFilter): [name: string, value: FilterValue][] {
  if (filter.kind === 'and') return filter.filters.flatMap(equalitiesOf);
  return filter.kind === 'compare' && filter.operator === 'eq' ? [[filter.path.attribute, filter.value]] : [];
}

function valueAt(one: Attributes, name: string): unknown {
  return Object.entries(one).find(([own]) => own.toLowerCase() === name)?.[1];
}

function compares(found: unknown, operator: FilterOperator, value: FilterValue): boolean {
  const isSame = plain(found) === plain(value);
  if (operator === 'eq') return isSame;
  if (operator === 'ne') return !isSame;
  if (typeof found !== 'string' || typeof value !== 'string') return false;
  const [text, part] = [found.toLowerCase(), value.toLowerCase()];
  switch (operator) {
    case 'co':
      return text.includes(part);
    case 'sw':
      return text.startsWith(part);
    case 'ew':
      return text.endsWith(part);
    case 'gt':
      return text > part;
    case 'ge':
      return text >= part;
    case 'lt':
      return text < part;
    case 'le':
      return text <= part;
  }
}

/** A value for comparison: nothing is null, and flags may be texts. */
function plain(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  return typeof value === 'boolean' || typeof value === 'string' ? String(value).toLowerCase() : value;
}
