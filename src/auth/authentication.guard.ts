import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { ForbiddenError, UnauthorizedError } from '../http/errors/domain-error.js';
import type { GatehouseRequest } from '../http/request.js';
import { NOT_AN_OPERATION_METADATA } from '../http/not-an-operation.decorator.js';
import { AUTHENTICATION_METADATA } from './authenticated.decorator.js';
import { bearerTokenOf } from './bearer-token.js';
import { CredentialResolver } from './credential-resolver.js';
import { type CredentialKind, type Principal, userIdOf } from './principal.js';
import { RequestOrigin } from './request-origin.js';

/** A request whose caller is known. */
export interface AuthenticatedRequest extends GatehouseRequest {
  principal?: Principal;
}

/** The one guard: turns the credential of a request into a {@link Principal}, or refuses (SERVICE.md, section 5). */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(
    private readonly resolver: CredentialResolver,
    private readonly environment: Environment,
  ) {}

  /**
   * @throws UnauthorizedError for a credential that is missing, malformed or not accepted
   * @throws ForbiddenError for one of a kind that the operation does not take
   */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const operation = context.getHandler();
    request.operation = operation.name;
    if (Reflect.getMetadata(NOT_AN_OPERATION_METADATA, context.getClass()) === true) return true;
    const token = bearerTokenOf(request);
    if (token === undefined) {
      if (!this.environment.anonymousOperations.has(operation.name)) throw new UnauthorizedError('missing_credential');
      request.principal = { kind: 'anonymous', origin: new RequestOrigin(request) };
      return true;
    }
    const principal = await this.principalOf(token, new RequestOrigin(request));
    request.principal = principal;
    request.organizationId = principal.organizationId;
    request.callerUserId = userIdOf(principal);
    const kinds = Reflect.getMetadata(AUTHENTICATION_METADATA, operation) as CredentialKind[];
    if (!kinds.includes(principal.kind)) throw new ForbiddenError('credential_kind_not_allowed');
    return true;
  }

  private async principalOf(token: string, origin: RequestOrigin): Promise<Exclude<Principal, { kind: 'anonymous' }>> {
    const resolution = await this.resolver.resolve(token, origin);
    if ('refusal' in resolution) throw new UnauthorizedError(resolution.refusal);
    return resolution.principal;
  }
}
