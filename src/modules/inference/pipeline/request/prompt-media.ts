import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';

/** The numbers of parts of a conversation that are not texts. */
export interface PromptMedia {
  readonly images: number;
  readonly recordings: number;
}

/** Counts the images and the recordings of a conversation (docs/interface/generations.md#fields). */
export function mediaOf({ messages }: Pick<ClientChatRequest, 'messages'>): PromptMedia {
  const types = messages.flatMap(({ content }) =>
    Array.isArray(content) ? (content as readonly { type: string }[]).map(({ type }) => type) : [],
  );
  return {
    images: types.filter((type) => type === 'image_url').length,
    recordings: types.filter((type) => type === 'input_audio').length,
  };
}
