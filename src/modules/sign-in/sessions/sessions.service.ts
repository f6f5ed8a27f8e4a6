import { Injectable } from '@nestjs/common';
import { type MemberRole, ROLES } from '../../../auth/roles.js';
import type { ManagementPrincipal, RequestOrigin, SessionPrincipal } from '../../../auth/principal.js';
import { SessionResolver } from '../../../auth/session-resolver.js';
import { Environment } from '../../../config/environment.js';
import { cookieNameOf } from '../../../http/pages/cookies.js';
import { newUuid } from '../../../persistence/identifiers.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { created } from '../../audit/audited-event.js';
import { issueSecret, readSecretInOrganization } from '../../keys/credentials/key-format.js';
import type { GetSessionResponse } from '../dto/session.dto.js';
import { openIdToken, sealIdToken } from './sealed-id-token.js';
import { type EndedSession, type OpenSession, SessionsRepository } from './sessions.repository.js';

/** A sign-in that has succeeded. */
export interface SignIn {
  readonly organizationId: string;
  readonly userId: string;
  readonly role: MemberRole;
  /** Where and as whom the person signed in; null for a sign-in link. */
  readonly identity: SignInIdentity | null;
  /** When the person proved who they are; null where that is not known. */
  readonly authenticatedAt: Date | null;
  /** The cookie of the session that the browser has until now, which ends; undefined without one. */
  readonly replacedCookie: string | undefined;
  readonly userAgent: string | null;
  readonly origin: RequestOrigin;
}

/** Who the person is at an identity provider. */
export interface SignInIdentity {
  readonly connectionId: string;
  readonly subject: string;
  /** The session there (`sid`), if it says one. */
  readonly providerSession: string | null;
  readonly idToken: string;
}

/** A session that was ended. */
export interface SignedOut {
  readonly organizationId: string;
  /** Where the person had signed in; null for a sign-in link. */
  readonly connectionId: string | null;
  /** The ID token of the sign-in; null without one. */
  readonly idToken: string | null;
}

/** A browser's name is kept as far as it helps to tell sessions apart, in characters. */
const LONGEST_USER_AGENT = 300;

/** Sessions of people who are signed in (docs/interface/sign-in.md#sessions). */
@Injectable()
export class SessionsService extends SessionResolver {
  constructor(
    private readonly repository: SessionsRepository,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    private readonly environment: Environment,
  ) {
    super();
  }

  override cookieNameAt(publicUrl: string): string {
    return cookieNameOf('gatehouse', publicUrl);
  }

  override async resolve(secret: string, origin: RequestOrigin): Promise<SessionPrincipal | undefined> {
    const reference = readSecretInOrganization('session', secret);
    if (reference === undefined) return undefined;
    const { organizationId } = reference;
    const session = await this.repository.open(organizationId, reference.hash);
    if (session === undefined) return undefined;
    if (session.isNotedLongAgo) await this.repository.note(organizationId, session.id);
    return principalOf(organizationId, session, origin);
  }

  /** Who calls, for which organization, and what they may do. */
  async describe(caller: ManagementPrincipal): Promise<GetSessionResponse> {
    const member = await this.repository.member(caller.organizationId, caller.userId);
    return {
      data: {
        user: { id: caller.userId, name: member.userName, email: member.userEmail },
        organization: { id: caller.organizationId, name: member.organizationName },
        role: member.role,
        permissions: [...caller.permissions],
        only_own: caller.onlyOwn,
        session_id: caller.kind === 'session' ? caller.credentialId : null,
        authenticated_at: caller.kind === 'session' ? (caller.authenticatedAt?.toISOString() ?? null) : null,
        base_path: this.environment.apiBasePath,
      },
    };
  }

  /**
   * Begins a session and records it. The one before it in the same browser ends, of whichever member and organization it is: a copy of its
   * cookie would open what the person believes to be replaced.
   *
   * @param tx holds the member's row, so that no member who is deactivated gets one
   * @returns the cookie
   */
  async begin(tx: Transaction, signIn: SignIn): Promise<string> {
    const { organizationId, userId, identity, authenticatedAt, role, origin, replacedCookie } = signIn;
    if (replacedCookie !== undefined) await this.endIn(tx, replacedCookie, origin);
    const { plaintext, hash } = issueSecret('session', organizationId);
    const id = newUuid();
    await this.repository.insert(tx, {
      organizationId,
      id,
      userId,
      secretHash: hash,
      connectionId: identity?.connectionId ?? null,
      subject: identity?.subject ?? null,
      providerSession: identity?.providerSession ?? null,
      sealedIdToken: identity === null ? null : sealIdToken(plaintext, identity.idToken),
      authenticatedAt: authenticatedAt ?? new Date(),
      authenticationStated: authenticatedAt !== null,
      address: origin.address,
      userAgent: signIn.userAgent?.slice(0, LONGEST_USER_AGENT) ?? null,
    });
    const actor = principalOf(organizationId, { id, userId, role, authenticatedAt }, origin);
    const changes = created({ user_id: userId, connection_id: identity?.connectionId ?? null });
    await this.audit.record(tx, organizationId, actor, { action: 'session.create', targetId: id, changes });
    return plaintext;
  }

  /** Ends a session, if there is one, and records it. @param secret the value of the cookie */
  async end(secret: string, origin: RequestOrigin): Promise<SignedOut | undefined> {
    const ended = await this.statements.transaction((tx) => this.endIn(tx, secret, origin));
    if (ended === undefined) return undefined;
    const { organizationId, connectionId, sealedIdToken } = ended;
    return {
      organizationId,
      connectionId,
      idToken: sealedIdToken === null ? null : openIdToken(secret, sealedIdToken),
    };
  }

  private async endIn(
    tx: Transaction,
    secret: string,
    origin: RequestOrigin,
  ): Promise<(EndedSession & { readonly organizationId: string }) | undefined> {
    const reference = readSecretInOrganization('session', secret);
    if (reference === undefined) return undefined;
    const { organizationId } = reference;
    const session = await this.repository.end(tx, organizationId, reference.hash);
    if (session === undefined) return undefined;
    const actor = principalOf(organizationId, session, origin);
    await this.audit.record(tx, organizationId, actor, { action: 'session.delete', targetId: session.id });
    return { ...session, organizationId };
  }
}

function principalOf(
  organizationId: string,
  { id, userId, role, authenticatedAt }: Pick<OpenSession, 'id' | 'userId' | 'role' | 'authenticatedAt'>,
  origin: RequestOrigin,
): SessionPrincipal {
  const session = { kind: 'session', origin, organizationId, credentialId: id, userId, authenticatedAt } as const;
  return { ...session, ...ROLES[role].rights };
}
