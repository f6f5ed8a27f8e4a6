import { NotFoundError } from '../../http/errors/domain-error.js';

/** The catalog has no such model. */
export class ModelNotFound extends NotFoundError {
  constructor() {
    super('model_not_found');
  }
}
