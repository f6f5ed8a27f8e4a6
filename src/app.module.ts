import { type DynamicModule, Module } from '@nestjs/common';
import { AuthModule } from './auth/auth.module.js';
import { ConfigModule } from './config/config.module.js';
import type { Environment } from './config/environment.js';
import { DatabaseModule } from './persistence/database.module.js';
import type { BrokenAnswerWaits } from './http/broken-answers.js';
import { HttpModule } from './http/http.module.js';
import type { ServiceLogger } from './telemetry/logging/service-logger.js';
import { ConcurrencyModule } from './concurrency/concurrency.module.js';
import { ConfigurationModule } from './modules/configuration/configuration.module.js';
import { ReplaysModule } from './modules/replays/replays.module.js';
import { AlertsModule } from './modules/alerts/alerts.module.js';
import { AuditModule } from './modules/audit/audit.module.js';
import { CatalogModule, ModelObjectsModule } from './modules/catalog/catalog.module.js';
import { EncryptionModule } from './modules/encryption/encryption.module.js';
import { ExternalUsersModule } from './modules/external-users/external-users.module.js';
import { FederationModule } from './modules/federation/federation.module.js';
import { GenerationsModule } from './modules/generations/generations.module.js';
import { IdempotencyModule } from './modules/idempotency/idempotency.module.js';
import { GuardrailsModule } from './modules/guardrails/guardrails.module.js';
import { InferenceModule } from './modules/inference/inference.module.js';
import { InspectorsModule } from './modules/inspectors/inspectors.module.js';
import { McpModule } from './modules/mcp/mcp.module.js';
import { McpServersModule } from './modules/mcp-servers/mcp-servers.module.js';
import { InstallationModule } from './modules/installation/installation.module.js';
import { KeysModule } from './modules/keys/keys.module.js';
import { LimitsModule } from './modules/limits/limits.module.js';
import { ObservabilityModule } from './modules/observability/observability.module.js';
import { OauthModule } from './modules/oauth/oauth.module.js';
import { OrganizationsModule } from './modules/organizations/organizations.module.js';
import { OrganizationLimitsModule } from './modules/organization-limits/organization-limits.module.js';
import { PrivateModelsModule } from './modules/private-models/private-models.module.js';
import { PresetsModule } from './modules/presets/presets.module.js';
import { ConnectionsModule } from './modules/providers/connections/connections.module.js';
import { OperatorConnectionsModule } from './modules/providers/operator-connections/operator-connections.module.js';
import { OwnKeysModule } from './modules/providers/own-keys/own-keys.module.js';
import { ScimModule } from './modules/scim/scim.module.js';
import { SignInModule } from './modules/sign-in/sign-in.module.js';
import { UsageModule } from './modules/usage/usage.module.js';
import { WorkspacesModule } from './modules/workspaces/workspaces.module.js';

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
        LimitsModule,
        CatalogModule,
        EncryptionModule,
        GuardrailsModule,
        // Behind it, whose /models/user would be a /models/:model.
        ModelObjectsModule,
        ScimModule,
        PresetsModule,
        ObservabilityModule,
        AlertsModule,
        InspectorsModule,
        McpServersModule,
        McpModule,
        OauthModule,
        FederationModule,
        ExternalUsersModule,
        ConnectionsModule,
        OwnKeysModule,
        PrivateModelsModule.forRoot(environment),
        OperatorConnectionsModule,
        GenerationsModule,
        ReplaysModule,
        ConfigurationModule,
        SignInModule,
        UsageModule,
        InstallationModule,
      ],
    };
  }
}
