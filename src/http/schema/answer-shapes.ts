import { IntegerField, ObjectField, ObjectListField } from './fields.js';
import type { SchemaClass } from './schema-registry.js';

/** An answer class that wraps objects of another class. */
export interface Wrapper {
  /** The class of the wrapped objects. */
  readonly item: SchemaClass;
}

/** The base of an answer `{ data: T }`. */
export function DataOf<T extends object>(type: SchemaClass<T>): (new () => { data: T }) & Wrapper {
  class DataAnswer {
    static readonly item = type;

    @ObjectField(() => type, { description: 'The object asked for.' })
    data: T;
  }
  return DataAnswer;
}

/** The base of an answer `{ data: T[] }`: a list that is always answered whole. */
export function ListOf<T extends object>(type: SchemaClass<T>): (new () => { data: T[] }) & Wrapper {
  class ListAnswer {
    static readonly item = type;

    @ObjectListField(() => type, { description: 'Every item.' })
    data: T[];
  }
  return ListAnswer;
}

/** The base of an answer `{ data: T[], total_count }`: one page of a list. */
export function PageOf<T extends object>(
  type: SchemaClass<T>,
): (new () => { data: T[]; total_count: number }) & Wrapper {
  class PageAnswer extends ListOf(type) {
    @IntegerField({ description: 'How many items there are on all pages.', example: 1, minimum: 0 })
    total_count: number;
  }
  return PageAnswer;
}

/** The class that an answer class wraps, or the class itself where it wraps none. */
export function itemOf(type: SchemaClass): SchemaClass {
  return 'item' in type ? (type as unknown as Wrapper).item : type;
}
