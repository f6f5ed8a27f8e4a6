import { type DynamicModule, Module } from '@nestjs/common';
import { Environment } from './environment.js';

/** Provides the {@link Environment} to all modules. */
@Module({})
export class ConfigModule {
  static forRoot(environment: Environment): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: Environment, useValue: environment }],
      exports: [Environment],
    };
  }
}
