import { applyDecorators, HttpCode, RequestMethod, SetMetadata, UseInterceptors } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import {
  ApiBody,
  ApiConsumes,
  ApiExtension,
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiQuery,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { ManagedObjectsInterceptor } from '../managed-objects/managed-objects.interceptor.js';
import { managedOperationOf } from '../managed-objects/managed-objects.js';
import { ObjectManagedByFiles } from '../managed-objects/managed-objects.errors.js';
import { PreconditionFailed } from '../precondition.errors.js';
import type { ErrorKind } from '../errors/domain-error.js';
import type { ErrorEnvelope } from '../errors/error-envelope.js';
import { ErrorResponse } from '../errors/error-response.dto.js';
import { bodyLimitOf } from '../input/body-limit.js';
import { AnswerInterceptor } from '../idempotency/answer.interceptor.js';
import { IDEMPOTENCY_ERRORS } from '../idempotency/idempotency.errors.js';
import { IDEMPOTENCY_KEY_PATTERN } from '../idempotency/idempotency-key.js';
import { FORM_TYPE, isFormBody } from '../input/form-body.js';
import { isMultipartBody, MULTIPART_TYPE } from '../input/multipart-body.js';
import type { EventAnswer } from '../event-answer.js';
import type { TextAnswer } from '../text-answer.js';
import type { Representation } from '../conditional-requests.js';
import type { DtoClass } from '../validation/dto-fields.js';
import { requestSourcesOf, type RequestSources } from '../validation/request-sources.js';
import type { SchemaReference } from './named-schemas.js';
import { NoContent } from './response-envelopes.js';
import { errorDescription, errorExample, generalErrors } from './documented-errors.js';
import { IDENTITY_EXTENSION } from './permission-extension.js';
import { PUBLIC_STATUS_EXTENSION } from './public-statuses.js';

/** Where an operation of the document says how large its body may be, in bytes. */
const BODY_LIMIT_EXTENSION = 'x-body-limit-bytes';

/** Where an operation names the schema of its body as multipart/form-data; it stands in the body once the document is generated. */
export const MULTIPART_EXTENSION = 'x-multipart-body';

/** Writes failures of an operation in the form of another interface, whose clients call it. */
export interface ErrorWriter {
  /** The body of a failure. */
  readonly type: DtoClass;
  /**
   * Writes the body.
   *
   * @param generationId the id of the request's record; null before there is one
   */
  readonly write: (envelope: ErrorEnvelope, generationId: string | null) => object;
  /** The media type of the body with its parameters; that of JSON if absent. */
  readonly contentType?: string;
  /** Whether its clients repeat a 401 for minutes, as if their login were being renewed, unless they are told not to. */
  readonly repeats401?: boolean;
  /** Whether a failure says what is wrong, as those of inference do, rather than what its status says. */
  readonly explains?: boolean;
}

/** Bodies to try an operation with, by name. */
export type BodyExamples = Readonly<Record<string, { readonly summary: string; readonly value: object }>>;

/** What an operation answers, and how the document introduces it. */
export interface OperationOptions<Answer extends object = object> {
  /** The status of success; 200 if absent. */
  readonly status?: number;
  /** The status of success under API_DIALECT=public, where it differs. */
  readonly publicStatus?: number;
  /** Whether the request's body may be left out altogether, which is then taken for an object without fields. */
  readonly optionalBody?: boolean;
  /** The media types that the request's body may have, in lower case; `application/json` if absent. */
  readonly bodyTypes?: readonly string[];
  /** The class of the request's body where it comes as multipart/form-data; absent where it is JSON alone. */
  readonly multipartBody?: DtoClass;
  /** The body of success; `NoContent` with a 204. */
  readonly type: DtoClass<Answer>;
  /**
   * Whether callers need no credential, and one that they send is not looked at: of what the public reads, and where the request itself
   * has the proof. Such operations have no `@Authenticated`.
   */
  readonly needsNoCredential?: boolean;
  /** The body of success in the form of other clients, who ask for it by a header. */
  readonly otherForm?: DtoClass;
  /** The media type of success, of a body with one `type` a line; JSON by default. */
  readonly mediaType?: string;
  /** The media types of an answer that is no JSON but bytes, in place of `type`; absent for JSON. */
  readonly binaryTypes?: readonly string[];
  /** The media type of another form that a request may ask for: a text. */
  readonly alternative?: string;
  /** An event of the answer as server-sent events, for operations that a request may ask for a stream. */
  readonly streamEvent?: SchemaReference;
  /**
   * Whether clients of inference call it, who show nothing but the message, and know the kind of an error by `error_type`: the
   * message of a 400 names what is wrong, and the metadata of every refusal has the word (docs/interface/inference.md#refusals).
   */
  readonly isInference?: boolean;
  /** Whether it changes nothing, whatever its method: it takes no Idempotency-Key. */
  readonly isSafe?: boolean;
  /**
   * Whether it decides who a person or a workload is, or makes a credential that may do everything: besides its own permission it takes all
   * others, and of a person a recent sign-in (docs/interface/permissions.md#who-a-person-is).
   */
  readonly decidesIdentity?: boolean;
  /** Whether its object has an entity tag: answers carry it, and changes take `If-Match`. */
  readonly hasEntityTag?: boolean;
  /** What writes its failures; by default they have the form of every operation. */
  readonly errorWriter?: ErrorWriter;
  readonly summary: string;
  readonly description: string;
  /** False for an operation of another interface ({@link OperationOfProtocol}). */
  readonly isDocumented?: boolean;
  /** Bodies that the documentation offers to try; by default one, of the examples of the fields. */
  readonly examples?: BodyExamples;
  /** The status while the database cannot be used: 503, or 500 where the contract of an operation has no 503. */
  readonly unavailableStatus?: 500;
  /**
   * The operation's own errors; of several with one status the document shows the first as an example, except for a 400, whose example
   * fits every operation. Those that come from what it takes ({@link generalErrors}) are not named here, nor need kinds of issues be.
   */
  readonly errors?: readonly ErrorKind[];
}

const OPERATION_METADATA = 'gatehouse:operation';

/** What an operation returns: its answer, a text that it has made of one, or events; nothing if it writes the answer itself. */
type Handler<Answer> = (
  ...input: never[]
) => Answer | Promise<Answer | Representation | TextAnswer | EventAnswer> | Promise<void>;

/** Decorates a method that answers as its operation declares; the compiler refuses any other. */
export type OperationDecorator<Answer> = <Method extends Handler<Answer>>(
  prototype: object,
  method: string | symbol,
  descriptor: TypedPropertyDescriptor<Method>,
) => void;

/** Declares a method of a controller as an operation: sets the status of success, and documents it with every error. */
export function Operation<Answer extends object>(options: OperationOptions<Answer>): OperationDecorator<Answer> {
  const { status = 200, summary, description, publicStatus } = options;
  return (prototype, method, descriptor) => {
    const sources = requestSourcesOf(prototype, String(method));
    const general = [...(options.errors ?? []), ...generalErrors(sources, options)];
    applyDecorators(
      SetMetadata(OPERATION_METADATA, {
        ...options,
        // Read later, because the decorator with the verb comes after this one.
        get errors(): readonly ErrorKind[] {
          return [...general, ...errorsOfChange(descriptor.value!, options)];
        },
      }),
      ...(options.isInference === true || options.isSafe === true
        ? []
        : [UseInterceptors(AnswerInterceptor, ManagedObjectsInterceptor)]),
      HttpCode(status),
      ApiOperation({ summary, description }),
      ApiExtraModels(...modelsOf(options)),
      ...documentationOfBody(sources, options),
      ...(options.needsNoCredential === true ? [ApiExtension('x-credentials', [])] : []),
      ...(options.decidesIdentity === true ? [ApiExtension(IDENTITY_EXTENSION, true)] : []),
      ...(publicStatus === undefined ? [] : [ApiExtension(PUBLIC_STATUS_EXTENSION, publicStatus)]),
    )(prototype, method, descriptor);
  };
}

const COMPLETED = 'gatehouse:documentation-completed';

/** Documents of an operation what depends on its verb, whose decorator comes after {@link Operation}: before a document is made. */
export function completeDocumentation(prototype: object, method: string): void {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, method)!;
  const handler = descriptor.value as object;
  const options = operationOf(handler);
  if (options === undefined || Reflect.hasMetadata(COMPLETED, handler)) return;
  const { status = 200, errors = [], hasEntityTag = false } = options;
  const headers = hasEntityTag && verbOf(handler) !== RequestMethod.DELETE && { headers: { ETag: ENTITY_TAG } };
  applyDecorators(
    SetMetadata(COMPLETED, true),
    ApiResponse({
      status,
      description: 'Success',
      ...((options.type !== NoContent || options.binaryTypes !== undefined) && { content: successContent(options) }),
      ...headers,
    }),
    ...documentationOfErrors(errors, options),
    ...(isChange(handler, options) ? [ApiHeader(IDEMPOTENCY_KEY)] : []),
    ...(takesIfMatch(handler, options) ? [ApiHeader(IF_MATCH)] : []),
    ...(managedOperationOf(handler)?.isChange === true ? [ApiQuery(OVERRIDE)] : []),
  )(prototype, method, descriptor);
}

