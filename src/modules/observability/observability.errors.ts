import { NotFoundError } from '../../http/errors/domain-error.js';

/** The organization has no destination of this id. */
export class DestinationNotFound extends NotFoundError {
  constructor() {
    super('destination_not_found');
  }
}
