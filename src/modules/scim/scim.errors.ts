import { NotFoundError } from '../../http/errors/domain-error.js';

/** The organization has no identity provider connected, so for it there is no SCIM. */
export class ScimNotEnabled extends NotFoundError {
  constructor() {
    super('scim_not_enabled');
  }
}