const ENTITY_TAG = {
  description: 'The entity tag of the settings of the object, for `If-Match`.',
  schema: { type: 'string' },
} as const;

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  required: false,
  description:
    'A text of 1 to 255 characters that no other request has, such as a UUID. A repetition within 24 hours gets the answer of the first request, with `Idempotent-Replayed: true`, and changes nothing.',
  schema: { type: 'string', minLength: 1, pattern: IDEMPOTENCY_KEY_PATTERN },
  example: '0199f2f0-6d5e-7a52-b3c1-2f6c1c8f0a11',
} as const;

const IF_MATCH = {
  name: 'If-Match',
  required: false,
  description:
    'The `ETag` of the object as the caller knows it. If it has been changed since, nothing is done, and the status is 412.',
  schema: { type: 'string' },
  example: '"cgA3tkXNpRSMAjVqUUZfPV3qwtI"',
} as const;

const OVERRIDE = {
  name: 'override',
  required: false,
  description: 'Whether the object is changed although files configure it, which is a 409 otherwise.',
  schema: { type: 'boolean', example: true },
} as const;

function verbOf(handler: object): RequestMethod {
  return Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
}

/** Whether an operation may change something, so that it takes an Idempotency-Key. */
function isChange(handler: object, { isInference, isSafe }: OperationOptions): boolean {
  return verbOf(handler) !== RequestMethod.GET && isInference !== true && isSafe !== true;
}

