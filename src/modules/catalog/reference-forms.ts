import { Injectable } from '@nestjs/common';
import { Dialect } from '../../http/dialect/dialect.js';
import { joinPath, type IssueWithReason } from '../../http/errors/issue.js';
import { REFERENCE_FORM, REPEATED_REFERENCE } from './catalog.errors.js';

/**
 * What the public dialect refuses of names of models and providers, because its answers would have them in another form, and clients that
 * compare the two would see a change (docs/interface/conventions.md#dialects). The default dialect takes every form.
 */
@Injectable()
export class ReferenceForms {
  constructor(private readonly dialect: Dialect) {}

  /**
   * An issue for each name of a list that is not in small letters, or names what one before it names.
   *
   * @param field the list
   * @param known what the names stand for; those that it lacks are left to the caller
   */
  listIssues(
    field: string,
    names: readonly string[] | null | undefined,
    known: ReadonlyMap<string, string>,
  ): IssueWithReason[] {
    if (!this.dialect.isPublic) return [];
    const places = new Map<string, number>();
    return (names ?? []).flatMap((name, index) => {
      const meant = known.get(name);
      if (meant === undefined) return [];
      const path = joinPath(field, index);
      const first = places.get(meant);
      if (first !== undefined) return [REPEATED_REFERENCE.at(path, joinPath(field, first))];
      places.set(meant, index);
      return this.nameIssues(path, name, name.toLowerCase());
    });
  }

  /** An issue for a name that is written in another way than answers have it. @param wanted how they have it */
  nameIssues(field: string, name: string, wanted: string): IssueWithReason[] {
    return this.dialect.isPublic && name !== wanted ? [REFERENCE_FORM.at(field, wanted)] : [];
  }
}
