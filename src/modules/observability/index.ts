export type { DestinationConfig } from './config-mask.js';
export { DESTINATION_SETTINGS, DESTINATION_TYPES, type DestinationType } from './destination-settings.js';
export { ObservabilityModule } from './observability.module.js';
export { ObservabilityService } from './observability.service.js';
