import { isObject } from '../../../../http/validation/constraints.js';
import type { ChatMessage } from '../../../codecs/chat/chat-completion.js';
import { choicesOf } from '../../../codecs/chat/choice-count.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import { CHAT_TEXTS } from '../content/chat-texts.js';
import { isKeptForAnHour } from './cache-duration.js';
import { mediaTokensOf } from '../cost/media-tokens.js';
import type { RequestSize } from '../request/request-size.js';

interface Part {
  readonly type: string;
}

/** What the cost of a chat depends on. */
export function chatSizeOf(body: ClientChatRequest): RequestSize {
  const media = body.messages.flatMap(mediaOf);
  const isImage = ({ type }: Part): boolean => type === 'image_url';
  return {
    bytes: CHAT_TEXTS.promptBytesIn(body),
    messages: body.messages.reduce(
      (sum, { tool_calls: calls }) => sum + 1 + (calls?.length ?? 0),
      body.tools?.length ?? 0,
    ),
    units: { input_image: media.filter(isImage).length },
    recordings: media.filter((part) => !isImage(part)).length,
    mediaTokens: media.reduce((sum, part) => sum + mediaTokensOf(part, isImage(part)), 0),
    answer: {
      // As the provider is told (docs/interface/providers.md#openai).
      namedTokens: body.max_completion_tokens ?? body.max_tokens ?? null,
      choices: choicesOf(body),
      hasAudio: body.modalities?.includes('audio') === true || isObject(body['audio']),
      hasImages: body.modalities?.includes('image') === true,
    },
    isKeptForAnHour: isKeptForAnHour(body),
  };
}

/** The parts of a message that are not texts, with the images and the recording of an earlier answer. */
function mediaOf({ content, images, audio }: ChatMessage): readonly Part[] {
  const parts = Array.isArray(content) ? (content as readonly Part[]).filter(({ type }) => type !== 'text') : [];
  const shown = Array.isArray(images) ? images.map((image: unknown) => ({ type: 'image_url', image })) : [];
  const spoken = isObject(audio) ? [{ type: 'input_audio', audio }] : [];
  return [...parts, ...shown, ...spoken];
}
