import { defineError } from '../../http/errors/define-error.js';
import { IssueKind } from '../../http/errors/issue-kind.js';

/** The catalog does not have the model. */
export class ModelNotFound extends defineError(404, 'model_not_found') {}

/** A request names a model that the catalog does not have. */
export const UNKNOWN_MODEL = new IssueKind('unknown_model', (reference: string) => `${reference} is not a known model`);

/** A request names a provider that the catalog does not have. */
export const UNKNOWN_PROVIDER = new IssueKind('unknown_provider', (slug: string) => `${slug} is not a known provider`);

/** A model or provider is named in another form than answers of the public dialect have. */
export const REFERENCE_FORM = new IssueKind('reference_form', (wanted: string) => `must be written ${wanted}`);

/** A list names a model or provider twice, perhaps by two of its names. */
export const REPEATED_REFERENCE = new IssueKind(
  'repeated_reference',
  (first: string) => `must be there once, and is what ${first} names`,
);
