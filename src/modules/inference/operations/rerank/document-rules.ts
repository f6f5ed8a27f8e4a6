import { joinPath, type IssueWithReason } from '../../../../http/errors/issue.js';
import { isObject } from '../../../../http/validation/constraints.js';

/** How many documents a request may have, as at Cohere. */
export const MAXIMUM_DOCUMENTS = 10_000;

/** A document is a text, or an object with a text or an image (docs/interface/rerank.md). */
export function documentRules({ documents }: Readonly<Record<string, unknown>>): IssueWithReason[] {
  if (documents === undefined) return [{ path: 'documents', message: 'is required' }];
  if (!Array.isArray(documents)) return [{ path: 'documents', message: 'must be array' }];
  if (documents.length === 0) return [{ path: 'documents', message: 'must NOT have fewer than 1 items' }];
  if (documents.length > MAXIMUM_DOCUMENTS) {
    return [{ path: 'documents', message: `must NOT have more than ${MAXIMUM_DOCUMENTS} items` }];
  }
  return documents.flatMap((document: unknown, index) => issuesOf(document, joinPath('documents', index)));
}

function issuesOf(document: unknown, path: string): IssueWithReason[] {
  if (typeof document === 'string') return [];
  if (!isObject(document)) return [{ path, message: 'must be string or object' }];
  const { text, image } = document;
  if (text === undefined && image === undefined) return [{ path, message: 'must have a text or an image' }];
  return Object.entries({ text, image }).flatMap(([field, value]) =>
    value === undefined || typeof value === 'string'
      ? []
      : [{ path: joinPath(path, field), message: 'must be string' }],
  );
}
