import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import { BadRequestError } from '../errors/bad-request-error.js';
import { issuesOf } from './validate.js';

/**
 * The global ValidationPipe. Values that RequestInput has validated pass unchanged, because a pipe
 * sees only one parameter at a time, but a response contains the issues of path, query and body together. Any other
 * parameter is validated here.
 */
@Injectable()
export class RequestValidationPipe extends ValidationPipe {
  private readonly validated = new WeakSet();

  constructor() {
    super({
      whitelist: true,
      forbidNonWhitelisted: true,
      exceptionFactory: (errors) => BadRequestError.of(errors.flatMap((error) => issuesOf(error))),
    });
  }

  /** Marks a value as validated. */
  accept(value: object): void {
    this.validated.add(value);
  }

  /** @throws BadRequestError for a value that is not valid */
  override transform(value: object, metadata: ArgumentMetadata): Promise<unknown> {
    return this.validated.has(value) ? Promise.resolve(value) : super.transform(value, metadata);
  }
}
