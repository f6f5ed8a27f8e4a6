import { DestinationEntity } from './destination.entity.js';
import { EncryptionStateEntity } from './encryption-state.entity.js';

/** Every entity of this module. */
export const OBSERVABILITY_ENTITIES = [DestinationEntity, EncryptionStateEntity];
