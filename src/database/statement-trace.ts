import { Injectable, Optional } from '@nestjs/common';
import { type AfterQueryEvent, DataSource, type EntitySubscriberInterface } from 'typeorm';
import { Tracing } from '../http/tracing/tracing.js';

/** Lets traces know of the statements that TypeORM makes, which have no name: of each its first word. */
@Injectable()
export class StatementTrace implements EntitySubscriberInterface {
  constructor(
    dataSource: DataSource,
    @Optional() private readonly tracing?: Tracing,
  ) {
    if (tracing !== undefined) dataSource.subscribers.push(this);
  }

  /** TypeORM calls this when a statement has ended, either way. */
  afterQuery({ query, executionTime, error }: AfterQueryEvent): void {
    const name = /\w+/.exec(query)?.[0].toUpperCase() ?? 'statement';
    this.tracing?.finishedStatement({ name, durationMs: executionTime ?? 0, failure: error });
  }
}
