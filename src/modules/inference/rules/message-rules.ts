import { joinPath, type ReasonedIssue } from '../../../api/errors/issue.js';
import { isObject } from '../../../api/validation/constraints.js';
import { isUrl, URL_MESSAGE } from './media-url.js';

type Body = Readonly<Record<string, unknown>>;

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'];

/** The field that a part of a message must have, by the type of the part. Parts of other types are handed on. */
const FIELD_OF_PART: Readonly<Record<string, { readonly name: string; readonly isText: boolean }>> = {
  text: { name: 'text', isText: true },
  image_url: { name: 'image_url', isText: false },
  input_audio: { name: 'input_audio', isText: false },
  video_url: { name: 'video_url', isText: false },
  file: { name: 'file', isText: false },
};

/**
 * Messages have a role of the conversation and a content that fits it, and so does a prediction of the answer
 * (docs/interface/inference.md#messages).
 */
export function messageRules({ messages, prediction }: Body): ReasonedIssue[] {
  const predicted = isObject(prediction) ? contentIssues(prediction.content, 'prediction.content', false) : [];
  if (!Array.isArray(messages)) return predicted;
  const issues = messages.flatMap((message: unknown, index) =>
    isObject(message) ? messageIssues(message, joinPath('messages', index)) : [],
  );
  return [...issues, ...predicted];
}

function messageIssues(message: Body, path: string): ReasonedIssue[] {
  const { role, content } = message;
  if (typeof role !== 'string' || !ROLES.includes(role)) {
    return [{ path: joinPath(path, 'role'), message: `must be one of: ${ROLES.join(', ')}` }];
  }
  const issues = contentIssues(content, joinPath(path, 'content'), role === 'assistant');
  if (role === 'tool' && typeof message.tool_call_id !== 'string') {
    issues.push({ path: joinPath(path, 'tool_call_id'), message: 'is required' });
  }
  if (message.name !== undefined && typeof message.name !== 'string') {
    issues.push({ path: joinPath(path, 'name'), message: 'must be string' });
  }
  return role === 'assistant'
    ? [...issues, ...toolCallIssues(message.tool_calls, joinPath(path, 'tool_calls'))]
    : issues;
}

function contentIssues(content: unknown, path: string, isOptional: boolean): ReasonedIssue[] {
  if (typeof content === 'string') return [];
  if (content === undefined || content === null) return isOptional ? [] : [{ path, message: 'is required' }];
  if (!Array.isArray(content)) return [{ path, message: 'must be a text or a list of parts' }];
  return content.flatMap((part: unknown, index) => partIssues(part, joinPath(path, index)));
}

function partIssues(part: unknown, path: string): ReasonedIssue[] {
  if (!isObject(part)) return [{ path, message: 'must be object' }];
  if (typeof part.type !== 'string') return [{ path: joinPath(path, 'type'), message: 'must be string' }];
  const field = Object.hasOwn(FIELD_OF_PART, part.type) ? FIELD_OF_PART[part.type] : undefined;
  if (field === undefined) return [];
  const value = part[field.name];
  if (field.isText ? typeof value === 'string' : isObject(value)) return urlIssues(part, path);
  return [{ path: joinPath(path, field.name), message: `must be ${field.isText ? 'string' : 'object'}` }];
}

function urlIssues(part: Body, path: string): ReasonedIssue[] {
  if (part.type !== 'image_url' && part.type !== 'video_url') return [];
  const { url } = part[part.type] as Body;
  return isUrl(url) ? [] : [{ path: joinPath(joinPath(path, part.type), 'url'), message: URL_MESSAGE }];
}

function toolCallIssues(calls: unknown, path: string): ReasonedIssue[] {
  if (calls === undefined || calls === null) return [];
  if (!Array.isArray(calls)) return [{ path, message: 'must be array' }];
  return calls.flatMap((call: unknown, index) => {
    const at = joinPath(path, index);
    if (!isObject(call)) return [{ path: at, message: 'must be object' }];
    const issues: ReasonedIssue[] = [];
    if (typeof call.id !== 'string') issues.push({ path: joinPath(at, 'id'), message: 'must be string' });
    const called = call.function;
    if (!isObject(called) || typeof called.name !== 'string' || typeof called.arguments !== 'string') {
      issues.push({ path: joinPath(at, 'function'), message: 'must have a name and arguments, both texts' });
    }
    return issues;
  });
}
