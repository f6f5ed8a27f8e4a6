import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Environment } from '../config/environment.js';
import type { GatehouseRequest } from '../http/request.js';
import { CredentialResolver } from './credential-resolver.js';
import type { Permission } from './permissions.js';
import {
  type ApiKeyPrincipal,
  isManagement,
  type ManagementPrincipal,
  type Principal,
  RequestOrigin,
} from './principal.js';
import { SessionResolver } from './session-resolver.js';

/** Looks at callers of requests that go on for long: a key may be revoked meanwhile, a session end, a role change. */
@Injectable()
export class StandingCallers {
  constructor(
    private readonly modules: ModuleRef,
    private readonly environment: Environment,
  ) {}

  /**
   * Whether the caller would still be accepted, for what it reached when the request came.
   *
   * @param permission what the operation needs
   */
  async isStill(request: GatehouseRequest, before: ManagementPrincipal, permission: Permission): Promise<boolean> {
    const now = await this.callerOf(request);
    return (
      now !== undefined &&
      isManagement(now) &&
      now.organizationId === before.organizationId &&
      now.userId === before.userId &&
      now.onlyOwn === before.onlyOwn &&
      now.permissions.has(permission)
    );
  }

  /** Whether the key of a request would still be accepted. */
  async isStillKey(request: GatehouseRequest, before: ApiKeyPrincipal): Promise<boolean> {
    const now = await this.callerOf(request);
    return now?.kind === 'api_key' && now.credentialId === before.credentialId;
  }

  private async callerOf(request: GatehouseRequest): Promise<Principal | undefined> {
    if (request.isFromConsole === true) {
      const sessions = this.modules.get(SessionResolver, { strict: false });
      return (await sessions.ofRequest(request, this.environment))?.session;
    }
    const resolver = this.modules.get(CredentialResolver, { strict: false });
    const resolution = await resolver.resolve(request.credentialSecret!, new RequestOrigin(request));
    return 'principal' in resolution ? resolution.principal : undefined;
  }
}
