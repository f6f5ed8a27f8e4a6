import type { ChatCompletionRequest } from '../dto/chat-completion-request.dto.js';
import { ModelMissing } from '../inference.errors.js';
import { chatSizeOf } from '../admission/chat-size.js';
import { needsOf } from './endpoint-needs.js';
import type { RequestContext } from './request-context.repository.js';
import type { RequestForm } from './request-form.js';
import { textsOf, withTexts } from './scanned-texts.js';

/** What a chat can be answered with. */
const ANSWERS: ReadonlySet<string> = new Set(['text', 'image', 'audio']);

/** The bodies of chat completions. */
export const CHAT_FORM: RequestForm<ChatCompletionRequest> = {
  modelNamesOf,
  isFor: ({ row: { architecture } }) => architecture.output_modalities.some((output) => ANSWERS.has(output)),
  isSpokenBy: () => true,
  textsOf,
  withTexts,
  hidesText: () => false,
  promptBytesOf: (body) => textsOf(body).reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
  sizeOf: chatSizeOf,
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
