import { Module } from '@nestjs/common';
import { ObservabilityModule } from '../observability/index.js';
import { ConnectionsModule, OwnKeysModule } from '../providers/index.js';
import { ProviderConnectionsController } from './provider-connections.controller.js';
import { ProviderConnectionsService } from './provider-connections.service.js';

/** The deployment's connections to providers, for the organization of its operator (docs/interface/provider-connections.md). */
@Module({
  imports: [ConnectionsModule, ObservabilityModule, OwnKeysModule],
  controllers: [ProviderConnectionsController],
  providers: [ProviderConnectionsService],
})
export class ProviderConnectionsModule {}
