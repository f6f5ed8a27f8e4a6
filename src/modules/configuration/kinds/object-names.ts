import type { Reference } from '../document/references.js';

/** An object that there is. */
export interface Found {
  readonly id: string;
  readonly name: string;
  /** Null for one that is in none. */
  readonly workspaceId: string | null;
  /** As the interface shows it; undefined for what files do not configure. */
  readonly shown: object | undefined;
}

/** What there is, by what files call it. */
export interface ObjectNames {
  /** All objects of a section, or those that files name where it has very many. */
  all(section: string): Promise<readonly Found[]>;
  byId(section: string, id: string): Promise<Found | undefined>;
  /** The slug of a workspace; undefined for the default one. */
  workspaceSlug(id: string): Promise<string | undefined>;
  /**
   * The id of the one object that a reference means.
   *
   * @param workspaceId of the entry, where a name is looked for first; null for none
   * @param path of the reference, for the error
   * @throws BadRequestError for a reference that means nothing, or several objects
   */
  requireMeant(to: string, reference: Reference, workspaceId: string | null, path?: string): Promise<string>;
  /** How a file calls an object, as shortly as it can. @param workspaceId as of {@link requireMeant} */
  referenceTo(to: string, id: string, workspaceId: string | null): Promise<Reference>;
}