/** Whether an operation changes an object that has an entity tag. */
function takesIfMatch(handler: object, { hasEntityTag }: OperationOptions): boolean {
  return hasEntityTag === true && ![RequestMethod.GET, RequestMethod.POST].includes(verbOf(handler));
}

/** The errors of the headers that an operation takes because it changes something. */
function errorsOfChange(handler: object, options: OperationOptions): ErrorKind[] {
  return [
    ...(isChange(handler, options) ? IDEMPOTENCY_ERRORS : []),
    ...(takesIfMatch(handler, options) ? [PreconditionFailed] : []),
    ...(managedOperationOf(handler)?.isChange === true ? [ObjectManagedByFiles] : []),
  ];
}

/**
 * Declares a method of a controller as an operation of another interface, which describes itself and is not in the document. Its
 * failures have the form of that interface.
 */
export function OperationOfProtocol(
  options: Required<Pick<OperationOptions, 'bodyTypes' | 'errorWriter' | 'errors'>>,
): MethodDecorator {
  return (prototype, method, descriptor: PropertyDescriptor) => {
    const undocumented = {
      ...options,
      errors: [...options.errors, ...generalErrors(requestSourcesOf(prototype, String(method)), {})],
      type: options.errorWriter.type,
      summary: '',
      description: '',
      isDocumented: false,
    };
    applyDecorators(SetMetadata(OPERATION_METADATA, undocumented), HttpCode(200))(prototype, method, descriptor);
  };
}

