import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { AuthenticatedRequest } from './authentication.guard.js';
import type { Principal } from './principal.js';

/** The principal that the guard has resolved the credential to. */
export const CurrentPrincipal = createParamDecorator(
  (_: undefined, context: ExecutionContext): Principal | undefined => {
    return context.switchToHttp().getRequest<AuthenticatedRequest>().principal;
  },
);
