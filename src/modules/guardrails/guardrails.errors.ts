import { joinPath, type ReasonedIssue } from '../../http/errors/issue.js';

/** A request names a model that the catalog does not have. */
export function unknownModel(field: string, index: number, reference: string): ReasonedIssue {
  return { path: joinPath(field, index), message: `${reference} is not a known model`, reason: 'unknown_model' };
}

/** A request names a provider that the catalog does not have. */
export function unknownProvider(field: string, index: number, slug: string): ReasonedIssue {
  return { path: joinPath(field, index), message: `${slug} is not a known provider`, reason: 'unknown_provider' };
}
