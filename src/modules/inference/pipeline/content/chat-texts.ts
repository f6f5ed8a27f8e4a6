import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import { REQUEST } from './fields/request-fields.js';
import { RequestTexts } from './fields/request-texts.js';

/**
 * The texts of a chat: texts and parts of every message, its name, reasoning and refusal, the arguments of tool calls, what the answer
 * is predicted to be, what describes tools and the form of the answer, addresses of media and media that are texts, and all else that
 * a provider gets.
 */
export const CHAT_TEXTS = new RequestTexts<ClientChatRequest>(REQUEST, 'system');
