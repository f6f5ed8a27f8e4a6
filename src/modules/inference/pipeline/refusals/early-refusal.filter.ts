import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { DomainError } from '../../../../http/errors/domain-error.js';
import { ErrorFilter } from '../../../../http/errors/error.filter.js';
import type { AuthenticatedRequest } from '../../../../auth/authentication.guard.js';
import { EarlyRefusalsService, RECORDED_OPERATION_METADATA, type RecordedOperation } from './early-refusals.service.js';

/** Records what is refused before it reaches its controller, and lets every error be answered as those of all operations are. */
@Catch()
export class EarlyRefusalFilter implements ExceptionFilter {
  constructor(
    private readonly errors: ErrorFilter,
    private readonly refusals: EarlyRefusalsService,
  ) {}

  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const request = host.switchToHttp().getRequest<AuthenticatedRequest>();
    const response = host.switchToHttp().getResponse<Response>();
    const { principal: caller, handler } = request;
    // A request with an id has its record: it was refused after its controller was called.
    const isEarly = response.getHeader('X-Generation-Id') === undefined;
    if (isEarly && thrown instanceof DomainError && caller?.kind === 'api_key') {
      const operation = Reflect.getMetadata(RECORDED_OPERATION_METADATA, handler!) as RecordedOperation;
      await this.refusals.refuse({ caller, request, response, error: thrown }, operation);
    }
    this.errors.catch(thrown, host);
  }
}
