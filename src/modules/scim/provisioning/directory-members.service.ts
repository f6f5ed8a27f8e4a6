import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../persistence/statements.js';
import { type RenamedIssuer, ScimUsersRepository } from './scim-users.repository.js';

export type { RenamedIssuer };

/** Who the members are whom directories provision, for the sign-in (docs/interface/sign-in.md#who-a-person-is). */
@Injectable()
export class DirectoryMembersService {
  constructor(private readonly repository: ScimUsersRepository) {}

  /**
   * The member to whom a directory gave an `externalId`. Only what was written with a token that is bound to the issuer counts: the ids of
   * other directories mean nothing there.
   *
   * @returns the id of the user; undefined for none
   */
  async memberOf(
    tx: Transaction,
    organizationId: string,
    issuer: string,
    externalId: string,
  ): Promise<string | undefined> {
    return this.repository.userOfExternalId(tx, organizationId, issuer, externalId);
  }

  /** Binds the tokens that are bound to an issuer, and what was written with them, to another text of the same one. */
  async renameIssuer(tx: Transaction, renamed: RenamedIssuer): Promise<void> {
    await this.repository.renameIssuer(tx, renamed);
  }
}
