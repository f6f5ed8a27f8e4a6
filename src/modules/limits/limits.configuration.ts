import { Injectable } from '@nestjs/common';
import { everyPage, type Fields, type KindContext, type ShownObject } from '../configuration/kinds/configured-kind.js';
import { ConfiguredKinds } from '../configuration/kinds/configured-kinds.js';
import { LocalKind } from '../configuration/kinds/served-kind.js';
import { listOf, referenceTo } from '../../http/openapi/named-schemas.js';
import { validateDto } from '../../http/validation/validate.js';
import { issuesInside, type IssueWithReason, joinPath } from '../../http/errors/issue.js';
import { canonicalJson } from '../../http/canonical-json.js';
import {
  CreateLimitExceptionRequest,
  CreateLimitRequest,
  type Limit,
  type LimitException,
  UpdateLimitRequest,
} from './dto/limit.dto.js';
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