/** What a handler declares with {@link Operation}, with all of its errors; undefined for a route that is no operation. */
export function operationOf(handler: object): OperationOptions | undefined {
  return Reflect.getMetadata(OPERATION_METADATA, handler) as OperationOptions | undefined;
}

/** The classes of bodies that an operation names, which the document has to describe. */
function modelsOf(options: OperationOptions): (new () => object)[] {
  const { type, otherForm = type, multipartBody = type } = options;
  const bodies = [type, errorTypeOf(options), otherForm, multipartBody];
  return bodies.filter((type) => type !== NoContent) as (new () => object)[];
}

function documentationOfBody(
  { body }: RequestSources,
  { optionalBody = false, examples, multipartBody }: OperationOptions,
): MethodDecorator[] {
  if (body === undefined) return [];
  const limit = Math.max(bodyLimitOf(body), multipartBody === undefined ? 0 : bodyLimitOf(multipartBody));
  const description = `At most ${limit.toLocaleString('en-US')} bytes, not compressed.`;
  return [
    ApiBody({
      type: body as new () => object,
      required: !optionalBody,
      description,
      ...(examples && { examples }),
    }),
    ...(isFormBody(body) ? [ApiConsumes(FORM_TYPE)] : []),
    ...(isMultipartBody(body) ? [ApiConsumes(MULTIPART_TYPE)] : []),
    ...(multipartBody === undefined ? [] : [ApiExtension(MULTIPART_EXTENSION, getSchemaPath(multipartBody))]),
    ApiExtension(BODY_LIMIT_EXTENSION, limit),
  ];
}

function documentationOfErrors(errors: readonly ErrorKind[], options: OperationOptions): MethodDecorator[] {
  const statuses = new Set([...errors.map(({ status }) => status), 500]);
  return [...statuses]
    .sort((one, other) => one - other)
    .map((status) => {
      const shown = errors.find((error) => error.status === status);
      const example = errorExample(status, shown?.reason, options.isInference);
      const content = json(errorTypeOf(options), options.errorWriter?.write(example, null) ?? example);
      return ApiResponse({ status, description: errorDescription(status, errors, options.isInference), content });
    });
}

function errorTypeOf({ errorWriter }: OperationOptions): DtoClass {
  return errorWriter?.type ?? ErrorResponse;
}

interface Reference {
  readonly $ref: string;
}

type Content = Record<
  string,
  { schema: Reference | { oneOf: Reference[] } | { type: 'string'; format?: 'binary' }; example?: object }
>;

function successContent(options: OperationOptions): Content {
  const { type, otherForm, mediaType, alternative, binaryTypes, streamEvent } = options;
  if (binaryTypes !== undefined) {
    return Object.fromEntries(binaryTypes.map((name) => [name, { schema: { type: 'string', format: 'binary' } }]));
  }
  if (mediaType !== undefined) return { [mediaType]: { schema: { $ref: getSchemaPath(type) } } };
  const forms = [type, ...(otherForm === undefined ? [] : [otherForm])].map((form) => ({ $ref: getSchemaPath(form) }));
  const body = forms.length === 1 ? json(type) : { 'application/json': { schema: { oneOf: forms } } };
  return {
    ...body,
    ...(alternative !== undefined && { [alternative]: { schema: { type: 'string' } } }),
    ...(streamEvent !== undefined && { 'text/event-stream': { schema: streamEvent } }),
  };
}

function json(type: DtoClass, example?: object): Content {
  const schema = { $ref: getSchemaPath(type) };
  return { 'application/json': { schema, ...(example && { example }) } };
}
