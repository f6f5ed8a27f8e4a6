import { joinPath, type ReasonedIssue } from '../../http/errors/issue.js';
import { callbackUrlFaults } from './callback-url.js';

/** Each callback URL is one that a code may be sent to, and is given once. */
export function acceptableCallbackUrls(body: Readonly<Record<string, unknown>>): ReasonedIssue[] {
  const urls: unknown = body['callback_urls'];
  if (!Array.isArray(urls)) return [];
  return urls.flatMap((url: unknown, index) => {
    const path = joinPath('callback_urls', index);
    const isRepeated = urls.indexOf(url) < index;
    return isRepeated ? [{ path, message: 'is given twice' }] : callbackUrlFaults(path, url);
  });
}
