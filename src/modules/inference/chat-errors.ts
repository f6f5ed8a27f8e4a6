import type { ErrorKind } from '../../api/errors/domain-error.js';
import { ModelMissing, PresetMissing, REFUSALS_OF_EVERY_OPERATION } from './inference.errors.js';

/** What every operation that a chat answers can be refused with. */
export const CHAT_ERRORS: readonly ErrorKind[] = [...REFUSALS_OF_EVERY_OPERATION, ModelMissing, PresetMissing];
