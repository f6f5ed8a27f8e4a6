import type { ProvisioningPrincipal } from '../../../auth/principal.js';

/** Who calls an operation, and what the head of the request says. */
export interface ScimCall {
  readonly caller: ProvisioningPrincipal;
  /** What stands before `/Users` in addresses of resources. */
  readonly base: string;
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}
