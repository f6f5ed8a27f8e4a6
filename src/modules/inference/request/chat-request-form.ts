import type { ChatCompletionRequest } from '../dto/chat-completion-request.dto.js';
import { ModelMissing } from '../inference.errors.js';
import { answersChats } from '../../providers/protocols/model-outputs.js';
import { chatSizeOf } from '../admission/chat-size.js';
import { countedBytes } from '../answer/estimated-tokens.js';
import { chatUsageBounds } from '../answer/usage-bounds.js';
import { compressedRequest } from '../plugins/compressed-request.js';
import { needsOf } from './endpoint-needs.js';
import type { RequestContext } from './request-context.repository.js';
import type { RequestForm } from './request-form.js';
import { hidesText } from './hidden-text.js';
import { textBytesOf, textsOf, withTexts } from './scanned-texts.js';

/** The bodies of chat completions. */
export const CHAT_REQUEST_FORM: RequestForm<ChatCompletionRequest> = {
  modelNamesOf,
  isFor: ({ row: { architecture } }) => answersChats(architecture.output_modalities),
  isSpokenBy: () => true,
  textsOf,
  withTexts,
  compressed: compressedRequest,
  hidesText,
  promptBytesOf: (body) => textBytesOf(body, countedBytes),
  sizeOf: chatSizeOf,
  usageBoundsOf: chatUsageBounds,
  withLongestAnswer: (body, tokens) => ({ ...body, max_tokens: tokens }),
  conversationHintsOf: (body) => body,
  loggedInputOf: ({ messages }) => ({ messages }),
  needsOf,
};

function modelNamesOf({ model, models = [] }: ChatCompletionRequest, { defaultTextModel }: RequestContext): string[] {
  const names = [...new Set([...(model === undefined ? [] : [model]), ...models])];
  if (names.length > 0) return names;
  if (defaultTextModel === null) throw new ModelMissing();
  return [defaultTextModel];
}
