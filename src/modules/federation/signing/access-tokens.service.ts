import { createHash } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { Environment } from '../../../config/environment.js';
import { isUuid, newUuid } from '../../../persistence/identifiers.js';
import { type AccessTokenReader, AccessTokens, type ReadAccessToken } from '../../keys/credentials/access-tokens.js';
import { policyIdOf, policyReferenceOf } from '../policies/policy-id.js';
import { ALGORITHM, SigningKeys } from './signing-keys.service.js';

/** The type of an access token (RFC 9068, section 2.1). */
const TYPE = 'at+jwt';

/** How many tokens are remembered whose signatures were verified last. */
const VERIFIED_TOKENS = 10_000;

/** The issuer of access tokens in a deployment that does not say where people reach it. */
const WITHOUT_PUBLIC_URL = 'urn:gatehouse';

/** What an access token is for. */
export interface AccessTokenSubject {
  readonly organizationId: string;
  /** The id of the row of the policy. */
  readonly policyId: string;
  readonly issuerId: string;
  /** The id of the API key that it acts as. */
  readonly keyId: string;
  /** The subject of the token that was exchanged. */
  readonly subject: string;
}

interface VerifiedToken extends ReadAccessToken {
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Access tokens: makes them, and reads those that requests present (docs/interface/token-exchange.md#access-tokens). What a token says is
 * remembered with its hash until it expires, so that its signature is verified once; the state of the key is never remembered.
 */
@Injectable()
export class AccessTokensService implements AccessTokenReader, OnModuleInit {
  private readonly verified = new LRUCache<string, VerifiedToken>({ max: VERIFIED_TOKENS });

  constructor(
    private readonly keys: SigningKeys,
    private readonly environment: Environment,
    private readonly registry: AccessTokens,
  ) {}

  onModuleInit(): void {
    this.registry.register(this);
  }

  /** Makes a token. @param lifeSeconds whole seconds, from now on */
  async issue(token: AccessTokenSubject, lifeSeconds: number): Promise<string> {
    const { publicUrl, apiBasePath } = this.environment;
    const issuer = publicUrl === undefined ? WITHOUT_PUBLIC_URL : `${publicUrl}${apiBasePath}`;
    const { kid, key } = await this.keys.active();
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({
      federation_policy_id: policyIdOf({ organizationId: token.organizationId, id: token.policyId }),
      federation_issuer_id: token.issuerId,
      api_key_id: token.keyId,
      scope: 'inference',
    })
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
      .setSubject(token.subject)
      .setIssuer(issuer)
      .setAudience(issuer)
      .setIssuedAt(now)
      .setExpirationTime(now + lifeSeconds)
      .setJti(newUuid())
      .sign(key);
  }

  /**
   * Reads a token that a request presents. Who may sign with our keys, and for what, is no one's choice but ours, so that the signature says
   * all; issuer and audience are for others, and change with PUBLIC_URL while tokens are valid.
   */
  async read(token: string): Promise<ReadAccessToken | 'expired' | undefined> {
    const name = createHash('sha256').update(token).digest('base64url');
    const known = this.verified.get(name);
    if (known === undefined) return this.verify(token, name);
    if (known.expiresAt > Date.now()) return known;
    this.verified.delete(name);
    return 'expired';
  }

  private async verify(token: string, name: string): Promise<ReadAccessToken | 'expired' | undefined> {
    const kid = kidOf(token);
    const key = kid === undefined ? undefined : await this.keys.publicKey(kid);
    if (key === undefined) return undefined;
    try {
      const options = { algorithms: [ALGORITHM], typ: TYPE, requiredClaims: ['exp'] };
      const { payload } = await jwtVerify<{ federation_policy_id: string; api_key_id: string }>(token, key, options);
      const { organizationId } = policyReferenceOf(payload.federation_policy_id)!;
      const verified = { organizationId, keyId: payload.api_key_id, expiresAt: payload.exp! * 1000 };
      this.verified.set(name, verified);
      return verified;
    } catch (error) {
      if (error instanceof errors.JWTExpired) return 'expired';
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }
}

/** The `kid` of a token that may be ours. */
function kidOf(token: string): string | undefined {
  try {
    const { typ, alg, kid } = decodeProtectedHeader(token);
    return typ === TYPE && alg === ALGORITHM && kid !== undefined && isUuid(kid) ? kid : undefined;
  } catch {
    // Whatever it is, it is no JWT.
    return undefined;
  }
}
