import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { RequestSlots } from '../request-limits/request-slots.js';
import { isPublic } from '../public.decorator.js';
import type { GatehouseRequest } from '../request.js';
import { RequestInput } from './request-input.js';

/**
 * Has the input of a request read and validated, and acquires a request slot of the organization. It runs after the
 * AuthenticationGuard and before pipes: a caller without a credential cannot make the service read a body. It is not an
 * interceptor, because RxJS in a global interceptor takes a twentieth of the time of a small request
 * (docs/adr/0002-validation.md).
 */
@Injectable()
export class RequestValidationGuard implements CanActivate {
  constructor(
    private readonly input: RequestInput,
    private readonly slots: RequestSlots,
  ) {}

  /** @throws BadRequestError with all issues of path, query and body */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (isPublic(context.getClass())) return true;
    await this.input.read(context);
    // After reading the body, so that a slow sender does not occupy a slot.
    await this.slots.take(context.switchToHttp().getRequest<GatehouseRequest>());
    return true;
  }
}
