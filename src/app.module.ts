import { type DynamicModule, Module } from '@nestjs/common';
import { AuthModule } from './auth/auth.module.js';
import { ConfigModule } from './config/config.module.js';
import type { Environment } from './config/environment.js';
import { DatabaseModule } from './database/database.module.js';
import { HttpModule } from './http/http.module.js';
import type { ServiceLogger } from './http/logging/service-logger.js';
import { LimitsModule } from './limits/limits.module.js';
import { AuditModule } from './modules/audit/audit.module.js';
import { CatalogModule } from './modules/catalog/catalog.module.js';
import { GuardrailsModule } from './modules/guardrails/guardrails.module.js';
import { InstallationModule } from './modules/installation/installation.module.js';
import { KeysModule } from './modules/keys/keys.module.js';
import { ObservabilityModule } from './modules/observability/observability.module.js';
import { OrganizationsModule } from './modules/organizations/organizations.module.js';
import { PresetsModule } from './modules/presets/presets.module.js';
import { ScimModule } from './modules/scim/scim.module.js';
import { WorkspacesModule } from './modules/workspaces/workspaces.module.js';

/** What a process needs before it can be put together. */
export interface ProcessContext {
  readonly environment: Environment;
  /** The URL of a database that is migrated. */
  readonly databaseUrl: string;
  readonly logger: ServiceLogger;
  /** False for an application that only describes itself and answers nothing. */
  readonly connects?: boolean;
}

/** The list of modules. */
@Module({})
export class AppModule {
  static with({ environment, databaseUrl, logger, connects }: ProcessContext): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(environment),
        DatabaseModule.at(databaseUrl, environment.databasePoolSize, environment.databaseStatementTimeoutMs, connects),
        HttpModule.with(environment, logger),
        LimitsModule,
        AuthModule.resolvingWith(KeysModule),
        AuditModule,
        OrganizationsModule,
        WorkspacesModule,
        KeysModule,
        CatalogModule,
        GuardrailsModule,
        ScimModule,
        PresetsModule,
        ObservabilityModule,
        InstallationModule,
      ],
    };
  }
}
