import { ConflictError, NotFoundError } from '../../http/errors/domain-error.js';
import { joinPath, type ReasonedIssue } from '../../http/errors/issue.js';

/** The organization has no destination of this id. */
export class DestinationNotFound extends NotFoundError {
  constructor() {
    super('destination_not_found');
  }
}

/** The workspace has as many destinations of the type as it may have. */
export class TooManyDestinations extends ConflictError {
  constructor() {
    super('too_many_destinations');
  }
}

/** A request names a key that the organization does not have. */
export function unknownKey(index: number): ReasonedIssue {
  return {
    path: joinPath('api_key_hashes', index),
    message: 'is not the hash of an API key of the organization',
    reason: 'key_not_found',
  };
}
