import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import type { Environment } from '../config/environment.js';
import { IssuerTransport } from './addresses/issuer-transport.js';
import { Dialect, DialectInterceptor } from './dialect/dialect.js';
import { ConstraintErrors } from './errors/constraint-errors.js';
import { ErrorFilter } from './errors/error.filter.js';
import { HealthController } from './health/health.controller.js';
import { Readiness } from './health/readiness.js';
import { BrokenAnswers, type BrokenAnswerWaits } from './broken-answers.js';
import { BodyMemory } from './input/body-memory.js';
import { RequestInput } from './validation/request-input.js';
import { RequestValidationGuard } from './validation/request-validation.guard.js';
import { RequestValidationPipe } from './validation/request-validation.pipe.js';
import { ServiceLogger } from '../telemetry/logging/service-logger.js';
import { tracingProviders } from '../telemetry/tracing/tracing-setup.js';
import { metricsProviders } from '../telemetry/metrics/metrics-setup.js';
import { metricsEndpoints } from './metrics/metrics-routes.js';
import { RequestRateLimit } from './request-limits/request-rate-limit.js';
import { RequestSlots } from './request-limits/request-slots.js';

/** Everything between the socket and the controllers. */
@Module({})
export class HttpModule {
  static forRoot(environment: Environment, logger: ServiceLogger, brokenAnswers?: BrokenAnswerWaits): DynamicModule {
    const tracing = tracingProviders(environment, logger);
    const metrics = metricsProviders(environment);
    return {
      module: HttpModule,
      global: true,
      controllers: [HealthController],
      providers: [
        { provide: ServiceLogger, useValue: logger },
        ErrorFilter,
        { provide: APP_FILTER, useExisting: ErrorFilter },
        RequestValidationPipe,
        RequestInput,
        { provide: APP_GUARD, useClass: RequestValidationGuard },
        { provide: APP_PIPE, useExisting: RequestValidationPipe },
        // The default dialect needs no translation.
        ...(environment.apiDialect === 'public' ? [{ provide: APP_INTERCEPTOR, useClass: DialectInterceptor }] : []),
        ...metrics,
        ...metricsEndpoints(environment),
        RequestRateLimit,
        RequestSlots,
        ...tracing,
        Dialect,
        { provide: BrokenAnswers, useValue: new BrokenAnswers(brokenAnswers) },
        BodyMemory,
        ConstraintErrors,
        IssuerTransport,
        Readiness,
      ],
      exports: [
        ...tracing,
        ...metrics,
        RequestRateLimit,
        RequestSlots,
        ServiceLogger,
        ErrorFilter,
        BrokenAnswers,
        Dialect,
        RequestInput,
        ConstraintErrors,
        IssuerTransport,
        Readiness,
      ],
    };
  }
}
