import { defineError } from '../../http/errors/define-error.js';
import { IssueKind } from '../../http/errors/issue-kind.js';

/** The catalog does not have the model. */
export class ModelNotFound extends defineError(404, 'model_not_found') {}

/** A request names a model that the catalog does not have. */
export const UNKNOWN_MODEL = new IssueKind('unknown_model', (reference: string) => `${reference} is not a known model`);

/** A request names a provider that the catalog does not have. */
export const UNKNOWN_PROVIDER = new IssueKind('unknown_provider', (slug: string) => `${slug} is not a known provider`);
