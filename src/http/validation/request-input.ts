import { clientSignal } from '../client-signal.js';
import { type ExecutionContext, Injectable } from '@nestjs/common';
import { validateDto } from './validate.js';
import { ModuleRef } from '@nestjs/core';
import { Environment } from '../../config/environment.js';
import { FairQueue } from '../../concurrency/fair-queue.js';
import { LoopTurns } from '../../concurrency/loop-turns.js';
import { Dialect } from '../dialect/dialect.js';
import type { IssueWithReason } from '../errors/issue.js';
import { MALFORMED_URL, TooManyUnfinishedBodies } from '../errors/request.errors.js';
import { bodyLimitOf, isInferenceBody } from '../input/body-limit.js';
import { BodyMemory, type BodyShare } from '../input/body-memory.js';
import { RequestMemories } from '../input/request-memory.js';
import { type BodyReading, hasBody, isOfType, paceIntake, readFormText, readJsonBody } from '../input/body-reader.js';
import { BodyWork } from '../input/body-work.js';
import { isFormBody, parseForm } from '../input/form-body.js';
import { isMultipartBody, MULTIPART_TYPE } from '../input/multipart-body.js';
import { readMultipart } from '../input/multipart-reader.js';
import { managedOperationOf } from '../managed-objects/managed-objects.js';
import { percentDecoded, type QueryReading, readQuery } from '../input/query-reader.js';
import { inspectText } from '../input/text-inspection.js';
import { operationOf } from '../openapi/operation.decorator.js';
import type { GatehouseRequest } from '../request.js';
import { isObject } from './constraints.js';
import { allowsAdditionalProperties, type DtoClass } from './dto-fields.js';
import { requestSourcesOf, type RequestSources } from './request-sources.js';
import { type BodyOrigin, requestRulesOf, rulesOf } from './rules.js';
import { requireNoIssues } from '../errors/require-all.js';
import { RequestValidationPipe } from './request-validation.pipe.js';

/** The issues found by each check, as a list of lists, because one of them may be too long to be spread into a call. */
type Findings = (readonly IssueWithReason[])[];

interface Input {
  /** Undefined if the operation takes none. */
  readonly body: unknown;
  readonly issues: readonly IssueWithReason[];
}

interface ExpectedBody {
  /** Whose turns of the event loop and memory it takes; undefined for a caller without a credential. */
  readonly organizationId: string | undefined;
  readonly type: DtoClass;
  readonly isOptional: boolean;
  /** The media types that it may have; undefined for that of JSON. */
  readonly types: readonly string[] | undefined;
  /** Media types that the body may have besides, in another class. */
  readonly otherTypes: readonly string[];
}

/** The most bytes of a body that is read while the credential is still looked up. */
const MAXIMUM_EARLY_BYTES = 65_536;

/**
 * Reads the path, query and body of a request, and validates them against the classes of `@Param()`, `@Query()` and `@Body()`, so that
 * one response contains the issues of all three (docs/interface/conventions.md).
 */
@Injectable()
export class RequestInput {
  /** By themselves, so that a body which arrives in many parts does not wait for work with each of them. */
  private readonly intake = new LoopTurns();
  /** How many bodies wait is bounded by the memory that they take. */
  private readonly veryLarge = new FairQueue({
    overload: TooManyUnfinishedBodies,
    concurrency: 1,
    concurrencyPerOrganization: 1,
    waitingPerOrganization: Infinity,
    retryAfterSeconds: 1,
  });
  private readonly sources = new WeakMap<object, RequestSources>();
  /** What was begun early. */
  private readonly begun = new WeakMap<GatehouseRequest, Promise<Input>>();
  private requestMemories: RequestMemories | undefined;

  constructor(
    private readonly dialect: Dialect,
    private readonly turns: LoopTurns,
    private readonly bodyMemory: BodyMemory,
    private readonly environment: Environment,
    private readonly pipe: RequestValidationPipe,
    private readonly modules: ModuleRef,
  ) {}

