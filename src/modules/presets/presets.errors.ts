import { NotFoundError } from '../../http/errors/domain-error.js';
import type { ReasonedIssue } from '../../http/errors/issue.js';

/** The caller's workspace has no preset of this slug. */
export class PresetNotFound extends NotFoundError {
  constructor() {
    super('preset_not_found');
  }
}

/** The preset has no version of this number. */
export class PresetVersionNotFound extends NotFoundError {
  constructor() {
    super('preset_version_not_found');
  }
}

/** The body of an inference names a model that the catalog does not have. */
export function unknownModel(path: string, reference: string): ReasonedIssue {
  return { path, message: `${reference} is not a known model`, reason: 'unknown_model' };
}
