import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { Rendition } from './rendition.js';

/** Makes a rendition of what an operation answers, where it has not made one itself. */
@Injectable()
export class RevalidationInterceptor implements NestInterceptor<object, Rendition> {
  intercept(_context: ExecutionContext, next: CallHandler<object>): Observable<Rendition> {
    return next.handle().pipe(map((body) => (body instanceof Rendition ? body : Rendition.ofJson(body))));
  }
}
