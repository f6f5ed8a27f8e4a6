import type { FilterOperator, FilterValue, ScimFilter } from './scim-filter.js';
import { invalidFilter } from './scim-filter.js';
import type { AttributePath } from './scim-path.js';

/** How an attribute that may be filtered by is found in SQL. Only what is listed so becomes part of a statement. */
export type FilterAttribute =
  /** A text expression; `isExact` if its case counts, `isKey` if it is in lower case already, as `toLowerCase` writes it. */
  | { readonly kind: 'text'; readonly sql: string; readonly isExact?: boolean; readonly isKey?: boolean }
  | { readonly kind: 'flag'; readonly sql: string }
  | { readonly kind: 'time'; readonly sql: string }
  /** Several values: a FROM item of SQL with its condition, and the attributes of each value; `value` is meant if none is named. */
  | { readonly kind: 'several'; readonly from: string; readonly subs: FilterAttributes };

/** Attributes by their names in lower case: `username`, `name.givenname`, `enterprise:department`. */
export type FilterAttributes = ReadonlyMap<string, FilterAttribute>;

/** A condition of SQL, with the values of its parameters. */
export interface SqlCondition {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/**
 * Translates a filter to a condition over an allow-list of attributes. Every value of the filter becomes a parameter.
 *
 * @param first the number of the first parameter
 * @throws BadRequestError `scim_invalid_filter` for an attribute that is not listed, and a value that it cannot be compared with
 */
export function filterCondition(filter: ScimFilter, attributes: FilterAttributes, first: number): SqlCondition {
  const translation = new Translation(first);
  return { sql: translation.condition(filter, attributes), values: translation.values };
}

class Translation {
  readonly values: unknown[] = [];

  constructor(private readonly first: number) {}

  condition(filter: ScimFilter, attributes: FilterAttributes): string {
    switch (filter.kind) {
      case 'and':
      case 'or':
        return `(${filter.filters.map((part) => this.condition(part, attributes)).join(` ${filter.kind.toUpperCase()} `)})`;
      case 'not':
        return `NOT ${this.condition(filter.filter, attributes)}`;
      case 'present':
        return this.present(attributeAt(filter.path, attributes));
      case 'compare':
        return this.comparison(attributeAt(filter.path, attributes), filter.operator, filter.value);
      case 'some': {
        const several = attributeAt(filter.path, attributes);
        if (several.kind !== 'several') throw invalidFilter('has brackets behind an attribute of one value');
        return `EXISTS (SELECT FROM ${several.from} AND ${this.condition(filter.filter, several.subs)})`;
      }
    }
  }

  private present(attribute: FilterAttribute): string {
    if (attribute.kind === 'several') return `EXISTS (SELECT FROM ${attribute.from})`;
    return attribute.kind === 'text' ? `(coalesce(${attribute.sql}, '') <> '')` : `(${attribute.sql} IS NOT NULL)`;
  }

  private comparison(attribute: FilterAttribute, operator: FilterOperator, value: FilterValue): string {
    if (value === null) return this.comparisonWithNull(attribute, operator);
    switch (attribute.kind) {
      case 'text':
        return this.textComparison(attribute, operator, value);
      case 'flag':
        return this.flagComparison(attribute.sql, operator, value);
      case 'time':
        return this.timeComparison(attribute.sql, operator, value);
      case 'several': {
        const one = attribute.subs.get('value');
        if (one === undefined)
          throw invalidFilter('compares an attribute of which only sub-attributes can be compared');
        // "Not equal" of several values: none of them is.
        const isNot = operator === 'ne';
        const condition = this.comparison(one, isNot ? 'eq' : operator, value);
        return `${isNot ? 'NOT ' : ''}EXISTS (SELECT FROM ${attribute.from} AND ${condition})`;
      }
    }
  }

  private comparisonWithNull(attribute: FilterAttribute, operator: FilterOperator): string {
    if (operator !== 'eq' && operator !== 'ne') throw invalidFilter(`compares with null by ${operator}`);
    return operator === 'ne' ? this.present(attribute) : `NOT ${this.present(attribute)}`;
  }

