import { joinPath, type IssueWithReason } from '../../../../http/errors/issue.js';
import { isObject } from '../../../../http/validation/constraints.js';
import { isUrl, URL_MESSAGE } from '../../../codecs/chat/media-addresses.js';

/** How many inputs, or parts of one, a request may have. */
export const MAXIMUM_INPUTS = 2_048;

/** An input is a text, texts, or parts (docs/interface/inference.md#moderations). */
export function moderatedInputRules({ input }: Readonly<Record<string, unknown>>): IssueWithReason[] {
  if (input === undefined) return [{ path: 'input', message: 'is required' }];
  if (!Array.isArray(input)) return textIssues(input, 'input');
  if (input.length === 0) return [{ path: 'input', message: 'must NOT have fewer than 1 items' }];
  if (input.length > MAXIMUM_INPUTS) {
    return [{ path: 'input', message: `must NOT have more than ${MAXIMUM_INPUTS} items` }];
  }
  const check = typeof input[0] === 'string' ? textIssues : partIssues;
  return input.flatMap((one: unknown, index) => check(one, joinPath('input', index)));
}

function textIssues(value: unknown, path: string): IssueWithReason[] {
  return typeof value === 'string' ? [] : [{ path, message: 'must be string' }];
}

function partIssues(value: unknown, path: string): IssueWithReason[] {
  if (!isObject(value)) return [{ path, message: 'must be object' }];
  if (value.type === 'text') return textIssues(value.text, joinPath(path, 'text'));
  if (value.type !== 'image_url') {
    return [{ path: joinPath(path, 'type'), message: 'must be equal to one of the allowed values: text, image_url' }];
  }
  const url = isObject(value.image_url) ? value.image_url.url : undefined;
  const place = joinPath(joinPath(path, 'image_url'), 'url');
  if (typeof url !== 'string') return [{ path: place, message: 'must be string' }];
  return isUrl(url) ? [] : [{ path: place, message: URL_MESSAGE }];
}
