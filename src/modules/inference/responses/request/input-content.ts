import type { ContentPart } from '../../../providers/chat-completion.js';
import type { InputPart } from './input-item.js';

type Content = string | readonly ContentPart[];

/**
 * Writes the content of an item as that of a message. A single text stands by itself, because not every provider takes parts
 * from every role.
 */
export function contentOf(content: string | readonly InputPart[]): Content {
  if (typeof content === 'string') return content;
  const parts = content.map(partOf);
  const [first, ...others] = parts;
  return first !== undefined && others.length === 0 && isPlainText(first) ? first.text! : parts;
}

function isPlainText(part: ContentPart): boolean {
  return part.type === 'text' && Object.keys(part).length === 2;
}

function partOf(part: InputPart): ContentPart {
  return { ...translated(part), ...(isBreakpoint(part) && { cache_control: { type: 'ephemeral' } }) };
}

function translated(part: InputPart): ContentPart {
  switch (part.type) {
    case 'input_image': {
      const { image_url: url, detail } = part;
      return { type: 'image_url', image_url: { url, ...(typeof detail === 'string' && { detail }) } };
    }
    case 'input_file':
      return { type: 'file', file: fileOf(part) };
    case 'input_audio':
      return { type: 'input_audio', input_audio: part['input_audio'] };
    case 'input_video':
      return { type: 'video_url', video_url: { url: part['video_url'] } };
    default:
      return { type: 'text', text: part.text ?? '' };
  }
}

function fileOf({ file_data: data, file_url: url, file_id: id, filename }: InputPart): object {
  const source = data ?? url;
  return {
    ...(typeof source === 'string' && { file_data: source }),
    ...(typeof id === 'string' && { file_id: id }),
    ...(typeof filename === 'string' && { filename }),
  };
}

/** Whether the caller wants the provider to cache the prompt up to a part. */
function isBreakpoint({ prompt_cache_breakpoint: breakpoint }: InputPart): boolean {
  return breakpoint !== undefined && breakpoint !== null;
}
