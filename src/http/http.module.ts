import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR } from '@nestjs/core';
import type { Environment } from '../config/environment.js';
import { Dialect } from './dialect/dialect.js';
import { DialectInterceptor } from './dialect/dialect.interceptor.js';
import { ErrorFilter } from './errors/error.filter.js';
import { HealthController } from './health/health.controller.js';
import { Readiness } from './health/readiness.js';
import { BodyMemory } from './input/body-memory.js';
import { InputPipe } from './input/input.pipe.js';
import { ServiceLogger } from './logging/service-logger.js';
import { tracingProviders } from './tracing/tracing-providers.js';
import { metricsProviders } from './metrics/metrics-providers.js';

/** What lies between the socket and every controller. */
@Module({})
export class HttpModule {
  static with(environment: Environment, logger: ServiceLogger): DynamicModule {
    const tracing = tracingProviders(environment, logger);
    return {
      module: HttpModule,
      global: true,
      controllers: [HealthController],
      providers: [
        { provide: ServiceLogger, useValue: logger },
        { provide: APP_FILTER, useClass: ErrorFilter },
        // In SERVICE.md's own dialect there is nothing to translate, and no interceptor in the way.
        ...(environment.apiDialect === 'public' ? [{ provide: APP_INTERCEPTOR, useClass: DialectInterceptor }] : []),
        ...metricsProviders(environment),
        ...tracing,
        Dialect,
        BodyMemory,
        InputPipe,
        Readiness,
      ],
      exports: [...tracing, ServiceLogger, Dialect, BodyMemory, InputPipe, Readiness],
    };
  }
}
