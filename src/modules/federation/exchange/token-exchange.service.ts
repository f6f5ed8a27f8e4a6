import { Injectable } from '@nestjs/common';
import { errors, jwtVerify } from 'jose';
import type { Principal } from '../../../auth/principal.js';
import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import {
  ACCESS_TOKEN_TYPE,
  JWT_TYPE,
  type OAuthJwk,
  type OAuthJwks,
  TOKEN_EXCHANGE,
  type TokenExchangeRequest,
  type TokenExchangeResponse,
} from '../dto/token-exchange.dto.js';
import { INVALID_GRANT, INVALID_REQUEST, INVALID_SCOPE, UNSUPPORTED_GRANT_TYPE } from '../federation.errors.js';
import { SUBJECT_ALGORITHMS } from '../federation-settings.js';
import { type ExchangePolicy, PoliciesRepository } from '../policies/policies.repository.js';
import { policyReferenceOf } from '../policies/policy-id.js';
import { AccessTokensService } from '../signing/access-tokens.service.js';
import { TOKEN_LIFE_SECONDS } from '../signing/rotation.js';
import { SigningKeys } from '../signing/signing-keys.service.js';
import { IssuerKeys } from './issuer-keys.service.js';
import { claimsFit, claimsOf, conditionFits, isJwt, type SubjectClaims } from './subject-token.js';
import { TokenExchangeRate } from './token-exchange-rate.js';

/** How much the clock of an issuer may be ahead of ours, in seconds, for tokens that are not valid before they are made. */
const CLOCK_TOLERANCE_SECONDS = 30;

/** The exchange of tokens of workloads for access tokens (RFC 8693; docs/interface/token-exchange.md). */
@Injectable()
export class TokenExchangeService {
  constructor(
    private readonly policies: PoliciesRepository,
    private readonly issuerKeys: IssuerKeys,
    private readonly accessTokens: AccessTokensService,
    private readonly signingKeys: SigningKeys,
    private readonly rate: TokenExchangeRate,
  ) {}

  /**
   * Exchanges a token. What costs nothing is checked first, and what anyone can have us do last: the keys of an issuer are asked for only
   * for a token that says all that the policy wants.
   *
   * @throws TooManyTokenExchanges, IssuerKeysUnavailable
   * @throws BadRequestError with the codes of RFC 6749, section 5.2; one text for whatever a policy does not accept
   */
  async exchange(caller: Principal, input: TokenExchangeRequest): Promise<TokenExchangeResponse> {
    await this.rate.count(caller.origin?.address ?? null);
    requireWellFormed(input);
    const claims = claimsOf(input.subject_token);
    const reference = policyReferenceOf(input.federation_policy_id);
    const found = reference === undefined ? undefined : await this.policies.forExchange(reference);
    if (found === undefined || claims === undefined || !isOpen(found) || !claimsFit(claims, found))
      throw invalidGrant();
    if (lifeOf(claims) < 1) throw invalidGrant();
    await this.requireSigned(input.subject_token, found);
    if (!conditionFits(claims, found)) throw invalidGrant();
    // The keys of the issuer may have taken a while.
    const life = lifeOf(claims);
    if (life < 1) throw invalidGrant();
    const { policy, key } = found;
    const token = {
      organizationId: policy.organizationId,
      policyId: policy.id,
      issuerId: policy.issuerId,
      keyId: key.id,
      subject: claims.subject,
    };
    return {
      access_token: await this.accessTokens.issue(token, life),
      issued_token_type: ACCESS_TOKEN_TYPE,
      token_type: 'Bearer',
      expires_in: life,
      scope: 'inference',
    };
  }

  /** The public keys that access tokens are signed with. */
  async keys(): Promise<OAuthJwks> {
    return { keys: (await this.signingKeys.published()) as OAuthJwk[] };
  }

  /** @throws BadRequestError for a signature that is none of the issuer's, and a token that is not valid now */
  private async requireSigned(token: string, { issuer }: ExchangePolicy): Promise<void> {
    try {
      const checks = {
        algorithms: [...SUBJECT_ALGORITHMS],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ['iss', 'sub', 'aud', 'exp'],
      };
      await this.issuerKeys.verified(issuer, (find) => jwtVerify(token, find, checks));
    } catch (error) {
      throw error instanceof errors.JOSEError ? invalidGrant() : error;
    }
  }
}

function invalidGrant(): BadRequestError {
  return BadRequestError.of([INVALID_GRANT.at('')]);
}

/** @throws BadRequestError */
function requireWellFormed(input: TokenExchangeRequest): void {
  const refuse = (issue: ReturnType<typeof INVALID_REQUEST.at>): never => {
    throw BadRequestError.of([issue]);
  };
  if (input.grant_type !== TOKEN_EXCHANGE) refuse(UNSUPPORTED_GRANT_TYPE.at(''));
  if (input.subject_token_type !== JWT_TYPE) refuse(INVALID_REQUEST.at('subject_token_type', `must be ${JWT_TYPE}`));
  if ((input.requested_token_type ?? ACCESS_TOKEN_TYPE) !== ACCESS_TOKEN_TYPE) {
    refuse(INVALID_REQUEST.at('requested_token_type', `can only be ${ACCESS_TOKEN_TYPE}`));
  }
  if ((input.scope ?? 'inference') !== 'inference') refuse(INVALID_SCOPE.at(''));
  if (!isJwt(input.subject_token)) refuse(INVALID_REQUEST.at('subject_token', 'must be a JWT'));
}

/** Whether a policy exchanges, and its key is in use. */
function isOpen({ policy, key }: ExchangePolicy): boolean {
  return policy.enabled && !key.newer && !key.disabled && !key.suspended && !key.expired;
}

/** For how long an access token is valid that is issued now, in whole seconds. */
function lifeOf({ expiresAt }: SubjectClaims): number {
  return Math.min(TOKEN_LIFE_SECONDS, Math.floor(expiresAt - Date.now() / 1000));
}
