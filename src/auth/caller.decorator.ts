import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { AuthenticatedRequest } from './authentication.guard.js';
import type { Principal } from './principal.js';

/** The principal that the guard found behind the credential. */
export const Caller = createParamDecorator((_: undefined, context: ExecutionContext): Principal | undefined => {
  return context.switchToHttp().getRequest<AuthenticatedRequest>().principal;
});
