import { Module } from '@nestjs/common';
import { ConstraintErrors } from '../../http/errors/constraint-errors.js';
import { AuditModule } from '../audit/index.js';
import { CatalogModule } from '../catalog/index.js';
import { ObservabilityModule } from '../observability/index.js';
import { ConnectionsModule, OwnKeysModule, ProviderClientsModule } from '../providers/index.js';
import { WorkspacesModule } from '../workspaces/index.js';
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
    EndpointStatusService,
    EndpointValidations,
    PrivateAddresses,
    PrivateEndpointsService,
    PrivateProvidersRepository,
    PrivateProvidersService,
  ],
})
export class PrivateModelsModule {
  constructor(errors: ConstraintErrors) {
    errors.add(PRIVATE_MODELS_CONSTRAINT_ERRORS);
  }
}
