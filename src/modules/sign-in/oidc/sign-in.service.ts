import { Injectable } from '@nestjs/common';
import { compactVerify, errors } from 'jose';
import * as oidc from 'openid-client';
import { DEFAULT_ROLE, type MemberRole } from '../../../auth/roles.js';
import type { RequestOrigin, SessionPrincipal } from '../../../auth/principal.js';
import { isIssuerUnreachable } from '../../../http/addresses/issuer-transport.js';
import { newUuid } from '../../../persistence/identifiers.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import { SERVICE } from '../../audit/audit-trail.js';
import { issueSecret, readSecretInOrganization } from '../../keys/credentials/key-format.js';
import { MemberEmailTaken } from '../../organizations/organizations.errors.js';
import { MembersService } from '../../organizations/members/members.service.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import { DirectoryMembersService } from '../../scim/provisioning/directory-members.service.js';
import { ScimGroupsService } from '../../scim/scim-groups.service.js';
import { EncryptedClientSecrets } from '../connections/encrypted-client-secrets.js';
import { IssuerTakeover } from '../connections/issuer-takeover.service.js';
import { SIGN_IN_CONNECTIONS, SignInConnectionsRepository } from '../connections/sign-in-connections.repository.js';
import type { SignInConnectionEntity } from '../entities/sign-in-connection.entity.js';
import { IdentityLinksService } from '../identities/identity-links.service.js';
import type { IdentitySource } from '../identities/identity-source.js';
import { MemberIdentitiesRepository } from '../identities/member-identities.repository.js';
import { type LinkQuestion, LinkConfirmationsService } from '../linking/link-confirmations.service.js';
import { SignInLinksRepository } from '../links/sign-in-links.repository.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { attemptSecretsOf } from './attempt-secrets.js';
import { authenticatedAtOf, stepUpParameters } from './authentication-time.js';
import { IssuerStatedOtherwise, OidcClients, type ProviderSettings, SIGNATURE_ALGORITHMS } from './oidc-clients.js';
import { groupsOf, isEmailUnverified, nameOf, roleOf, textClaim } from './provider-claims.js';
import { SignInAttemptsRepository, type UsedAttempt } from './sign-in-attempts.repository.js';
import { SignInRefusal } from './sign-in-refusal.js';
import { type NeededClaims, neededClaims, SHOWN_CLAIMS, UserInfo } from './user-info.js';

/** The longest address of an e-mail (RFC 5321, section 4.5.3.1.3). */
const LONGEST_EMAIL = 254;

/** A sign-in that a person wants to begin. */
export interface SignInRequest {
  readonly organizationId: string;
  readonly connectionId: string;
  /** A path of this host. */
  readonly returnTo: string;
  /** Whether the person has to prove again who they are, although they are signed in there. */
  readonly isStepUp: boolean;
  /** The session whose member the account is to be linked to, once they confirm that; null for a sign-in. */
  readonly linkingSessionId: string | null;
  readonly loginHint: string | undefined;
  readonly redirectUri: string;
}

/** A sign-in that has begun. */
export interface BegunSignIn {
  /** Where the browser goes. */
  readonly location: string;
  readonly state: string;
  readonly cookie: string;
}

/** What came back from the identity provider. */
export interface ProviderAnswer {
  /** The address that the browser was sent to, with its parameters. */
  readonly url: URL;
  readonly cookie: string;
  /** The cookie of the session that the browser has until now; undefined without one. */
  readonly replacedCookie: string | undefined;
  readonly userAgent: string | null;
  /** The session of the browser until now; undefined without one. */
  readonly session: () => Promise<SessionPrincipal | undefined>;
  readonly origin: RequestOrigin;
}

/** What a sign-in ends with: a session, or the question whether an account is to be linked to the one that there is. */
export type EndedSignIn = { readonly cookie: string; readonly returnTo: string } | { readonly question: LinkQuestion };

interface Provider {
  readonly connection: SignInConnectionEntity;
  readonly client: oidc.Configuration;
  /** With the text of the issuer under which it is known so far. */
  readonly settings: ProviderSettings;
}

/** The person, as an ID token says it, and where. */
interface Proof {
  readonly connection: SignInConnectionEntity;
  readonly claims: oidc.IDToken;
  readonly idToken: string;
  /** Null where it is not known. */
  readonly authenticatedAt: Date | null;
}

