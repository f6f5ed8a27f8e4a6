import { applyDecorators, HttpCode, SetMetadata } from '@nestjs/common';
import { ApiExtension, ApiOperation, ApiResponse } from '@nestjs/swagger';
import { errorMessageOf } from '../errors/error-envelope.js';
import { errorExample } from './error-example.js';
import { PUBLIC_STATUS_EXTENSION } from './public-statuses.js';
import { referenceTo, type SchemaClass } from '../schema/schema-registry.js';
import { ErrorResponse } from '../errors/error-response.dto.js';

/** What an operation answers, and how the document introduces it. */
export interface AnswerOptions {
  /** The status of success. */
  readonly status: number;
  /** The status of success under API_DIALECT=public, where it differs. */
  readonly publicStatus?: number;
  /** The body of success. */
  readonly type: SchemaClass;
  /** The media type of another form that a request may ask for: a text. */
  readonly alternative?: string;
  readonly summary: string;
  readonly description: string;
  /** The status while the database cannot be used: 503, or 500 where the statuses of an operation are laid down without it. */
  readonly unavailableStatus?: 500;
  /** The statuses of failure besides 401, 500 and 503. */
  readonly errors: readonly number[];
  /** By status, the reason that the document shows, where it is the operation's own (docs/api-design.md lists all). */
  readonly reasons?: Readonly<Record<number, string>>;
}

/** Where a route keeps its {@link AnswerOptions}. */
export const ANSWER_METADATA = 'gatehouse:answer';

/** Says what an operation answers: sets the status, and documents it with every error. */
export function Answers(options: AnswerOptions): MethodDecorator {
  const { unavailableStatus = 503 } = options;
  // What takes a body can be sent one that is too large, or compressed.
  const withBody = options.errors.includes(413) ? [415] : [];
  const statuses = new Set([...options.errors, ...withBody, 401, 500, unavailableStatus]);
  const errors = [...statuses].sort((one, other) => one - other);
  return applyDecorators(
    SetMetadata(ANSWER_METADATA, options),
    HttpCode(options.status),
    ApiOperation({ summary: options.summary, description: options.description }),
    ...(options.publicStatus === undefined ? [] : [ApiExtension(PUBLIC_STATUS_EXTENSION, options.publicStatus)]),
    ApiResponse({ status: options.status, description: 'Success', content: successContent(options) }),
    ...errors.map((status) =>
      ApiResponse({
        status,
        description: errorMessageOf(status),
        ...json(ErrorResponse, errorExample(status, options.reasons?.[status])),
      }),
    ),
  );
}

/** Whether the method that answers says 503 while the database cannot be used. @param handler undefined before one is found */
export function answersUnavailable(handler: object | undefined): boolean {
  const options = handler && (Reflect.getMetadata(ANSWER_METADATA, handler) as AnswerOptions | undefined);
  return options?.unavailableStatus === undefined;
}

function successContent({ type, alternative }: AnswerOptions): Record<string, { schema: object }> {
  return { ...json(type).content, ...(alternative !== undefined && { [alternative]: { schema: { type: 'string' } } }) };
}

function json(type: SchemaClass, example?: object): { content: Record<string, { schema: object; example?: object }> } {
  return { content: { 'application/json': { schema: referenceTo(type), ...(example && { example }) } } };
}
