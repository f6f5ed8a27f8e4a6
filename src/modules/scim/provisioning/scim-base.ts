import { Injectable } from '@nestjs/common';
import type { AuthenticatedRequest } from '../../../auth/authentication.guard.js';
import type { ProvisioningPrincipal } from '../../../auth/principal.js';
import { Environment } from '../../../config/environment.js';
import type { GatehouseRequest } from '../../../http/request.js';

/** Where directories reach the interface: PUBLIC_URL, or the host that the request names. */
@Injectable()
export class ScimBase {
  constructor(private readonly environment: Environment) {}

  /** What stands before `/Users`, as absolute URL. */
  of(request: GatehouseRequest): string {
    const { publicUrl, apiBasePath } = this.environment;
    const origin = publicUrl ?? `${request.protocol}://${request.headers.host ?? 'localhost'}`;
    return `${origin}${apiBasePath}/scim/v2`;
  }

  /** Who calls, from where. @param request of an operation that takes provisioning tokens alone */
  callOf(request: AuthenticatedRequest): ScimCall {
    const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers;
    return { caller: request.principal as ProvisioningPrincipal, base: this.of(request), ifMatch, ifNoneMatch };
  }
}

/** Who calls an operation, and what the head of the request says. */
export interface ScimCall {
  readonly caller: ProvisioningPrincipal;
  /** What stands before `/Users` in addresses of resources. */
  readonly base: string;
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}
