import { Injectable } from '@nestjs/common';
import { newUuid } from '../../../persistence/identifiers.js';
import { Statements } from '../../../persistence/statements.js';
import { type Actor, AuditTrail } from '../../audit/audit-trail.js';
import { created } from '../../audit/audited-event.js';
import { issueSecret, readSecretInOrganization } from '../../keys/credentials/key-format.js';
import { type SignIn, SessionsService } from '../sessions/sessions.service.js';
import { type LinkedMember, SignInLinksRepository } from './sign-in-links.repository.js';

export type { LinkedMember };

/** Links that sign a member in once: the way in without an identity provider (docs/interface/sign-in.md#sign-in-links). */
@Injectable()
export class SignInLinksService {
  constructor(
    private readonly repository: SignInLinksRepository,
    private readonly sessions: SessionsService,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
  ) {}

  /** Makes a link for a member, which can be used for ten minutes. @returns its path */
  async create(actor: Actor, organizationId: string, userId: string): Promise<string> {
    const { plaintext, hash } = issueSecret('sign_in_link', organizationId);
    const id = newUuid();
    await this.statements.transaction(async (tx) => {
      await this.repository.insert(tx, { organizationId, id, userId, secretHash: hash });
      const event = { action: 'sign_in_link.create', targetId: id, changes: created({ user_id: userId }) };
      await this.audit.record(tx, organizationId, actor, event);
    });
    return `/auth/link/${plaintext}`;
  }

  /** Whom a link would sign in. @returns undefined for one that was used, is over, or never was */
  async memberOf(secret: string): Promise<LinkedMember | undefined> {
    const reference = readSecretInOrganization('sign_in_link', secret);
    return reference && this.repository.memberOf(reference.organizationId, reference.hash);
  }

  /**
   * Signs the member of a link in, and uses the link up.
   *
   * @param browser what it calls itself, and the cookie of the session that it has until now
   * @returns the cookie of the session; undefined for a link that was used, is over, or never was, and for a member who may not sign in
   */
  async signIn(
    secret: string,
    browser: Pick<SignIn, 'userAgent' | 'replacedCookie' | 'origin'>,
  ): Promise<string | undefined> {
    const reference = readSecretInOrganization('sign_in_link', secret);
    if (reference === undefined) return undefined;
    const { organizationId, hash } = reference;
    return this.statements.transaction(async (tx) => {
      const userId = await this.repository.use(tx, organizationId, hash);
      if (userId === undefined) return undefined;
      const role = await this.repository.holdMember(tx, organizationId, userId);
      if (role === undefined) return undefined;
      return this.sessions.begin(tx, {
        organizationId,
        userId,
        role,
        identity: null,
        authenticatedAt: new Date(),
        ...browser,
      });
    });
  }
}
