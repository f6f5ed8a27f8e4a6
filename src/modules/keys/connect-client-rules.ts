import { joinPath, type ReasonedIssue } from '../../http/errors/issue.js';
import { callbackUrlFaults } from './authorization-code-rules.js';

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