  /**
   * Begins to read the input of a request while its credential is looked up, if all of it has come and is small. What becomes of it
   * only {@link read} says, once the credential was accepted.
   *
   * @param organizationId that of the credential
   */
  beginEarly(context: ExecutionContext, organizationId: string): void {
    const request = context.switchToHttp().getRequest<GatehouseRequest>();
    if (!request.complete || request.readableLength > MAXIMUM_EARLY_BYTES) return;
    const reading = this.readFor(organizationId, context);
    this.begun.set(request, reading);
    // An error is thrown by read(), and must not end the process before.
    reading.catch(() => undefined);
  }

  /** Reads the input, which the request has from then on. @throws BadRequestError with all issues of path, query and body */
  async read(context: ExecutionContext): Promise<void> {
    const request = context.switchToHttp().getRequest<GatehouseRequest>();
    const { body, issues } = await (this.begun.get(request) ?? this.readFor(request.organizationId, context));
    // What was begun early did not know.
    request.heldMemory?.belongsTo(request.shareId ?? '');
    if (body !== undefined) request.body = body;
    requireNoIssues(issues);
  }

  /** @param organizationId undefined for a caller without a credential */
  private async readFor(organizationId: string | undefined, context: ExecutionContext): Promise<Input> {
    const controller = context.getClass();
    const handler = context.getHandler();
    const request = context.switchToHttp().getRequest<GatehouseRequest>();
    const { path, query, body } = this.sourcesOf(controller, handler);
    const found: Findings = [];
    let value: unknown;
    this.validatePath(request, path, found);
    const takesOverride = managedOperationOf(handler)?.isChange === true;
    this.readQuery(request, query, found, body !== undefined && allowsAdditionalProperties(body), takesOverride);
    if (body !== undefined) {
      const { optionalBody: isOptional = false, bodyTypes: types, multipartBody: form } = operationOf(handler) ?? {};
      const type = form !== undefined && isOfType(request, MULTIPART_TYPE) ? form : body;
      const otherTypes = form === undefined ? [] : [MULTIPART_TYPE];
      value = await this.readBody(request, { organizationId, type, isOptional, types, otherTypes }, found);
    }
    return { body: value, issues: found.flat() };
  }

  private sourcesOf(controller: { readonly prototype: object }, handler: { readonly name: string }): RequestSources {
    let sources = this.sources.get(handler);
    if (sources === undefined) {
      sources = requestSourcesOf(controller.prototype, handler.name);
      this.sources.set(handler, sources);
    }
    return sources;
  }

  private validatePath(request: GatehouseRequest, type: DtoClass | undefined, found: Findings): void {
    if (type === undefined) return;
    if (request.hasMalformedPath) found.push(malformedPartsOf(request.params));
    else found.push(inspectText(request.params), validateDto(type, request.params));
    this.pipe.accept(request.params);
  }

  /**
   * @param takesFurther whether parameters that no class declares are left alone, as further fields of the body are
   * @param takesOverride whether `override` is one, which no class declares either
   */
  private readQuery(
    request: GatehouseRequest,
    type: DtoClass | undefined,
    found: Findings,
    takesFurther: boolean,
    takesOverride: boolean,
  ): void {
    const separator = request.url.indexOf('?');
    if (separator === -1 && type === undefined) return;
    const { values: all, issues } = readQuery(separator === -1 ? '' : request.url.slice(separator + 1), type);
    const { override, ...others } = all;
    const values = takesOverride ? others : all;
    if (takesOverride && override !== undefined) {
      request.overridesFiles = override === 'true';
      if (override !== 'true' && override !== 'false') found.push([{ path: 'override', message: 'must be boolean' }]);
    }
    found.push(issues, inspectText(all));
    if (type !== undefined) found.push(validateDto(type, values, this.dialect.isPublic));
    else if (!takesFurther) found.push(Object.keys(values).map((path) => ({ path, message: 'is not a known field' })));
    // Overrides a getter of Express's prototype.
    Object.defineProperty(request, 'query', { value: values });
    this.pipe.accept(values);
  }

