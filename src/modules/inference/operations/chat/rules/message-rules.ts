import { joinPath, type IssueWithReason } from '../../../../../http/errors/issue.js';
import { isObject } from '../../../../../http/validation/constraints.js';
import { callIdIssues, isTextOrNothing, reasoningDetailIssues, toolCallIssues } from '../../../rules/call-rules.js';
import { isUrl, URL_MESSAGE } from '../../../../codecs/chat/media-addresses.js';
import { lengthIssues, MOST_CITATIONS } from '../../../rules/list-bounds.js';

type Body = Readonly<Record<string, unknown>>;

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'];

const ONE_OF_ROLES = `must be one of: ${ROLES.join(', ')}`;

const TOOL_INSTEAD = 'must be tool, with the tool_call_id of the call: the role function is its earlier form';

/** The field that a part of a message must have, by the type of the part. Parts of other types are handed on. */
const FIELD_OF_PART: Readonly<Record<string, { readonly name: string; readonly isText: boolean }>> = {
  text: { name: 'text', isText: true },
  image_url: { name: 'image_url', isText: false },
  input_audio: { name: 'input_audio', isText: false },
  video_url: { name: 'video_url', isText: false },
  // The earlier name of video_url.
  input_video: { name: 'video_url', isText: false },
  file: { name: 'file', isText: false },
};

/**
 * Messages have a role of the conversation and a content that fits it, and so does a prediction of the answer
 * (docs/interface/inference.md#messages).
 */
export function messageRules({ messages, prediction }: Body): IssueWithReason[] {
  const predicted = isObject(prediction) ? contentIssues(prediction.content, 'prediction.content', false) : [];
  if (!Array.isArray(messages)) return predicted;
  const issues = messages.flatMap((message: unknown, index) =>
    isObject(message) ? messageIssues(message, joinPath('messages', index)) : [],
  );
  return [...issues, ...predicted];
}

function messageIssues(message: Body, path: string): IssueWithReason[] {
  const { role, content } = message;
  if (typeof role !== 'string' || !ROLES.includes(role)) {
    return [{ path: joinPath(path, 'role'), message: role === 'function' ? TOOL_INSTEAD : ONE_OF_ROLES }];
  }
  const issues = contentIssues(content, joinPath(path, 'content'), role === 'assistant');
  const { tool_call_id: answered, name } = message;
  if (role === 'tool' && typeof answered !== 'string') {
    issues.push({ path: joinPath(path, 'tool_call_id'), message: 'is required' });
  } else if (answered !== undefined && answered !== null) {
    issues.push(...callIdIssues(answered, joinPath(path, 'tool_call_id')));
  }
  if (name !== undefined && typeof name !== 'string') {
    issues.push({ path: joinPath(path, 'name'), message: 'must be string' });
  }
  if (message.function_call !== undefined && message.function_call !== null) {
    issues.push({
      path: joinPath(path, 'function_call'),
      message: 'must be null: it is the earlier form of tool_calls',
    });
  }
  return [
    ...issues,
    ...['reasoning', 'refusal']
      .filter((field) => !isTextOrNothing(message[field]))
      .map((field) => ({ path: joinPath(path, field), message: 'must be string' })),
    ...lengthIssues(message.annotations, joinPath(path, 'annotations'), MOST_CITATIONS),
    ...reasoningDetailIssues(message.reasoning_details, joinPath(path, 'reasoning_details')),
    ...toolCallIssues(message.tool_calls, joinPath(path, 'tool_calls')),
  ];
}

function contentIssues(content: unknown, path: string, isOptional: boolean): IssueWithReason[] {
  if (typeof content === 'string') return [];
  if (content === undefined || content === null) return isOptional ? [] : [{ path, message: 'is required' }];
  if (!Array.isArray(content)) return [{ path, message: 'must be a text or a list of parts' }];
  return content.flatMap((part: unknown, index) => partIssues(part, joinPath(path, index)));
}

function partIssues(part: unknown, path: string): IssueWithReason[] {
  if (!isObject(part)) return [{ path, message: 'must be object' }];
  if (typeof part.type !== 'string') return [{ path: joinPath(path, 'type'), message: 'must be string' }];
  const field = Object.hasOwn(FIELD_OF_PART, part.type) ? FIELD_OF_PART[part.type] : undefined;
  if (field === undefined) return [];
  const value = part[field.name];
  if (field.isText ? typeof value === 'string' : isObject(value)) return urlIssues(part, field.name, path);
  return [{ path: joinPath(path, field.name), message: `must be ${field.isText ? 'string' : 'object'}` }];
}

function urlIssues(part: Body, name: string, path: string): IssueWithReason[] {
  if (name !== 'image_url' && name !== 'video_url') return [];
  const { url } = part[name] as Body;
  return isUrl(url) ? [] : [{ path: joinPath(joinPath(path, name), 'url'), message: URL_MESSAGE }];
}
