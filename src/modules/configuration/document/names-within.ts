import { type IssueWithReason, joinPath } from '../../../http/errors/issue.js';
import { requireAll } from '../../../http/errors/require-all.js';
import { issuesOfReference } from './references.js';

/** Where a value has the name of another object, for which the interface has an id. */
export interface PlaceOfName {
  /** The section of the object. */
  readonly to: string;
  /** The fields and items that lead there. */
  readonly path: readonly (string | number)[];
}

/** Finds the places of names in the value of a field, which are those of ids in that of the interface. The value may have any form. */
export type FindNames = (value: unknown) => readonly PlaceOfName[];

/** What stands at a place of a name. */
export interface PlacedName {
  readonly to: string;
  readonly standing: unknown;
  /** As issues name it. */
  readonly path: string;
}

/** The names in a value, or the ids. @param parent the path of the value */
export function namesWithin(value: unknown, find: FindNames | undefined, parent = ''): PlacedName[] {
  return (find?.(value) ?? []).map(({ to, path }) => ({
    to,
    standing: standingAt(value, path),
    path: path.reduce<string>(joinPath, parent),
  }));
}

/**
 * A copy of a value with what a name is translated to in place of each.
 *
 * @param parent the path of the value
 * @throws BadRequestError with what all names are refused for
 */
export async function withNamesTranslated(
  value: unknown,
  find: FindNames | undefined,
  translate: (name: PlacedName) => Promise<unknown>,
  parent = '',
): Promise<unknown> {
  const translated = await requireAll(namesWithin(value, find, parent).map(translate));
  return withNamesReplaced(value, find, (_, index) => translated[index]);
}

/** A copy of a value with others in place of the names in it. */
export function withNamesReplaced(
  value: unknown,
  find: FindNames | undefined,
  replace: (name: PlacedName, index: number) => unknown,
): unknown {
  const others = namesWithin(value, find).map(replace);
  // Values of files and of the interface are JSON.
  const copy = others.length === 0 ? value : (JSON.parse(JSON.stringify(value)) as unknown);
  for (const [index, { path }] of (find?.(value) ?? []).entries()) {
    const parent = standingAt(copy, path.slice(0, -1)) as Record<string | number, unknown>;
    parent[path.at(-1)!] = others[index];
  }
  return copy;
}

/** What is wrong with the form of the names in a value. @param parent the path of the value */
export function issuesOfNamesWithin(parent: string, value: unknown, find: FindNames): IssueWithReason[] {
  // Null, which clears a field, is no name here.
  return namesWithin(value, find, parent).flatMap(({ standing, path }) =>
    issuesOfReference(path, standing ?? '', false),
  );
}

function standingAt(value: unknown, path: PlaceOfName['path']): unknown {
  return path.reduce((part, name) => (part as Record<string | number, unknown>)[name], value);
}
