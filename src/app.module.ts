import { type DynamicModule, Module } from '@nestjs/common';
import { AuthModule } from './auth/auth.module.js';
import { ConfigModule } from './config/config.module.js';
import type { Environment } from './config/environment.js';
import { DatabaseModule } from './persistence/database.module.js';
import type { BrokenAnswerWaits } from './http/broken-answers.js';
import { HttpModule } from './http/http.module.js';
import type { ServiceLogger } from './telemetry/logging/service-logger.js';
import { ConcurrencyModule } from './concurrency/concurrency.module.js';
import { AlertsModule } from './modules/alerts/index.js';
import { AuditModule } from './modules/audit/index.js';
import { CatalogModule, ModelObjectsModule } from './modules/catalog/index.js';
import { EncryptionModule } from './modules/encryption/index.js';
import { ExternalUsersModule } from './modules/external-users/index.js';
import { FederationModule } from './modules/federation/index.js';
import { GenerationsModule } from './modules/generations/index.js';
import { IdempotencyModule } from './modules/idempotency/index.js';
import { GuardrailsModule } from './modules/guardrails/index.js';
import { InferenceModule } from './modules/inference/index.js';
import { InstallationModule } from './modules/installation/index.js';
import { KeysModule } from './modules/keys/index.js';
import { ObservabilityModule } from './modules/observability/index.js';
import { OauthModule } from './modules/oauth/index.js';
import { OrganizationsModule } from './modules/organizations/index.js';
import { OrganizationLimitsModule } from './modules/organization-limits/index.js';
import { PrivateModelsModule } from './modules/private-models/index.js';
import { PresetsModule } from './modules/presets/index.js';
import { ConnectionsModule, OperatorConnectionsModule, OwnKeysModule } from './modules/providers/index.js';
import { ScimModule } from './modules/scim/index.js';
import { SignInModule } from './modules/sign-in/index.js';
import { UsageModule } from './modules/usage/index.js';
import { WorkspacesModule } from './modules/workspaces/index.js';

/** What the application is created from. */
export interface ProcessContext {
  readonly environment: Environment;
  /** The URL of a migrated database. */
  readonly databaseUrl: string;
  readonly logger: ServiceLogger;
  /** False for an application that only generates the OpenAPI document. */
  readonly connects?: boolean;
  /** How answers that cannot be completed end; absent for what {@link BrokenAnswers} has. */
  readonly brokenAnswers?: BrokenAnswerWaits;
}

/** The root module. */
@Module({})
export class AppModule {
  static forRoot({ environment, databaseUrl, logger, connects, brokenAnswers }: ProcessContext): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(environment),
        DatabaseModule.forRoot(environment, databaseUrl, logger, connects),
        ConcurrencyModule.forRoot(logger),
        OrganizationLimitsModule,
        IdempotencyModule,
        // Before the HttpModule: guards run in the order of their modules, and bodies are read for known callers only.
        AuthModule.register(KeysModule, SignInModule),
        HttpModule.forRoot(environment, logger, brokenAnswers),
        // Express tries one route after the other, and most requests are of inference.
        InferenceModule,
        AuditModule,
        OrganizationsModule,
        WorkspacesModule,
        KeysModule,
        CatalogModule,
        EncryptionModule,
        GuardrailsModule,
        // Behind it, whose /models/user would be a /models/:model.
        ModelObjectsModule,
        ScimModule,
        PresetsModule,
        ObservabilityModule,
        AlertsModule,
        OauthModule,
        FederationModule,
        ExternalUsersModule,
        ConnectionsModule,
        OwnKeysModule,
        PrivateModelsModule,
        OperatorConnectionsModule,
        GenerationsModule,
        SignInModule,
        UsageModule,
        InstallationModule,
      ],
    };
  }
}
