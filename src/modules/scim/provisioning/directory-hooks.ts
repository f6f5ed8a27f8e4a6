import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../persistence/statements.js';
import type { Actor } from '../../audit/audit-trail.js';

/** What a directory says of who a member is, from now on. */
export interface IdentifiedMember {
  readonly organizationId: string;
  readonly userId: string;
  /** The issuer of its people; null where its token is bound to none. */
  readonly issuer: string | null;
  /** Null where it gives the member none. */
  readonly externalId: string | null;
}

/** An issuer of whose people no directory says anything any more. */
export interface EndedDirectory {
  readonly organizationId: string;
  readonly issuer: string;
}

/** What a module does when a directory says who members are. It is called in the transaction of the change, after it. */
export interface DirectoryHook {
  /**
   * A directory has taken over a member whom none has managed, or says otherwise who a member is.
   *
   * @param tx holds what directories say of the member, and not yet the member's row
   */
  memberIdentified(tx: Transaction, actor: Actor, member: IdentifiedMember): Promise<void>;

  /** The last token that was bound to an issuer is revoked. */
  directoryEnded(tx: Transaction, actor: Actor, directory: EndedDirectory): Promise<void>;
}

/** The hooks of dependent modules, which register them when they start. */
@Injectable()
export class DirectoryHooks {
  private readonly hooks: DirectoryHook[] = [];

  register(hook: DirectoryHook): void {
    this.hooks.push(hook);
  }

  async memberIdentified(tx: Transaction, actor: Actor, member: IdentifiedMember): Promise<void> {
    for (const hook of this.hooks) await hook.memberIdentified(tx, actor, member);
  }

  async directoryEnded(tx: Transaction, actor: Actor, directory: EndedDirectory): Promise<void> {
    for (const hook of this.hooks) await hook.directoryEnded(tx, actor, directory);
  }
}