/**
 * Signs people in with identity providers, by the authorization code flow with PKCE (OpenID Connect Core 1.0; docs/interface/sign-in.md).
 * A person is a member by issuer and subject, or by the `externalId` of the directory; never by a name or an address, which other people
 * may have elsewhere.
 */
@Injectable()
export class SignInService {
  constructor(
    private readonly clients: OidcClients,
    private readonly connections: SignInConnectionsRepository,
    private readonly encrypted: EncryptedClientSecrets,
    private readonly attempts: SignInAttemptsRepository,
    private readonly identities: MemberIdentitiesRepository,
    private readonly links: IdentityLinksService,
    private readonly signInLinks: SignInLinksRepository,
    private readonly confirmations: LinkConfirmationsService,
    private readonly sessions: SessionsService,
    private readonly members: MembersService,
    private readonly organizations: OrganizationsService,
    private readonly directory: DirectoryMembersService,
    private readonly groups: ScimGroupsService,
    private readonly statements: Statements,
    private readonly userInfo: UserInfo,
    private readonly takeover: IssuerTakeover,
  ) {}

  /** The identity providers that an organization offers, by name; none for one that does not exist. */
  async offered(organizationId: string): Promise<Pick<SignInConnectionEntity, 'id' | 'name' | 'issuer'>[]> {
    return this.connections.offered(organizationId);
  }

  /** Begins a sign-in. @throws SignInRefusal for a provider that is not offered or cannot be asked */
  async begin(request: SignInRequest): Promise<BegunSignIn> {
    const { organizationId, connectionId, returnTo, linkingSessionId, isStepUp, redirectUri } = request;
    const { connection, client } = await this.providerOf(organizationId, connectionId);
    const { plaintext, hash } = issueSecret('sign_in_attempt', organizationId);
    const { state, nonce, codeVerifier } = attemptSecretsOf(plaintext);
    await this.attempts.insert({
      organizationId,
      id: newUuid(),
      connectionId: connection.id,
      secretHash: hash,
      returnTo,
      linkedUserId: null,
      linkingSessionId,
      provedSubject: null,
      isStepUp,
    });
    const parameters = {
      redirect_uri: redirectUri,
      scope: connection.scopes.join(' '),
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      ...(request.loginHint !== undefined && { login_hint: request.loginHint }),
      ...(isStepUp && stepUpParameters(connection, client.serverMetadata())),
    };
    const takesPushed = client.serverMetadata().pushed_authorization_request_endpoint !== undefined;
    const location = takesPushed
      ? await askProvider(() => oidc.buildAuthorizationUrlWithPAR(client, parameters))
      : oidc.buildAuthorizationUrl(client, parameters);
    return { location: location.href, state, cookie: plaintext };
  }

  /**
   * Ends a sign-in with what the identity provider answers, which counts once.
   *
   * @returns the cookie of the session with the path that the person goes to, or a question to the person
   * @throws SignInRefusal
   */
  async finish(answer: ProviderAnswer): Promise<EndedSignIn> {
    const reference = readSecretInOrganization('sign_in_attempt', answer.cookie);
    if (reference === undefined) throw new SignInRefusal('attempt_over');
    const { organizationId } = reference;
    const attempt = await this.attempts.use(organizationId, reference.hash);
    if (attempt === undefined) throw new SignInRefusal('attempt_over');
    const found = await this.proofOf(organizationId, attempt, answer);
    if (attempt.linkingSessionId !== null) {
      const session = await answer.session();
      return { question: await this.confirmations.ask(attempt, found.connection, found.claims, session) };
    }
    const cookie = await this.statements.transaction(async (tx) => {
      // Who changes the provider waits, and then ends the session, too.
      const connection = await this.connections.hold(tx, organizationId, found.connection.id);
      if (connection?.enabled !== true) throw new SignInRefusal('connection_gone');
      const { issuer } = found.connection;
      const proof = { ...found, connection: { ...connection, issuer } };
      const userId = await this.memberOf(tx, organizationId, proof);
      // Groups first: who changes a group locks it before its members.
      await this.updateGroups(tx, organizationId, userId, proof);
      await this.updateRole(tx, organizationId, userId, proof);
      const role = await this.signInLinks.holdMember(tx, organizationId, userId);
      if (role === undefined) throw new SignInRefusal('inactive');
      return this.sessions.begin(tx, {
        organizationId,
        userId,
        role,
        identity: {
          connectionId: proof.connection.id,
          subject: proof.claims.sub,
          providerSession: textClaim(proof.claims, 'sid') ?? null,
          idToken: proof.idToken,
        },
        authenticatedAt: proof.authenticatedAt,
        replacedCookie: answer.replacedCookie,
        userAgent: answer.userAgent,
        origin: answer.origin,
      });
    });
    return { cookie, returnTo: attempt.returnTo };
  }

