import { Injectable } from '@nestjs/common';
import type { IDToken } from 'openid-client';
import type { SessionPrincipal } from '../../../auth/principal.js';
import { ConstraintErrors } from '../../../http/errors/constraint-errors.js';
import { newUuid } from '../../../persistence/identifiers.js';
import { Statements } from '../../../persistence/statements.js';
import { issueSecret, readSecretInOrganization } from '../../keys/credentials/key-format.js';
import { SignInConnectionsRepository } from '../connections/sign-in-connections.repository.js';
import type { SignInConnectionEntity } from '../entities/sign-in-connection.entity.js';
import { IdentityLinksService } from '../identities/identity-links.service.js';
import { MemberIdentitiesRepository } from '../identities/member-identities.repository.js';
import { SignInLinksRepository } from '../links/sign-in-links.repository.js';
import { textClaim } from '../oidc/provider-claims.js';
import { SignInAttemptsRepository, type UsedAttempt } from '../oidc/sign-in-attempts.repository.js';
import { SignInRefusal } from '../oidc/sign-in-refusal.js';
import { MemberIdentityExists } from '../sign-in.errors.js';
import { LinkConfirmationsRepository } from './link-confirmations.repository.js';

/** An account at an identity provider, as it says it. */
export interface ShownAccount {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string | null;
  readonly email: string | null;
}

/** A question whether an account is to be linked. */
export interface LinkQuestion {
  readonly session: SessionPrincipal;
  readonly connectionName: string;
  readonly account: ShownAccount;
  /** For the form; null for an account that is linked to the member already, so that there is no question. */
  readonly token: string | null;
  readonly returnTo: string;
}

/**
 * Asks a person whether the account that they have signed in with at an identity provider is to be linked to them, and links it: nothing but
 * their answer does. A question is of the session in which linking began, can be answered for ten minutes, and once
 * (docs/interface/sign-in.md#linking-an-account).
 */
@Injectable()
export class LinkConfirmationsService {
  constructor(
    private readonly repository: LinkConfirmationsRepository,
    private readonly attempts: SignInAttemptsRepository,
    private readonly connections: SignInConnectionsRepository,
    private readonly identities: MemberIdentitiesRepository,
    private readonly links: IdentityLinksService,
    private readonly signInLinks: SignInLinksRepository,
    private readonly statements: Statements,
    private readonly errors: ConstraintErrors,
  ) {}

  /**
   * Asks about the account that an identity provider has proved.
   *
   * @param session that of the browser now; undefined without one
   * @throws SignInRefusal for another session than that in which linking began, and for the account of another member
   */
  async ask(
    attempt: UsedAttempt,
    connection: SignInConnectionEntity,
    claims: IDToken,
    session: SessionPrincipal | undefined,
  ): Promise<LinkQuestion> {
    const { organizationId, id: connectionId, name: connectionName, issuer } = connection;
    const isSame = session?.organizationId === organizationId && session.credentialId === attempt.linkingSessionId;
    if (!isSame) throw new SignInRefusal('linking_over');
    const name = textClaim(claims, 'name') ?? textClaim(claims, 'preferred_username') ?? null;
    const account = { issuer, subject: claims.sub, name, email: textClaim(claims, 'email') ?? null };
    const shown = { session, connectionName, account, returnTo: attempt.returnTo };
    const owner = await this.identities.memberOf(organizationId, account);
    if (owner === session.userId) return { ...shown, token: null };
    if (owner !== undefined) throw new SignInRefusal('linked_to_other');
    const { plaintext: token, hash: secretHash } = issueSecret('sign_in_attempt', organizationId);
    await this.attempts.insert({
      organizationId,
      id: newUuid(),
      connectionId,
      secretHash,
      returnTo: attempt.returnTo,
      linkedUserId: null,
      linkingSessionId: session.credentialId,
      provedSubject: claims.sub,
      isStepUp: false,
    });
    return { ...shown, token };
  }

  /**
   * Links the account of a question to the member who has answered it.
   *
   * @param token of the form
   * @returns the path that the person goes to afterwards
   * @throws SignInRefusal for a question that is over or of another session, and where the account cannot be linked any more
   */
  async confirm(session: SessionPrincipal, token: string): Promise<string> {
    const reference = readSecretInOrganization('sign_in_attempt', token);
    const { organizationId, userId, credentialId } = session;
    if (reference?.organizationId !== organizationId) throw new SignInRefusal('linking_over');
    try {
      return await this.statements.transaction(async (tx) => {
        const asked = await this.repository.use(tx, organizationId, reference.hash, credentialId);
        if (asked === undefined) throw new SignInRefusal('linking_over');
        const connection = await this.connections.hold(tx, organizationId, asked.connectionId);
        if (connection?.enabled !== true) throw new SignInRefusal('connection_gone');
        const role = await this.signInLinks.holdMember(tx, organizationId, userId);
        if (role === undefined) throw new SignInRefusal('inactive');
        const source = await this.repository.sourceOf(tx, organizationId, credentialId);
        if (source === undefined) throw new SignInRefusal('linking_over');
        const { issuer, id: connectionId } = connection;
        const link = { organizationId, userId, issuer, subject: asked.subject, source, lastSignInAt: null };
        await this.links.add(tx, session, link, { connection_id: connectionId });
        return asked.returnTo;
      });
    } catch (error) {
      const isTaken = this.errors.errorOf(error) instanceof MemberIdentityExists;
      throw isTaken ? new SignInRefusal('linked_to_other') : error;
    }
  }
}
