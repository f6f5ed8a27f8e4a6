import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { ANSWER_METADATA, type AnswerOptions } from '../openapi/answers.decorator.js';
import { itemOf } from '../schema/answer-shapes.js';
import { schemaOf } from '../schema/schema-registry.js';
import { Dialect } from './dialect.js';

/** Speaks the public dialect in answers. Stands in the way of requests only where API_DIALECT=public asks for it. */
@Injectable()
export class DialectInterceptor implements NestInterceptor {
  constructor(private readonly dialect: Dialect) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const answer = Reflect.getMetadata(ANSWER_METADATA, context.getHandler()) as AnswerOptions | undefined;
    if (answer === undefined) return next.handle();
    if (answer.publicStatus !== undefined) context.switchToHttp().getResponse<Response>().status(answer.publicStatus);
    if (!this.dialect.concerns(schemaOf(itemOf(answer.type)))) return next.handle();
    return next.handle().pipe(map((body: { data: object | object[] }) => ({ ...body, data: this.write(body.data) })));
  }

  private write(data: object | object[]): object | object[] {
    return Array.isArray(data) ? data.map((item: object) => this.dialect.write(item)) : this.dialect.write(data);
  }
}
