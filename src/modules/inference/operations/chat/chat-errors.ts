import type { ErrorKind } from '../../../../http/errors/domain-error.js';
import { chatErrorEnvelope } from '../../../codecs/openai-chat/answer-encoder.js';
import { ChatErrorResponse } from '../../dto/chat-error.dto.js';
import { ModelMissing, PresetMissing, REFUSALS_OF_EVERY_OPERATION } from '../../inference.errors.js';

/** What every operation that a chat answers can be refused with. */
export const CHAT_ERRORS: readonly ErrorKind[] = [...REFUSALS_OF_EVERY_OPERATION, ModelMissing, PresetMissing];

/** How operations in the dialects of OpenAI answer failures. */
export const CHAT_ERROR_FORM = { type: ChatErrorResponse, write: chatErrorEnvelope } as const;