  /**
   * Where a browser goes to be signed out at the identity provider, too (OpenID Connect RP-Initiated Logout 1.0).
   *
   * @returns null where the provider has no such address, is gone, or cannot be asked
   */
  async signOutAddress(
    organizationId: string,
    connectionId: string,
    idToken: string | null,
    returnUri: string,
  ): Promise<string | null> {
    try {
      const { client } = await this.providerOf(organizationId, connectionId);
      if (client.serverMetadata().end_session_endpoint === undefined) return null;
      const parameters: Record<string, string> = { post_logout_redirect_uri: returnUri };
      if (idToken !== null) parameters['id_token_hint'] = idToken;
      return oidc.buildEndSessionUrl(client, parameters).href;
    } catch (error) {
      if (error instanceof SignInRefusal) return null;
      throw error;
    }
  }

  /**
   * A provider that the organization offers, under the issuer that it states.
   *
   * @throws SignInRefusal for one that is not offered, or cannot be asked
   */
  private async providerOf(organizationId: string, id: string): Promise<Provider> {
    const connection = await SIGN_IN_CONNECTIONS.find(this.statements, organizationId, id);
    if (connection?.enabled !== true) throw new SignInRefusal('connection_gone');
    const { issuer, clientId, encryptedClientSecret } = connection;
    const clientSecret =
      encryptedClientSecret === null ? null : this.encrypted.decrypted({ ...connection, encryptedClientSecret });
    const settings = { issuer, clientId, clientSecret };
    const { configuration: client, issuer: stated } = await askProvider(() => this.clients.clientOf(settings));
    const current = stated === issuer ? connection : await this.takeover.takeOver(connection, stated);
    return { connection: current, client, settings };
  }