  private textComparison(
    { sql, isExact = false, isKey = false }: FilterAttribute & { readonly kind: 'text' },
    operator: FilterOperator,
    value: FilterValue,
  ): string {
    if (typeof value !== 'string') throw invalidFilter('compares a text with another value');
    const parameter = this.parameter(isKey ? value.toLowerCase() : value, 'text');
    const [text, part] = isExact || isKey ? [sql, parameter] : [`lower(${sql})`, `lower(${parameter})`];
    const order = { gt: '>', ge: '>=', lt: '<', le: '<=' } as const;
    switch (operator) {
      case 'eq':
        return `coalesce(${text} = ${part}, false)`;
      case 'ne':
        return `(${text} IS DISTINCT FROM ${part})`;
      case 'co':
        return `coalesce(position(${part} IN ${text}) > 0, false)`;
      case 'sw':
        return `coalesce(starts_with(${text}, ${part}), false)`;
      case 'ew':
        return `coalesce(right(${text}, length(${part})) = ${part}, false)`;
      case 'gt':
      case 'ge':
      case 'lt':
      case 'le':
        return `coalesce(${text} COLLATE "C" ${order[operator]} ${part} COLLATE "C", false)`;
    }
  }

  private flagComparison(sql: string, operator: FilterOperator, value: FilterValue): string {
    const word = String(value).toLowerCase();
    if (word !== 'true' && word !== 'false')
      throw invalidFilter('compares a flag with another value than true or false');
    if (operator !== 'eq' && operator !== 'ne') throw invalidFilter(`compares a flag by ${operator}`);
    return `(${sql} IS ${(word === 'true') === (operator === 'eq') ? 'TRUE' : 'NOT TRUE'})`;
  }

  private timeComparison(sql: string, operator: FilterOperator, value: FilterValue): string {
    const time = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? new Date(value) : undefined;
    if (time === undefined || Number.isNaN(time.getTime())) throw invalidFilter('compares a time with what is none');
    const signs = { eq: '=', ne: '<>', gt: '>', ge: '>=', lt: '<', le: '<=' } as const;
    if (!(operator in signs)) throw invalidFilter(`compares a time by ${operator}`);
    return `(${sql} ${signs[operator as keyof typeof signs]} ${this.parameter(time, 'timestamptz')})`;
  }

  private parameter(value: unknown, type: 'text' | 'timestamptz'): string {
    this.values.push(value);
    return `$${this.first + this.values.length - 1}::${type}`;
  }
}

/** @throws BadRequestError for one that is not listed */
function attributeAt({ isEnterprise, attribute, sub }: AttributePath, attributes: FilterAttributes): FilterAttribute {
  const prefix = isEnterprise ? 'enterprise:' : '';
  const whole = attributes.get(`${prefix}${attribute}`);
  const found =
    sub === undefined
      ? whole
      : (attributes.get(`${prefix}${attribute}.${sub}`) ??
        (whole?.kind === 'several' ? severalOf(whole, sub) : undefined));
  // An empty list would mean that there is no such resource, and a directory would create it again.
  if (found === undefined) throw invalidFilter('is about an attribute that cannot be filtered by');
  return found;
}

/** Several values of which only one sub-attribute is compared: `emails.type eq "work"`. */
function severalOf(
  { from, subs }: FilterAttribute & { readonly kind: 'several' },
  sub: string,
): FilterAttribute | undefined {
  const value = subs.get(sub);
  return value && { kind: 'several', from, subs: new Map([['value', value]]) };
}

/** The value of an `eq` that every resource found must meet: at the top, or in an `and` there. @param attribute in lower case */
export function requiredValue(filter: ScimFilter | undefined, attribute: string): string | undefined {
  if (filter === undefined) return undefined;
  if (filter.kind === 'and') {
    return filter.filters.map((part) => requiredValue(part, attribute)).find((value) => value !== undefined);
  }
  const isMeant =
    filter.kind === 'compare' &&
    filter.operator === 'eq' &&
    !filter.path.isEnterprise &&
    filter.path.sub === undefined &&
    filter.path.attribute === attribute;
  return isMeant && typeof filter.value === 'string' ? filter.value : undefined;
}
