import type { DtoClass } from '../validation/dto-fields.js';
import { IntegerField, ObjectField, ObjectListField, TrueField } from '../validation/fields.js';

/** A response class that wraps objects of another class. */
export interface Wrapper {
  readonly item: DtoClass;
}

/** The base class of a response `{ data: T }`. */
export function DataOf<T extends object>(type: DtoClass<T>): (new () => { data: T }) & Wrapper {
  class DataAnswer {
    static readonly item = type;

    @ObjectField(() => type, { description: 'The requested, created or changed object.' })
    data: T;
  }
  return DataAnswer;
}

/** The base class of a response `{ data: T[] }`: a list without pages. */
export function ListOf<T extends object>(type: DtoClass<T>): (new () => { data: T[] }) & Wrapper {
  class ListAnswer {
    static readonly item = type;

    @ObjectListField(() => type, { description: 'The items, in the order of the list.' })
    data: T[];
  }
  return ListAnswer;
}

/** The base class of a response `{ data: T[], total_count }`: one page of a list. */
export function PageOf<T extends object>(type: DtoClass<T>): (new () => { data: T[]; total_count: number }) & Wrapper {
  class PageAnswer extends ListOf(type) {
    @IntegerField({ description: 'The number of items on all pages.', example: 1, minimum: 0 })
    total_count: number;
  }
  return PageAnswer;
}

/** The base class of a response `{ deleted: true }`. @param description says what was deleted */
export function Deleted(description: string): new () => { deleted: true } {
  class DeletedAnswer {
    @TrueField({ description, example: true })
    deleted: true;
  }
  return DeletedAnswer;
}

/** The answer of an operation that says nothing but that it has succeeded: a 204 has no body. */
export class NoContent {
  readonly body?: never;
}

/** The class that a response class wraps, or the class itself if it wraps none. */
export function itemOf(type: DtoClass): DtoClass {
  return 'item' in type ? (type as unknown as Wrapper).item : type;
}
