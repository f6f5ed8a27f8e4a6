import { ConstraintErrors } from '../../http/errors/constraint-errors.js';
import { OBSERVABILITY_CONSTRAINT_ERRORS } from './observability.errors.js';
import { Module } from '@nestjs/common';
import { ConfigurationModule } from '../configuration/configuration.module.js';
import { DestinationsConfiguration } from './destinations.configuration.js';

import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { ContentModule } from '../content/content.module.js';
import { EncryptionModule } from '../encryption/encryption.module.js';
import { KeyRotationListeners } from '../keys/key-rotation-listeners.js';
import { KeysModule } from '../keys/keys.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { ConfigCipher, EncryptedConfigs } from './encrypted-configs.js';
import { DestinationAddresses } from './addresses/destination-addresses.js';
import { BroadcastOutbox } from './delivery/outbox/broadcast-outbox.service.js';
import { OutboxBounds } from './delivery/outbox/outbox-bounds.service.js';
import { OutboxUpkeep } from './delivery/outbox/outbox-upkeep.service.js';
import { SealedEvents } from './delivery/outbox/sealed-events.js';
import { BroadcastDestinations } from './delivery/selection/broadcast-destinations.service.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesRepository } from './delivery/sight/deliveries.repository.js';
import { DestinationTests } from './delivery/sight/destination-test.service.js';
import { OutboxBoundsRepository } from './delivery/outbox/outbox-bounds.repository.js';
import { OutboxUpkeepRepository } from './delivery/outbox/outbox-upkeep.repository.js';
import { SealedEventsRepository } from './delivery/outbox/sealed-events.repository.js';
import { BroadcastDestinationsRepository } from './delivery/selection/broadcast-destinations.repository.js';
import { DeliveryRepository } from './delivery/sending/delivery.repository.js';
import { DeliveryService } from './delivery/sending/delivery.service.js';
import { OutgoingGenerations } from './delivery/sending/outgoing-generations.service.js';
import { HttpReceiverTransport } from './delivery/sending/receiver-transport.js';
import { WebhookMessages } from './delivery/sending/webhook-messages.service.js';
import { BroadcastDeliveryEntity } from './entities/broadcast-delivery.entity.js';
import { BroadcastEventEntity } from './entities/broadcast-event.entity.js';
import { BroadcastQueueEntity } from './entities/broadcast-queue.entity.js';
import { DestinationEntity } from './entities/destination.entity.js';
import { HostAddresses } from './addresses/host-addresses.js';
import { HostResolver } from './addresses/host-resolver.js';
import { ObservabilityController } from './observability.controller.js';
import { ObservabilityRepository } from './observability.repository.js';
import { ObservabilityService } from './observability.service.js';

/** Destinations that generations are reported to. */
@Module({
  imports: [
    ConfigurationModule,
    TypeOrmModule.forFeature([BroadcastDeliveryEntity, BroadcastEventEntity, BroadcastQueueEntity, DestinationEntity]),
    AuditModule,
    ContentModule,
    EncryptionModule,
    KeysModule,
    WorkspacesModule,
  ],
  controllers: [DeliveriesController, ObservabilityController],
  providers: [
    DestinationsConfiguration,
    BroadcastDestinations,
    BroadcastDestinationsRepository,
    BroadcastOutbox,
    ConfigCipher,
    DeliveriesRepository,
    DeliveryRepository,
    DeliveryService,
    DestinationAddresses,
    DestinationTests,
    EncryptedConfigs,
    HostAddresses,
    HostResolver,
    HttpReceiverTransport,
    ObservabilityRepository,
    ObservabilityService,
    OutboxBounds,
    OutboxBoundsRepository,
    OutboxUpkeep,
    OutboxUpkeepRepository,
    OutgoingGenerations,
    SealedEvents,
    SealedEventsRepository,
    WebhookMessages,
  ],
  exports: [
    BroadcastDestinations,
    BroadcastOutbox,
    DeliveryService,
    HostAddresses,
    ObservabilityService,
    OutboxUpkeep,
    WebhookMessages,
  ],
})
export class ObservabilityModule {
  constructor(errors: ConstraintErrors, rotations: KeyRotationListeners, repository: ObservabilityRepository) {
    errors.add(OBSERVABILITY_CONSTRAINT_ERRORS);
    rotations.register(repository);
  }
}
