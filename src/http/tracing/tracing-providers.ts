import type { Provider } from '@nestjs/common';
import type { Environment } from '../../config/environment.js';
import type { ServiceLogger } from '../logging/service-logger.js';
import { Tracing } from './tracing.js';

/** What traces are made with where the configuration asks for them; otherwise nothing, not even the library. */
export function tracingProviders(environment: Environment, logger: ServiceLogger): Provider[] {
  if (environment.otlpEndpoint === undefined) return [];
  const useFactory = async (): Promise<Tracing> => {
    const { openTracing } = await import('./otlp-tracing.js');
    return openTracing(environment, logger);
  };
  return [{ provide: Tracing, useFactory }];
}
