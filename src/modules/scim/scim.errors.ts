import { NotFoundError } from '../../http/errors/domain-error.js';

/** The organization has no identity provider connected, so for it there is no SCIM. */
export class ScimNotEnabled extends NotFoundError {
  constructor() {
    super('scim_not_enabled');
  }
}

/** The organization has no group of this id. */
export class ScimGroupNotFound extends NotFoundError {
  constructor() {
    super('scim_group_not_found');
  }
}

/** The organization has no mapping of this id. */
export class ScimGroupMappingNotFound extends NotFoundError {
  constructor() {
    super('scim_group_mapping_not_found');
  }
}