  /** Redeems the code, and checks the ID token: signature, issuer, audience, times, nonce. @throws SignInRefusal */
  private async proofOf(organizationId: string, attempt: UsedAttempt, answer: ProviderAnswer): Promise<Proof> {
    const { connection, client, settings } = await this.providerOf(organizationId, attempt.connectionId);
    const { state, nonce, codeVerifier } = attemptSecretsOf(answer.cookie);
    const tokens = await askProvider(() =>
      oidc.authorizationCodeGrant(client, answer.url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      }),
    );
    const idToken = tokens.id_token!;
    await askProvider(() =>
      this.clients.verified(settings, (find) => compactVerify(idToken, find, { algorithms: SIGNATURE_ALGORITHMS })),
    );
    const stated = tokens.claims()!;
    if (textClaim(stated, 'sub') === undefined) throw new SignInRefusal('not_verified', { code: 'sub' });
    const authenticatedAt = authenticatedAtOf(stated, attempt.isStepUp, connection);
    const needed = await this.neededOf(attempt, connection, stated.sub);
    const claims = await this.userInfo.completed(client, tokens.access_token, stated, needed);
    return { connection, claims, idToken, authenticatedAt };
  }

  private async neededOf(
    { linkingSessionId }: UsedAttempt,
    connection: SignInConnectionEntity,
    subject: string,
  ): Promise<NeededClaims> {
    if (linkingSessionId !== null) return SHOWN_CLAIMS;
    const { organizationId, issuer, createsMembers } = connection;
    const mayBecomeMember =
      createsMembers && (await this.identities.memberOf(organizationId, { issuer, subject })) === undefined;
    return neededClaims(connection, mayBecomeMember);
  }

  /** The member that the person is, or becomes. @throws SignInRefusal for who is not known here */
  private async memberOf(tx: Transaction, organizationId: string, { connection, claims }: Proof): Promise<string> {
    const { issuer } = connection;
    const provisioned = await this.provisioned(tx, organizationId, connection, claims);
    const known = await this.links.use(tx, organizationId, { issuer, subject: claims.sub }, provisioned);
    if (known !== undefined) return known;
    const userId =
      provisioned ?? (connection.createsMembers ? await this.createMember(tx, organizationId, claims) : undefined);
    if (userId === undefined) throw new SignInRefusal('unknown_person', { issuer, subject: claims.sub });
    const source = provisioned === undefined ? 'sign_in' : 'directory';
    await this.link(tx, organizationId, userId, connection, claims.sub, source);
    return userId;
  }

  /** The member whom the directory knows by a claim, where the provider names one. */
  private async provisioned(
    tx: Transaction,
    organizationId: string,
    { issuer, externalIdClaim }: SignInConnectionEntity,
    claims: oidc.IDToken,
  ): Promise<string | undefined> {
    const externalId = externalIdClaim === null ? undefined : textClaim(claims, externalIdClaim);
    return externalId === undefined ? undefined : this.directory.memberOf(tx, organizationId, issuer, externalId);
  }

  private async createMember(tx: Transaction, organizationId: string, claims: oidc.IDToken): Promise<string> {
    const email = textClaim(claims, 'email');
    if (email === undefined || email.length > LONGEST_EMAIL) throw new SignInRefusal('email_missing');
    if (isEmailUnverified(claims)) throw new SignInRefusal('email_unverified', { email });
    try {
      const member = {
        name: nameOf(claims).slice(0, 200),
        email,
        role: DEFAULT_ROLE,
        givenName: textClaim(claims, 'given_name')?.slice(0, 200) ?? null,
        familyName: textClaim(claims, 'family_name')?.slice(0, 200) ?? null,
      } as const;
      const [userId] = await this.members.add(tx, SERVICE, organizationId, [member]);
      return userId!;
    } catch (error) {
      if (error instanceof MemberEmailTaken) throw new SignInRefusal('email_taken', { email });
      throw error;
    }
  }

  private async link(
    tx: Transaction,
    organizationId: string,
    userId: string,
    { id: connectionId, issuer }: SignInConnectionEntity,
    subject: string,
    source: IdentitySource,
  ): Promise<void> {
    const link = { organizationId, userId, issuer, subject, source, lastSignInAt: new Date() };
    await this.links.add(tx, SERVICE, link, { connection_id: connectionId });
  }

  /** Puts the member into the groups that the claims name, unless a directory decides about that. */
  private async updateGroups(tx: Transaction, organizationId: string, userId: string, proof: Proof): Promise<void> {
    const { groupClaim } = proof.connection;
    const names = groupClaim === null ? undefined : groupsOf(proof.claims, groupClaim);
    if (names !== undefined) await this.groups.putInto(tx, SERVICE, { organizationId, userId }, names);
  }

  /** Gives the member the role that the claims say, unless the directory decides about members. */
  private async updateRole(tx: Transaction, organizationId: string, userId: string, proof: Proof): Promise<void> {
    const { roleClaim, adminValues } = proof.connection;
    if (roleClaim === null || adminValues === null || (await this.organizations.isScimEnabled(organizationId))) return;
    const role: MemberRole | undefined = roleOf(proof.claims, roleClaim, adminValues);
    if (role !== undefined) await this.members.changeRoleUnlessLast(tx, SERVICE, { organizationId, userId, role });
  }
}

/** Asks the identity provider. @throws SignInRefusal that says why it did not work */
async function askProvider<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    throw refusalOf(error);
  }
}

function refusalOf(error: unknown): unknown {
  if (error instanceof SignInRefusal) return error;
  if (error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError) {
    const details = { error: error.error, description: error.error_description ?? '' };
    return new SignInRefusal('provider_refused', details);
  }
  if (isIssuerUnreachable(error)) return new SignInRefusal('provider_unreachable');
  if (error instanceof IssuerStatedOtherwise) return new SignInRefusal('issuer_differs', { stated: error.stated });
  if (error instanceof oidc.ClientError || error instanceof oidc.WWWAuthenticateChallengeError) {
    return new SignInRefusal('not_verified', { code: error.code ?? error.name });
  }
  if (error instanceof errors.JOSEError) return new SignInRefusal('not_verified', { code: error.code });
  return error;
}
