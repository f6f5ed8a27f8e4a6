import { joinPath, type IssueWithReason } from '../../../../http/errors/issue.js';
import { isObject } from '../../../../http/validation/constraints.js';
import { isUrl, URL_MESSAGE } from '../../../codecs/chat/media-addresses.js';

type Body = Readonly<Record<string, unknown>>;

/** How many inputs a request may have. */
export const MAXIMUM_INPUTS = 2_048;

/** The largest number of a token: more than any vocabulary has. */
export const MAXIMUM_TOKEN = 2_147_483_647;

/** What each part of an input must have besides its type, and how it is checked. */
const CHECK_OF_PART: Readonly<Record<string, { readonly field: string; readonly check: Check }>> = {
  text: { field: 'text', check: textIssues },
  image_url: { field: 'image_url', check: urlIssues },
  input_audio: { field: 'input_audio', check: mediaIssues },
  input_video: { field: 'input_video', check: mediaIssues },
  input_file: { field: 'input_file', check: mediaIssues },
};

type Check = (value: unknown, path: string) => IssueWithReason[];

/** An input is a text, texts, tokens, lists of tokens, or inputs of parts (docs/interface/inference.md#embeddings). */
export function inputRules({ input }: Body): IssueWithReason[] {
  if (input === undefined) return [{ path: 'input', message: 'is required' }];
  if (!Array.isArray(input)) return textIssues(input, 'input');
  if (input.length === 0) return [{ path: 'input', message: 'must NOT have fewer than 1 items' }];
  const first: unknown = input[0];
  if (typeof first === 'number') return tokenIssues(input, 'input');
  if (input.length > MAXIMUM_INPUTS) {
    return [{ path: 'input', message: `must NOT have more than ${MAXIMUM_INPUTS} items` }];
  }
  const check = typeof first === 'string' ? textIssues : Array.isArray(first) ? tokenIssues : partsIssues;
  return input.flatMap((item: unknown, index) => check(item, joinPath('input', index)));
}

function textIssues(value: unknown, path: string): IssueWithReason[] {
  if (typeof value !== 'string') return [{ path, message: 'must be string' }];
  return value === '' ? [{ path, message: 'must NOT have fewer than 1 characters' }] : [];
}

function tokenIssues(value: unknown, path: string): IssueWithReason[] {
  if (!Array.isArray(value) || value.length === 0) return [{ path, message: 'must be a list of tokens' }];
  const wrong = value.findIndex((token) => !Number.isInteger(token) || token < 0 || token > MAXIMUM_TOKEN);
  return wrong === -1 ? [] : [{ path: joinPath(path, wrong), message: `must be integer from 0 to ${MAXIMUM_TOKEN}` }];
}

function partsIssues(value: unknown, path: string): IssueWithReason[] {
  if (!isObject(value)) return [{ path, message: 'must be object' }];
  const { content } = value;
  const place = joinPath(path, 'content');
  if (!Array.isArray(content) || content.length === 0) return [{ path: place, message: 'must be a list of parts' }];
  return content.flatMap((part: unknown, index) => partIssues(part, joinPath(place, index)));
}

function partIssues(part: unknown, path: string): IssueWithReason[] {
  if (!isObject(part)) return [{ path, message: 'must be object' }];
  const { type } = part;
  const known = typeof type === 'string' && Object.hasOwn(CHECK_OF_PART, type) ? CHECK_OF_PART[type] : undefined;
  if (known === undefined) {
    return [{ path: joinPath(path, 'type'), message: `must be one of: ${Object.keys(CHECK_OF_PART).join(', ')}` }];
  }
  return known.check(part[known.field], joinPath(path, known.field));
}

function urlIssues(value: unknown, path: string): IssueWithReason[] {
  if (!isObject(value)) return [{ path, message: 'must be object' }];
  return isUrl(value.url) ? [] : [{ path: joinPath(path, 'url'), message: URL_MESSAGE }];
}

function mediaIssues(value: unknown, path: string): IssueWithReason[] {
  if (!isObject(value)) return [{ path, message: 'must be object' }];
  const issues = textIssues(value.data, joinPath(path, 'data'));
  const isFormat = value.format === undefined || typeof value.format === 'string';
  return isFormat ? issues : [...issues, { path: joinPath(path, 'format'), message: 'must be string' }];
}
