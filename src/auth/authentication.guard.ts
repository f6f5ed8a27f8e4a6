import { type CanActivate, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Environment } from '../config/environment.js';
import {
  AdministratorRequired,
  CredentialKindNotAllowed,
  CrossSiteRequest,
  MalformedCredential,
  MissingCredential,
  PermissionMissing,
  RouteNotFound,
  SessionMissing,
} from '../http/errors/request.errors.js';
import { isFromOwnPage } from '../http/pages/origin.js';
import { RequestRateLimit } from '../http/request-limits/request-rate-limit.js';
import type { GatehouseRequest } from '../http/request.js';
import { operationOf } from '../http/openapi/operation.decorator.js';
import { isPublic } from '../http/public.decorator.js';
import { RequestInput } from '../http/validation/request-input.js';
import {
  AUTHENTICATION_METADATA,
  KEEPS_TO_OWN_METADATA,
  OnlyForOperator,
  PERMISSION_METADATA,
  ResolvedBy,
  TakesApiKeyHeader,
} from './authenticated.decorator.js';
import { CredentialResolver, type Resolution } from './credential-resolver.js';
import { isOfOperator, type NeededPermission, NO_PERMISSION_NEEDED } from './permissions.js';
import {
  type CredentialKind,
  isManagement,
  type ManagementPrincipal,
  type Principal,
  RequestOrigin,
  type SessionPrincipal,
  shareIdOf,
  userIdOf,
} from './principal.js';
import { requireToDecideIdentity } from './required-rights.js';
import { SessionResolver } from './session-resolver.js';
import type { IncomingMessage } from 'node:http';
import { countOfHeader } from '../http/request-head.js';

/** A request that passed the guard. */
export interface AuthenticatedRequest extends GatehouseRequest {
  principal?: Principal;
}

/** The one guard: turns the credential of a request into a {@link Principal}, or refuses (docs/interface/keys-and-oauth.md#authentication). */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(
    private readonly resolver: CredentialResolver,
    private readonly sessions: SessionResolver,
    private readonly environment: Environment,
    private readonly rate: RequestRateLimit,
    private readonly input: RequestInput,
    private readonly modules: ModuleRef,
  ) {}

  /**
   * @throws MissingCredential, MalformedCredential, and what the resolver says of one that is not accepted
   * @throws CrossSiteRequest, SessionMissing for a request of the console that no page of it made, or without a session
   * @throws RouteNotFound for what is the operator's alone, unless the caller's organization is the operator's
   * @throws TooManyRequests when the organization sends too many requests
   * @throws CredentialKindNotAllowed for one of a kind that the operation does not take
   * @throws AdministratorRequired for one of a member, where the operation is for administrators alone
   * @throws PermissionMissing for one that does not permit the operation
   * @throws RecentSignInRequired for a person who signed in too long ago for it
   */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const operation = context.getHandler();
    request.operation = operation.name;
    request.handler = operation;
    if (isPublic(context.getClass())) return true;
    const isForOperator = Reflect.hasMetadata(OnlyForOperator.KEY, context.getClass());
    const { operatorOrganizationId } = this.environment;
    if (isForOperator && operatorOrganizationId === undefined) throw new RouteNotFound();
    const isOpen = operationOf(operation)?.needsNoCredential === true;
    const principal = isOpen ? undefined : await this.callerOf(request, context, isForOperator);
    if (principal === undefined) {
      if (!isOpen && !this.environment.anonymousOperations.has(operation.name)) throw new MissingCredential();
      this.rate.count();
      request.principal = { kind: 'anonymous', origin: new RequestOrigin(request) };
      return true;
    }
    request.principal = principal;
    request.organizationId = principal.organizationId;
    request.shareId = shareIdOf(principal);
    request.callerUserId = userIdOf(principal);
    const kinds = Reflect.getMetadata(AUTHENTICATION_METADATA, operation) as CredentialKind[];
    this.rate.count(principal.organizationId);
    if (isForOperator && principal.organizationId !== operatorOrganizationId) throw new RouteNotFound();
    // Where the owner of a management key may call, a person who has signed in may as well.
    if (!kinds.includes(principal.kind === 'session' ? 'management_key' : principal.kind)) {
      throw new CredentialKindNotAllowed(kinds);
    }
    if (isManagement(principal)) {
      requirePermission(principal, operation);
      if (operationOf(operation)?.decidesIdentity === true) requireToDecideIdentity(principal);
    }
    return true;
  }

  /** Who calls. @returns undefined for a request without a credential */
  private async callerOf(
    request: GatehouseRequest,
    context: ExecutionContext,
    isForOperator: boolean,
  ): Promise<Exclude<Principal, { kind: 'anonymous' }> | undefined> {
    if (request.isFromConsole !== true) return this.bearerOf(request, context);
    const signedIn = await this.signedIn(request);
    // No session has the permissions of the operator: a person who has signed in gives a key that has them.
    const isWithKey = isForOperator && request.headers.authorization !== undefined;
    return isWithKey ? this.bearerOf(request, context) : this.actingFor(signedIn, request, context);
  }

  /**
   * Who is signed in, by the cookie alone. That pages of other sites cannot have a browser send it is checked first.
   *
   * @throws CrossSiteRequest, SessionMissing
   */
  private async signedIn(request: GatehouseRequest): Promise<SessionPrincipal> {
    if (!isFromOwnPage(request, this.environment)) throw new CrossSiteRequest();
    const signedIn = await this.sessions.ofRequest(request, this.environment);
    if (signedIn === undefined) throw new SessionMissing();
    request.credentialSecret = signedIn.secret;
    return signedIn.session;
  }

  /**
   * Who a person who has signed in acts as: one of their own API keys where the operation is one of inference and the request names one, and
   * themselves everywhere else (docs/interface/sign-in.md#requests-of-inference).
   */
  private async actingFor(
    session: SessionPrincipal,
    { headers }: GatehouseRequest,
    context: ExecutionContext,
  ): Promise<Exclude<Principal, { kind: 'anonymous' }>> {
    const keyHash = headers[ACTING_KEY_HEADER];
    if (keyHash === undefined || operationOf(context.getHandler())?.isInference !== true) return session;
    return principalIn(await this.resolver.resolveOwn(session, String(keyHash)));
  }

  /** Whose the credential is. @returns undefined for a request without one */
  private async bearerOf(
    request: GatehouseRequest,
    context: ExecutionContext,
  ): Promise<Exclude<Principal, { kind: 'anonymous' }> | undefined> {
    const token = bearerTokenOf(request) ?? apiKeyHeaderOf(request, context.getHandler());
    if (token === undefined) return undefined;
    const recognized = (organizationId: string): void => {
      if (!this.rate.isReached(organizationId)) this.input.beginEarly(context, organizationId);
    };
    const resolution = await this.resolverOf(context.getHandler()).resolve(
      token,
      new RequestOrigin(request),
      recognized,
    );
    const principal = principalIn(resolution);
    request.credentialSecret = token;
    return principal;
  }

  private resolverOf(operation: object): CredentialResolver {
    const own = Reflect.getMetadata(ResolvedBy.KEY, operation) as Type<CredentialResolver> | undefined;
    return own === undefined ? this.resolver : this.modules.get(own, { strict: false });
  }
}

