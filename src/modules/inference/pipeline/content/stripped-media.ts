import type { ContentInput } from '../../../generations/content/generation-content.js';

/** What stands for media that are not sent along. */
const STRIPPED = '[media]';

/** The types of parts of a message that hold media, and what they are named by. */
const MEDIA: ReadonlySet<string> = new Set([
  'image_url',
  'input_audio',
  'input_video',
  'video_url',
  'file',
  'input_file',
]);

/** An input without its media, of which only the types of the parts are left. */
export function withoutMedia(input: ContentInput): ContentInput {
  return 'prompt' in input ? input : { messages: input.messages.map(messageWithoutMedia) };
}

function messageWithoutMedia(message: unknown): unknown {
  const { content } = message as { readonly content?: unknown };
  if (!Array.isArray(content) || !content.some(isMedia)) return message;
  return Object.assign({}, message, {
    content: content.map((part) => (isMedia(part) ? stripped(part) : (part as unknown))),
  });
}

interface Part {
  readonly type: string;
}

function isMedia(part: unknown): part is Part {
  const type = (part as Partial<Part> | null)?.type;
  return typeof type === 'string' && MEDIA.has(type);
}

function stripped({ type }: Part): object {
  return { type, [type]: STRIPPED };
}
