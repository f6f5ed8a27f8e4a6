import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import { ModelMissing } from '../../inference.errors.js';
import { answersChats } from '../../../codecs/model-outputs.js';
import { chatSizeOf } from '../../pipeline/admission/chat-size.js';
import { countedBytes } from '../../pipeline/cost/estimated-tokens.js';
import { chatUsageBounds } from '../../pipeline/cost/usage-bounds.js';
import { compressedRequest } from '../../pipeline/content/compressed-request.js';
import { needsOf } from '../../pipeline/candidates/endpoint-needs.js';
import type { RequestContext } from '../../pipeline/context/request-context.repository.js';
import type { RequestForm } from '../../pipeline/request/request-form.js';
import { hidesText } from '../../pipeline/content/hidden-text.js';
import { textBytesOf, textsOf, withTexts } from '../../pipeline/content/scanned-texts.js';

/** The bodies of chat completions. */
export const CHAT_REQUEST_FORM: RequestForm<ClientChatRequest> = {
  modelNamesOf,
  isFor: ({ row: { architecture } }) => answersChats(architecture.output_modalities),
  isServedBy: () => true,
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

function modelNamesOf({ model, models = [] }: ClientChatRequest, { defaultTextModel }: RequestContext): string[] {
  const names = [...new Set([...(model === undefined ? [] : [model]), ...models])];
  if (names.length > 0) return names;
  if (defaultTextModel === null) throw new ModelMissing();
  return [defaultTextModel];
}