  private async readBody(
    request: GatehouseRequest,
    { organizationId, type, isOptional, types, otherTypes }: ExpectedBody,
    found: Findings,
  ): Promise<unknown> {
    let value: unknown;
    if (isOptional && !hasBody(request)) {
      value = {};
    } else {
      const limit = this.limitOf(type);
      const origin = { organizationId: organizationId ?? '', response: request.res! };
      paceIntake(request, () => this.intake.next(origin.organizationId));
      // Callers without an organization are identified by their address.
      const sender = organizationId ?? request.clientAddress ?? 'unknown';
      const share = this.shareOf(sender, request, type, limit);
      const work = new BodyWork(this.turns, this.veryLarge, origin);
      try {
        const reading = { ...(types && { types }), otherTypes, share, work };
        const parsed = await parsedBody(request, type, limit, reading, found);
        await work.turn();
        value = this.dialect.read(type, parsed);
        for (const list of await this.bodyIssues(value, type, origin, work)) {
          found.push(this.dialect.writePaths(type, list));
        }
      } finally {
        work.end();
      }
    }
    if (typeof value === 'object' && value !== null) this.pipe.accept(value);
    return value;
  }

  private async bodyIssues(value: unknown, type: DtoClass, origin: BodyOrigin, work: BodyWork): Promise<Findings> {
    const issues: Findings = [inspectText(value)];
    await work.turn();
    issues.push(validateDto(type, value, this.dialect.isPublic), this.dialect.formIssues(type, value));
    await work.turn();
    if (!isObject(value)) return issues;
    for (const rule of rulesOf(type)) issues.push(rule(value));
    const { organizationId, response } = origin;
    for (const rule of requestRulesOf(type)) {
      const ruleOrigin = { organizationId, signal: () => clientSignal(response) };
      issues.push(await this.modules.get(rule, { strict: false }).check(value, ruleOrigin));
    }
    return issues;
  }

  /** The most bytes of a body. A form has files, whose sizes the interface says; no deployment takes more than it has memory for. */
  private limitOf(type: DtoClass): number {
    const { inferenceBodyLimit, inferenceMemoryPerOrganization } = this.environment;
    if (!isInferenceBody(type)) return bodyLimitOf(type);
    return isMultipartBody(type) ? Math.min(bodyLimitOf(type), inferenceMemoryPerOrganization) : inferenceBodyLimit;
  }

  /** Looked up when it is first needed: the module that provides it is above this one. */
  private memories(): RequestMemories {
    this.requestMemories ??= this.modules.get<RequestMemories>(RequestMemories, { strict: false });
    return this.requestMemories;
  }

  /** The memory for a body: while it is read, and for one of inference for as long as its request is open. */
  private shareOf(sender: string, request: GatehouseRequest, type: DtoClass, limit: number): BodyShare {
    const share = this.bodyMemory.shareOf(sender);
    if (!isInferenceBody(type)) return share;
    const memory = this.memories().of({ owner: sender, member: request.shareId ?? '' }, request.res!);
    request.heldMemory = memory;
    const declaredLength = Number(request.headers['content-length'] ?? 0);
    // A body that is too large is refused for that.
    if (declaredLength > 0 && declaredLength <= limit) memory.take(declaredLength);
    const take = (bytes: number): void => {
      if (declaredLength === 0) memory.take(bytes);
      share.take(bytes);
    };
    return { take, hold: (bytes) => memory.holdParsed(bytes), release: () => share.release() };
  }
}

/** Reads a body as JSON, or as a form that an operation takes. @param found gets what is wrong with the fields of a form */
async function parsedBody(
  request: GatehouseRequest,
  type: DtoClass,
  limit: number,
  reading: BodyReading,
  found: Findings,
): Promise<unknown> {
  const form = await formIn(request, type, limit, reading);
  if (form === undefined) return readJsonBody(request, limit, reading);
  found.push(form.issues);
  return form.values;
}

/** The form of a request; undefined where the operation takes none. */
async function formIn(
  request: GatehouseRequest,
  type: DtoClass,
  limit: number,
  reading: BodyReading,
): Promise<QueryReading | undefined> {
  if (isMultipartBody(type)) return readMultipart(request, type, limit, reading.share);
  return isFormBody(type) ? parseForm(await readFormText(request, limit, reading), type) : undefined;
}

function malformedPartsOf(encoded: Readonly<Record<string, string | string[]>>): IssueWithReason[] {
  return Object.entries(encoded)
    .filter(([, text]) => percentDecoded(String(text)) === undefined)
    .map(([path]) => MALFORMED_URL.at(path));
}
