import { Module } from '@nestjs/common';
import { ObservabilityModule } from '../../observability/observability.module.js';
import { ConnectionsModule } from '../connections/connections.module.js';
import { OwnKeysModule } from '../own-keys/own-keys.module.js';
import { OperatorConnectionsController } from './operator-connections.controller.js';
import { OperatorConnectionsService } from './operator-connections.service.js';

/** The deployment's connections to providers, for the organization of its operator (docs/interface/provider-connections.md). */
@Module({
  imports: [ConnectionsModule, ObservabilityModule, OwnKeysModule],
  controllers: [OperatorConnectionsController],
  providers: [OperatorConnectionsService],
})
export class OperatorConnectionsModule {}
