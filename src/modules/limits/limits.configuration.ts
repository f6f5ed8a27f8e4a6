import { Injectable } from '@nestjs/common';
import {
  everyPage,
  type Fields,
  type KindContext,
  type ObjectAnswer,
  type ShownObject,
} from '../configuration/kinds/configured-kind.js';
import { ConfiguredKinds } from '../configuration/kinds/configured-kinds.js';
import { LocalKind } from '../configuration/kinds/served-kind.js';
import { isObject } from '../../http/validation/constraints.js';
import type { PlaceOfName } from '../configuration/document/names-within.js';
import { listOf, referenceTo } from '../../http/openapi/named-schemas.js';
import { validateDto } from '../../http/validation/validate.js';
import { issuesInside, type IssueWithReason, joinPath } from '../../http/errors/issue.js';
import { requireNoIssues } from '../../http/errors/require-all.js';
import type { Precondition } from '../../http/precondition.js';
import { canonicalJson } from '../../http/canonical-json.js';
import {
  CreateLimitExceptionRequest,
  CreateLimitRequest,
  type Limit,
  type LimitException,
  UpdateLimitRequest,
} from './dto/limit.dto.js';
import { issuesOfConditions } from './dto/limit-rules.js';
import { LimitExceptionsService } from './limit-exceptions.service.js';
import { LimitsService } from './limits.service.js';

/** What a file has of an exception. */
type ExceptionInFile = Pick<LimitException, 'values' | 'amount' | 'until'>;

/** Limits with their exceptions as files configure them (docs/configuration.md). */
@Injectable()
export class LimitsConfiguration extends LocalKind {
  readonly section = 'limits';
  readonly one = 'limit';
  readonly permission = 'limits_write';
  override readonly workspace = 'none';
  readonly creation = CreateLimitRequest;
  readonly change = UpdateLimitRequest;
  override readonly namesWithin = { conditions: placesInConditions, exceptions: placesInExceptions };
  override readonly further = {
    exceptions: {
      schema: listOf('Other amounts for some values.', referenceTo(CreateLimitExceptionRequest.name)),
      items: CreateLimitExceptionRequest,
      issues: issuesOfExceptions,
      read: (context: KindContext, shown: ShownObject) => this.exceptionsOf(context, shown),
      write: (context: KindContext, shown: ShownObject, wanted: unknown) =>
        this.setExceptions(context, shown, wanted as CreateLimitExceptionRequest[]),
    },
  };

  constructor(
    kinds: ConfiguredKinds,
    protected readonly service: LimitsService,
    private readonly exceptions: LimitExceptionsService,
  ) {
    super();
    kinds.add(this);
  }

  /** @throws BadRequestError for conditions that contradict each other by two names of one object */
  protected override async make(
    context: KindContext,
    input: Fields,
    secret: string | undefined,
  ): Promise<ObjectAnswer> {
    requireNoIssues(issuesOfConditions(input));
    return super.make(context, input, secret);
  }

  /** @throws BadRequestError as {@link make} */
  override async update(context: KindContext, id: string, input: Fields, precondition: Precondition): Promise<unknown> {
    requireNoIssues(issuesOfConditions(input));
    return super.update(context, id, input, precondition);
  }

  override warnings(before: Fields, after: Fields): readonly string[] {
    const [was, is] = [before['amount'], after['amount']] as [number, number];
    return is < was ? [`lowers what may be used from ${was} to ${is}: what is above it now is refused`] : [];
  }

  private async stored({ caller }: KindContext, shown: ShownObject): Promise<LimitException[]> {
    return everyPage((page) => this.exceptions.list(caller, { ...page, id: (shown as Limit).id }));
  }

  private async exceptionsOf(context: KindContext, shown: ShownObject): Promise<ExceptionInFile[]> {
    return inOrder((await this.stored(context, shown)).map(({ values, amount, until }) => ({ values, amount, until })));
  }

  /** An exception is not changed: it goes, and another one comes. */
  private async setExceptions(
    context: KindContext,
    shown: ShownObject,
    wanted: readonly CreateLimitExceptionRequest[],
  ): Promise<void> {
    const { caller } = context;
    const { id } = shown as Limit;
    const missing = new Map(wanted.map((one) => [textOf(one), one]));
    for (const stored of await this.stored(context, shown)) {
      if (!missing.delete(textOf(stored))) await this.exceptions.delete(caller, { id, exception_id: stored.id });
    }
    for (const one of missing.values()) await this.exceptions.create(caller, { ...one, id });
  }
}

/** The sections of the objects whose ids are the values of a key (docs/interface/limits.md#keys). */
const SECTIONS: ReadonlyMap<unknown, string> = new Map([
  ['api_key', 'keys'],
  ['workspace', 'workspaces'],
  ['member', 'members'],
]);

function placesInConditions(conditions: unknown): PlaceOfName[] {
  return objectsOf(conditions).flatMap(([index, condition]) => {
    const to = SECTIONS.get(condition['key']);
    if (to === undefined) return [];
    return ['values', 'excludes'].flatMap((field) => {
      const values = condition[field];
      return Array.isArray(values) ? values.map((_, place) => ({ to, path: [index, field, place] })) : [];
    });
  });
}

function placesInExceptions(exceptions: unknown): PlaceOfName[] {
  return objectsOf(exceptions).flatMap(([index, { values }]) => {
    if (!isObject(values)) return [];
    return Object.keys(values).flatMap((key) => {
      const to = SECTIONS.get(key);
      return to === undefined ? [] : [{ to, path: [index, 'values', key] }];
    });
  });
}

/** The objects of a list, with their places. */
function objectsOf(list: unknown): (readonly [number, Fields])[] {
  if (!Array.isArray(list)) return [];
  return (list as unknown[]).flatMap((one, index) => (isObject(one) ? [[index, one] as const] : []));
}

/** Two exceptions with the same text are one. */
function textOf({ values, amount, until }: Pick<CreateLimitExceptionRequest, 'values' | 'amount' | 'until'>): string {
  return canonicalJson([values, amount, until == null ? null : new Date(until).toISOString()]);
}

function inOrder(exceptions: readonly ExceptionInFile[]): ExceptionInFile[] {
  return exceptions
    .map((one) => ({ text: textOf(one), one }))
    .sort((one, other) => (one.text < other.text ? -1 : 1))
    .map(({ one }) => one);
}

function issuesOfExceptions(value: unknown): IssueWithReason[] {
  if (!Array.isArray(value)) return [{ path: '', message: 'must be array' }];
  return (value as unknown[]).flatMap((one, index) =>
    issuesInside(joinPath('', index), validateDto(CreateLimitExceptionRequest, one)),
  );
}
