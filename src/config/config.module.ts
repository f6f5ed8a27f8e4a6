import { type DynamicModule, Module } from '@nestjs/common';
import { Environment } from './environment.js';

/** Gives every other module the one {@link Environment}. */
@Module({})
export class ConfigModule {
  static with(environment: Environment): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: Environment, useValue: environment }],
      exports: [Environment],
    };
  }
}
