import { type DynamicModule, Module } from '@nestjs/common';
import type { Environment } from '../../config/environment.js';
import { ConfigurationModule } from '../configuration/configuration.module.js';
import { PrivateProvidersConfiguration } from './providers/private-providers.configuration.js';
import { PrivateEndpointsConfiguration } from './endpoints/private-endpoints.configuration.js';
import { ConstraintErrors } from '../../http/errors/constraint-errors.js';
import { AuditModule } from '../audit/audit.module.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { ObservabilityModule } from '../observability/observability.module.js';
import { ConnectionsModule } from '../providers/connections/connections.module.js';
import { OwnKeysModule } from '../providers/own-keys/own-keys.module.js';
import { ProviderClientsModule } from '../providers/clients/provider-clients.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { EndpointPricingController } from './endpoints/endpoint-pricing.controller.js';
import { EndpointStatusService } from './endpoints/endpoint-status.service.js';
import { EndpointValidations } from './endpoints/endpoint-validation.service.js';
import { PrivateEndpointsController } from './endpoints/private-endpoints.controller.js';
import { PrivateEndpointsService } from './endpoints/private-endpoints.service.js';
import { PrivateAddresses } from './private-addresses.service.js';
import { PRIVATE_MODELS_CONSTRAINT_ERRORS } from './private-models.errors.js';
import { PrivateProvidersController } from './providers/private-providers.controller.js';
import { PrivateProvidersRepository } from './providers/private-providers.repository.js';
import { PrivateProvidersService } from './providers/private-providers.service.js';

/** Providers and deployments of models that organizations have of their own (docs/interface/private-models.md). */
@Module({
  imports: [
    ConfigurationModule,
    AuditModule,
    CatalogModule,
    ConnectionsModule,
    ObservabilityModule,
    OwnKeysModule,
    ProviderClientsModule,
    WorkspacesModule,
  ],
  controllers: [PrivateProvidersController, PrivateEndpointsController],
  providers: [
    PrivateProvidersConfiguration,
    PrivateEndpointsConfiguration,
    EndpointStatusService,
    EndpointValidations,
    PrivateAddresses,
    PrivateEndpointsService,
    PrivateProvidersRepository,
    PrivateProvidersService,
  ],
})
export class PrivateModelsModule {
  /** With the operations that only the public dialect has, where that is served. */
  static forRoot({ apiDialect }: Environment): DynamicModule {
    return {
      module: PrivateModelsModule,
      controllers: apiDialect === 'public' ? [EndpointPricingController] : [],
    };
  }

  constructor(errors: ConstraintErrors) {
    errors.add(PRIVATE_MODELS_CONSTRAINT_ERRORS);
  }
}
