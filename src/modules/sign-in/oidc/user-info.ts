import { Injectable } from '@nestjs/common';
import type { Configuration, IDToken } from 'openid-client';
import { IssuerTransport, IssuerUnreachable } from '../../../http/addresses/issuer-transport.js';
import { ServiceLogger } from '../../../telemetry/logging/service-logger.js';
import type { SignInConnectionEntity } from '../entities/sign-in-connection.entity.js';
import { claimAt } from './claim-path.js';
import { isElsewhere, isEmailUnverified, isSaid } from './provider-claims.js';
import { SignInRefusal } from './sign-in-refusal.js';

/** What the name of a new member is made of, each by itself. */
const NAMES = ['name', 'given_name', 'family_name', 'preferred_username'];

/** The answer of the UserInfo endpoint is none that can be used. */
class UnusableUserInfo extends Error {}

/** The claims that a sign-in needs of a person. */
export interface NeededClaims {
  /** Without these the sign-in cannot go on. */
  readonly required: readonly string[];
  /** Without one of these less is known. */
  readonly wanted: readonly string[];
  /** Whether the name is wanted, too, which is in any of several claims. */
  readonly isNameWanted: boolean;
}

/** What is shown of an account before it is linked to a member. */
export const SHOWN_CLAIMS: NeededClaims = { required: [], wanted: ['email'], isNameWanted: true };

/**
 * The claims that a sign-in needs, by the settings of its connection.
 *
 * @param mayBecomeMember whether the person is not linked yet, and the provider makes members
 */
export function neededClaims(
  { externalIdClaim, roleClaim, groupClaim }: SignInConnectionEntity,
  mayBecomeMember: boolean,
): NeededClaims {
  const present = (names: readonly (string | null)[]): string[] => names.filter((name) => name !== null);
  const email = mayBecomeMember ? 'email' : null;
  // Whom a directory knows has an address already, and who the directory means is never guessed: without its id a person would be another one.
  const [required, wanted] = externalIdClaim === null ? [email, null] : [externalIdClaim, email];
  return {
    required: present([required]),
    wanted: present([wanted, roleClaim, groupClaim]),
    isNameWanted: mayBecomeMember,
  };
}

/**
 * Asks the UserInfo endpoint of providers for claims that their ID tokens lack (OpenID Connect Core 1.0, sections 5.3 and 5.4): many say the
 * claims of the scopes profile and email there alone.
 */
@Injectable()
export class UserInfo {
  constructor(
    private readonly transport: IssuerTransport,
    private readonly logger: ServiceLogger,
  ) {}

  /**
   * The claims of a person. Those of the ID token win; the provider is asked only where one is lacking.
   *
   * @param client of the provider
   * @param claims of the ID token
   * @throws SignInRefusal where required claims are lacking and the provider does not say them, and for an answer about another person
   */
  async completed(client: Configuration, accessToken: string, claims: IDToken, needed: NeededClaims): Promise<IDToken> {
    const { userinfo_endpoint: endpoint } = client.serverMetadata();
    const lacksRequired = needed.required.some((name) => !isSaid(claims, name));
    const lacks =
      lacksRequired ||
      needed.wanted.some((name) => !isSaid(claims, name) && !isElsewhere(claims, name)) ||
      (needed.isNameWanted && !NAMES.some((name) => isSaid(claims, name)));
    if (endpoint === undefined || !lacks) return claims;
    try {
      const said = await this.ask(endpoint, accessToken);
      if (said.sub !== claims.sub) throw new SignInRefusal('not_verified', { code: 'sub of UserInfo' });
      const names = [...needed.required, ...needed.wanted, ...(needed.isNameWanted ? NAMES : [])];
      return united(claims, said, names);
    } catch (error) {
      const isFailure = error instanceof IssuerUnreachable || error instanceof UnusableUserInfo;
      if (!isFailure) throw error;
      if (!lacksRequired) {
        this.logger.warn(`the UserInfo endpoint of ${claims.iss} cannot be used: ${error.message}`);
        return claims;
      }
      if (error instanceof IssuerUnreachable) throw new SignInRefusal('provider_unreachable');
      throw new SignInRefusal('user_info_unusable', { reason: error.message });
    }
  }

  /** @throws IssuerUnreachable, UnusableUserInfo */
  private async ask(endpoint: string, accessToken: string): Promise<IDToken> {
    const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json' };
    const answer = await this.transport.fetch(endpoint, { headers });
    if (answer.status !== 200) throw new UnusableUserInfo(`it answered ${answer.status}`);
    const type = answer.headers.get('content-type') ?? '';
    if (!/^application\/json\s*(?:;|$)/i.test(type)) {
      throw new UnusableUserInfo(
        /^application\/jwt/i.test(type) ? 'it answered a signed JWT, and only JSON is read' : 'it answered no JSON',
      );
    }
    const said: unknown = await answer.json().catch(() => undefined);
    if (typeof said !== 'object' || said === null || Array.isArray(said)) {
      throw new UnusableUserInfo('it answered no JSON object');
    }
    return said as IDToken;
  }
}

/** The claims of an ID token, with those of some names that it lacks, and with what is said of the address. */
function united(claims: IDToken, said: IDToken, names: readonly string[]): IDToken {
  const found = names.filter((name) => !isSaid(claims, name) && isSaid(said, name));
  return Object.fromEntries([
    ...Object.entries(claims),
    ...found.map((name) => [name, claimAt(said, name)] as const),
    ...(isEmailUnverified(said) ? [['email_verified', false] as const] : []),
  ]) as unknown as IDToken;
}
