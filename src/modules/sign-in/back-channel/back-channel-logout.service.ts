import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import { ClientError } from 'openid-client';
import { isIssuerUnreachable } from '../../../http/addresses/issuer-transport.js';
import { CLOCK_TOLERANCE_S, IssuerStatedOtherwise, OidcClients, SIGNATURE_ALGORITHMS } from '../oidc/oidc-clients.js';
import {
  BackChannelLogoutRepository,
  type ClientOfIssuer,
  type SignedOutPerson,
} from './back-channel-logout.repository.js';

/** What says that a token is a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.4). */
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** How old a logout token may be, in seconds. */
const MAXIMUM_AGE_S = 120;

/** The longest text of a claim, in characters. */
const LONGEST = 1_024;

/** Signs people out whom their identity provider has signed out (OpenID Connect Back-Channel Logout 1.0). */
@Injectable()
export class BackChannelLogoutService {
  constructor(
    private readonly repository: BackChannelLogoutRepository,
    private readonly clients: OidcClients,
  ) {}

  /**
   * Ends the sessions that a logout token names, in every organization that uses its client.
   *
   * @param token the `logout_token` of the request
   * @returns false for one that proves nothing, names no one, or was used before
   * @throws IssuerUnreachable when its issuer cannot be asked for its keys
   */
  async logOut(token: string): Promise<boolean> {
    const claimed = claimsOf(token);
    if (claimed === undefined) return false;
    const connections = await this.repository.connectionsOf(textsOf(claimed.issuer), claimed.clientIds);
    if (connections.length === 0) return false;
    const claims = await this.verified(token, claimed.issuer, connections);
    const person = claims && personOf(claims);
    if (claims?.jti === undefined || person === undefined) return false;
    const tokenIdHash = createHash('sha256').update(claims.jti).digest();
    const kept = MAXIMUM_AGE_S + 2 * CLOCK_TOLERANCE_S;
    const ended = connections.map((connection) => this.repository.endSessions(connection, person, tokenIdHash, kept));
    return (await Promise.all(ended)).some((isNew) => isNew);
  }

  /** @param issuer that the token states, which has to be the one that the provider states */
  private async verified(
    token: string,
    issuer: string,
    connections: readonly ClientOfIssuer[],
  ): Promise<JWTPayload | undefined> {
    const [{ issuer: entered, clientId }] = connections as [ClientOfIssuer];
    const checks = {
      issuer,
      audience: connections.map((connection) => connection.clientId),
      algorithms: SIGNATURE_ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_S,
      maxTokenAge: MAXIMUM_AGE_S,
    };
    try {
      const settings = { issuer: entered, clientId, clientSecret: null };
      if ((await this.clients.issuerOf(settings)) !== issuer) return undefined;
      const { payload, protectedHeader } = await this.clients.verified(settings, (find) =>
        jwtVerify(token, find, checks),
      );
      const type = protectedHeader.typ?.toLowerCase();
      return type === undefined || type === 'jwt' || type === 'logout+jwt' ? payload : undefined;
    } catch (error) {
      // What the issuer says of itself may be wrong, too.
      const provesNothing = [errors.JOSEError, ClientError, IssuerStatedOtherwise].some(
        (kind) => error instanceof kind,
      );
      if (provesNothing && !isIssuerUnreachable(error)) return undefined;
      throw error;
    }
  }
}

/** The texts under which an issuer may have been entered before it took over what it states: with a slash at its end and without. */
function textsOf(issuer: string): readonly string[] {
  return [issuer, issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`];
}

/** Who a token claims to be from and for, before anything of it is proved. */
function claimsOf(token: string): { readonly issuer: string; readonly clientIds: readonly string[] } | undefined {
  try {
    const { iss, aud } = decodeJwt(token);
    const clientIds = [aud ?? []].flat().filter(isText);
    return isText(iss) && clientIds.length > 0 && clientIds.length <= 20 ? { issuer: iss, clientIds } : undefined;
  } catch {
    return undefined;
  }
}

/** Whom a verified token signs out. @returns undefined where it is no logout token (section 2.6) */
function personOf({ events, nonce, sub, sid }: JWTPayload): SignedOutPerson | undefined {
  const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, LOGOUT_EVENT);
  const [subject, providerSession] = [isText(sub) ? sub : null, isText(sid) ? sid : null];
  // A nonce is in ID tokens, which must not pass for logout tokens.
  if (!isLogout || nonce !== undefined || (subject === null && providerSession === null)) return undefined;
  return { subject, providerSession };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST && !/\p{Cc}/u.test(value);
}
