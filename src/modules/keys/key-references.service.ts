import { Injectable } from '@nestjs/common';
import { Statements } from '../../persistence/statements.js';
import { joinPath, type IssueWithReason } from '../../http/errors/issue.js';
import { missingReferences } from '../../http/input/missing-references.js';
import { UNKNOWN_KEY } from './keys.errors.js';
import { KeysService } from './keys.service.js';

/** Checks the API keys that requests name by their hashes. */
@Injectable()
export class KeyReferencesService {
  constructor(
    private readonly keys: KeysService,
    private readonly statements: Statements,
  ) {}

  /**
   * An issue for every hash that is not one of an API key of the organization.
   *
   * @param field the list of the request
   * @param known hashes that are already stored; their keys may have been deleted
   */
  async issuesOf(
    organizationId: string,
    field: string,
    hashes: readonly string[] | null | undefined,
    known: readonly string[] | null = [],
  ): Promise<IssueWithReason[]> {
    const missing = await missingReferences(hashes, known, (asked) =>
      this.keys.byHashes(this.statements, organizationId, asked),
    );
    return missing.map((index) => UNKNOWN_KEY.at(joinPath(field, index)));
  }
}
