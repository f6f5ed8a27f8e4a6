import { NotFoundError } from '../../http/errors/domain-error.js';

/** The caller's workspace has no preset of this slug. */
export class PresetNotFound extends NotFoundError {
  constructor() {
    super('preset_not_found');
  }
}
