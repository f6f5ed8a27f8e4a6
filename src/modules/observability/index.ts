export { HostAddresses } from './addresses/host-addresses.js';
export { issuesOfHeaders } from './config-issues.js';
export type { DestinationConfig } from './config-mask.js';
export {
  type EventContent,
  type EventToolCall,
  type GenerationEvent,
  TOOL_OPERATION,
} from './delivery/generation-event.js';
export { webhookHeadersOf } from './delivery/adapters/webhook-signature.js';
export { withConfiguredHeaders } from './delivery/configured-settings.js';
export { BroadcastOutbox } from './delivery/outbox/broadcast-outbox.service.js';
export {
  enqueuedValues,
  enqueueEvents,
  type EnqueuedValues,
  type OutboxEntry,
  sizeOfEntry,
} from './delivery/outbox/enqueue-events.js';
export { OutboxUpkeep } from './delivery/outbox/outbox-upkeep.service.js';
export { BROADCAST_VERSION } from './delivery/selection/broadcast-destinations.repository.js';
export { BroadcastDestinations, type BroadcastSelection } from './delivery/selection/broadcast-destinations.service.js';
export { isInShare } from './delivery/selection/share.js';
export { DeliveryService } from './delivery/sending/delivery.service.js';
export { WebhookMessages } from './delivery/sending/webhook-messages.service.js';
export { DESTINATION_SETTINGS, DESTINATION_TYPES, type DestinationType } from './destination-settings.js';
export { CREDENTIALS_REQUIRED, TooManyHostLookups } from './observability.errors.js';
export { ObservabilityModule } from './observability.module.js';
export { ObservabilityService } from './observability.service.js';
