import { joinPath, type ReasonedIssue } from '../../http/errors/issue.js';
import { totalLengthFaults } from '../../http/input/size-rules.js';
import { callbackUrlFaults } from './callback-url.js';

/** How long the callback URLs of a Connect client may be together, in characters: a list has a hundred clients. */
const MAXIMUM_CALLBACK_URL_TEXT = 32_768;

/** The callback URLs of a client are not longer together than what is stored of them. */
export function boundedCallbackUrls(body: Readonly<Record<string, unknown>>): ReasonedIssue[] {
  const urls: unknown = body['callback_urls'];
  if (!Array.isArray(urls)) return [];
  const texts = urls.filter((url: unknown) => typeof url === 'string');
  return totalLengthFaults('callback_urls', texts, MAXIMUM_CALLBACK_URL_TEXT);
}

/** Each callback URL is one that a code may be sent to, and is given once. */
export function acceptableCallbackUrls(body: Readonly<Record<string, unknown>>): ReasonedIssue[] {
  const urls: unknown = body['callback_urls'];
  if (!Array.isArray(urls)) return [];
  const seen = new Set<unknown>();
  return urls.flatMap((url: unknown, index) => {
    const path = joinPath('callback_urls', index);
    const isRepeated = seen.has(url);
    seen.add(url);
    return isRepeated ? [{ path, message: 'is given twice' }] : callbackUrlFaults(path, url);
  });
}