/** The header of the console's requests of inference that names the key that they are sent as, by its hash. */
const ACTING_KEY_HEADER = 'x-key-hash';

/** @throws what refuses the credential */
function principalIn(resolution: Resolution): Exclude<Principal, { kind: 'anonymous' }> {
  if ('refusal' in resolution) throw new resolution.refusal();
  if ('refused' in resolution) throw resolution.refused;
  return resolution.principal;
}

/**
 * Checks that an operation keeps to what is the caller's own where the caller reaches no more, and the permission that it names.
 *
 * @throws AdministratorRequired where only an administrator reaches what the operation is about, whatever the caller's permissions are
 * @throws PermissionMissing
 */
function requirePermission({ permissions, onlyOwn }: ManagementPrincipal, operation: object): void {
  const needed = Reflect.getMetadata(PERMISSION_METADATA, operation) as NeededPermission;
  if (needed === NO_PERMISSION_NEEDED) return;
  const isOutOfReach = onlyOwn && !Reflect.hasMetadata(KEEPS_TO_OWN_METADATA, operation);
  // What belongs to the operator no role reaches, an administrator's neither.
  if (isOutOfReach && !isOfOperator(needed)) throw new AdministratorRequired();
  if (isOutOfReach || !permissions.has(needed)) throw new PermissionMissing([needed]);
}

/** RFC 6750, section 2.1, and RFC 9110, section 11.4: the scheme in any case, spaces, the token of token68 characters. */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/**
 * The credential of a request.
 *
 * @returns undefined when there is no Authorization header, or one without a value: clients that were given no key send it so
 * @throws MalformedCredential when there are several, or it is not a bearer token
 */
function bearerTokenOf(request: IncomingMessage): string | undefined {
  const header = request.headers.authorization;
  const isOne = countOfHeader(request.rawHeaders, 'authorization') <= 1;
  if (header === undefined || (header === '' && isOne)) return undefined;
  const token = BEARER.exec(header)?.[1];
  // Node.js keeps the first of several Authorization headers, but the sender may mean another one.
  if (token === undefined || !isOne) {
    throw new MalformedCredential();
  }
  return token;
}

/** RFC 6750, section 2.1: the characters of a token. */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

/**
 * The credential in the header X-Api-Key, for operations that take it there (docs/interface/messages.md#credentials).
 *
 * @returns undefined when the operation does not, or there is none
 * @throws MalformedCredential when there are several, or it is none
 */
function apiKeyHeaderOf({ headers }: IncomingMessage, operation: object): string | undefined {
  const key = headers['x-api-key'];
  if (key === undefined || !Reflect.hasMetadata(TakesApiKeyHeader.KEY, operation)) return undefined;
  const taken = Reflect.getMetadata(TakesApiKeyHeader.KEY, operation) as { readonly onlyWith?: string } | undefined;
  if (taken?.onlyWith !== undefined && headers[taken.onlyWith] === undefined) return undefined;
  // Node.js joins several headers of a name with a comma, which no credential has.
  if (typeof key !== 'string' || !TOKEN.test(key)) throw new MalformedCredential();
  return key;
}
