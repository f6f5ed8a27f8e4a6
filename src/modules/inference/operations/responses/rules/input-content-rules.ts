import { joinPath, type IssueWithReason } from '../../../../../http/errors/issue.js';
import { isPartOfAssistant } from '../../../../codecs/openai-responses/client-request.js';
import { isObject } from '../../../../../http/validation/constraints.js';
import { lengthIssues, MOST_CITATIONS } from '../../../rules/list-bounds.js';

type Body = Readonly<Record<string, unknown>>;

/** Finds what is wrong with a part of a known type. */
type PartRule = (part: Body, path: string) => IssueWithReason[];

/** The author of a message: the model's messages have other parts than those of all other roles. */
type Speaker = 'assistant' | 'others';

const PARTS_OF_OTHERS: Readonly<Record<string, PartRule>> = {
  input_text: textRule('text'),
  // What other functions, or other models, have written is handed on in this form.
  output_text: textRule('text'),
  text: textRule('text'),
  input_image: imageIssues,
  input_file: fileIssues,
  input_audio: audioIssues,
  input_video: urlRule('video_url'),
};

const PARTS_OF_ASSISTANT: Readonly<Record<string, PartRule>> = {
  output_text: citingIssues,
  input_text: citingIssues,
  text: citingIssues,
  refusal: textRule('refusal'),
};

/** The content of a message, or what a function has returned: a text or a list of parts. */
export function contentIssues(content: unknown, path: string, speaker: Speaker): IssueWithReason[] {
  if (typeof content === 'string') return [];
  if (content === undefined || content === null) return [{ path, message: 'is required' }];
  if (!Array.isArray(content)) return [{ path, message: 'must be a text or a list of parts' }];
  const isAssistant = speaker === 'assistant';
  const rules = isAssistant ? PARTS_OF_ASSISTANT : PARTS_OF_OTHERS;
  return content.flatMap((part: unknown, index) =>
    isAssistant && isObject(part) && typeof part.type === 'string' && !isPartOfAssistant(part.type)
      ? []
      : partIssues(part, joinPath(path, index), rules),
  );
}

function partIssues(part: unknown, path: string, rules: Readonly<Record<string, PartRule>>): IssueWithReason[] {
  if (!isObject(part)) return [{ path, message: 'must be object' }];
  const { type } = part;
  if (typeof type === 'string' && Object.hasOwn(rules, type)) return rules[type]!(part, path);
  return [{ path: joinPath(path, 'type'), message: `must be one of: ${Object.keys(rules).join(', ')}` }];
}

function textRule(name: string): PartRule {
  return (part, path) =>
    typeof part[name] === 'string' ? [] : [{ path: joinPath(path, name), message: 'must be string' }];
}

function citingIssues(part: Body, path: string): IssueWithReason[] {
  const issues = textRule('text')(part, path);
  return [...issues, ...lengthIssues(part.annotations, joinPath(path, 'annotations'), MOST_CITATIONS)];
}

function urlRule(name: string): PartRule {
  return (part, path) =>
    isUrl(part[name]) ? [] : [{ path: joinPath(path, name), message: 'must be a URL (https:// or data:)' }];
}

function imageIssues(part: Body, path: string): IssueWithReason[] {
  if (typeof part.file_id === 'string') {
    return [{ path: joinPath(path, 'file_id'), message: 'must be null: files are not stored' }];
  }
  return urlRule('image_url')(part, path);
}

function fileIssues(part: Body, path: string): IssueWithReason[] {
  const sources = ['file_data', 'file_url', 'file_id'].filter(
    (name) => part[name] !== undefined && part[name] !== null,
  );
  const [source, ...others] = sources;
  if (source === undefined || others.length > 0) {
    return [{ path, message: 'must have one of: file_data, file_url, file_id' }];
  }
  if (source === 'file_url') return urlRule(source)(part, path);
  return textRule(source)(part, path);
}

function audioIssues({ input_audio: audio }: Body, path: string): IssueWithReason[] {
  const isWhole = isObject(audio) && typeof audio.data === 'string' && typeof audio.format === 'string';
  return isWhole ? [] : [{ path: joinPath(path, 'input_audio'), message: 'must have data and format, both texts' }];
}

function isUrl(value: unknown): boolean {
  return typeof value === 'string' && /^(https?:\/\/|data:)/i.test(value);
}
