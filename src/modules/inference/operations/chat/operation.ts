import { BadRequestError } from '../../../../http/errors/bad-request-error.js';
import { INVALID_PARAMETERS } from '../../../../http/errors/request.errors.js';
import { rulesOf } from '../../../../http/validation/rules.js';
import { validateDto } from '../../../../http/validation/validate.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import type { PresetInForce } from '../../../presets/presets-in-force.service.js';
import { InvalidModel, ModelMissing } from '../../inference.errors.js';
import { chatSizeOf } from '../../pipeline/admission/chat-size.js';
import { needsOf } from '../../pipeline/candidates/endpoint-needs.js';
import { CHAT_TEXTS } from '../../pipeline/content/chat-texts.js';
import { compressedRequest } from '../../pipeline/content/compressed-request.js';
import { hidesText } from '../../pipeline/content/hidden-text.js';
import { splitPreset } from '../../pipeline/context/requested-models.js';
import { mergePreset } from '../../pipeline/context/preset-merge.js';
import type { RequestContext } from '../../pipeline/context/request-context.repository.js';
import { countedBytes } from '../../pipeline/cost/estimated-tokens.js';
import { pricedForChats, pricingOfChat } from '../../pipeline/cost/image-prices.js';
import { chatUsageBounds } from '../../pipeline/cost/usage-bounds.js';
import type { InferenceOperation } from '../../pipeline/request/operation.js';
import { mediaOf } from '../../pipeline/request/prompt-media.js';
import { ChatCompletionRequest } from './dto/chat-completion-request.dto.js';

/** Chat completions, and every operation whose requests are decoded to them. */
export const CHAT: InferenceOperation<ClientChatRequest> = {
  name: 'chat',
  isCached: true,
  preset: {
    slugOf: ({ model, preset }) => splitPreset(model).preset ?? preset,
    modelOf: ({ model = '' }) => model,
    completed: withPreset,
  },
  mediaOf,
  modelNamesOf,
  endpointsOf: pricedForChats,
  pricingOf: pricingOfChat,
  texts: CHAT_TEXTS,
  compressed: compressedRequest,
  hidesText,
  promptBytesOf: (body) => CHAT_TEXTS.promptBytesIn(body, countedBytes),
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

/** What a preset and a request make together is as valid as a request has to be. */
function withPreset(input: ClientChatRequest, preset: PresetInForce): ClientChatRequest {
  const named = splitPreset(input.model);
  const { model: _model, ...rest } = input;
  const model = named.variants === '' ? named.model : variantOf(preset.config['model'], named.variants, input);
  const body = mergePreset({ ...rest, ...(model !== undefined && { model }) }, preset);
  const issues = [
    ...validateDto(ChatCompletionRequest, body),
    ...rulesOf(ChatCompletionRequest).flatMap((rule) => rule(body)),
  ];
  if (issues.length > 0)
    throw BadRequestError.of(issues.map(({ path, message }) => INVALID_PARAMETERS.at(path, message)));
  return body as unknown as ClientChatRequest;
}

/** The model of a preset, with the variants that a request names after the slug. @throws InvalidModel if the preset names no model */
function variantOf(model: unknown, variants: string, { model: asked = '' }: ClientChatRequest): string {
  if (typeof model !== 'string') throw new InvalidModel(asked, 'the preset names no model');
  return `${model}${variants}`;
}
