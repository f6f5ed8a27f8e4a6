import { Injectable } from '@nestjs/common';
import { Dialect } from '../../http/dialect/dialect.js';
import { joinPath, type IssueWithReason } from '../../http/errors/issue.js';
import { CatalogLookup } from './catalog-lookup.service.js';
import { REFERENCE_FORM, REPEATED_REFERENCE } from './catalog.errors.js';

/** How a name has to be written. @param meant what answers have in its place */
type WantedForm = (name: string, meant: string) => string;

/**
 * What the public dialect refuses of names of models and providers, because its answers would have them in another form, and clients that
 * compare the two would see a change (docs/interface/conventions.md#dialects). The default dialect takes every form.
 */
@Injectable()
export class ReferenceForms {
  constructor(
    private readonly dialect: Dialect,
    private readonly catalog: CatalogLookup,
  ) {}

  /**
   * How lists name models: as answers do, or by the id of the list of models, by which clients find that again. An alias is in no list.
   *
   * @returns for {@link listIssues}
   */
  async modelForm(): Promise<WantedForm> {
    if (!this.dialect.isPublic) return inSmallLetters;
    const { modelsById } = await this.catalog.catalog();
    return (name, meant) => {
      const id = name.toLowerCase();
      return modelsById.get(id)?.row.inModelList === true ? id : meant;
    };
  }

  /**
   * An issue for each name of a list that is not in the form that is wanted, or names what one before it names.
   *
   * @param field the list
   * @param known what the names stand for; those that it lacks are left to the caller
   */
  listIssues(
    field: string,
    names: readonly string[] | null | undefined,
    known: ReadonlyMap<string, string>,
    form: WantedForm = inSmallLetters,
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
      return this.nameIssues(path, name, form(name, meant));
    });
  }

  /** An issue for a name that is written in another way than answers have it. @param wanted how they have it */
  nameIssues(field: string, name: string, wanted: string): IssueWithReason[] {
    return this.dialect.isPublic && name !== wanted ? [REFERENCE_FORM.at(field, wanted)] : [];
  }
}

function inSmallLetters(name: string): string {
  return name.toLowerCase();
}
