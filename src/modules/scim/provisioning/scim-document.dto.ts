import { BODY_LIMITS, BodyLimit } from '../../../http/input/body-limit.js';
import { AdditionalProperties } from '../../../http/validation/dto-fields.js';

/** The query of an operation of SCIM: what is not known is ignored (RFC 7644, section 3.4.2). */
@AdditionalProperties()
export class ScimQuery {
  [name: string]: unknown;
}

/** Which resource. An id of any form is a resource that may not exist. */
@AdditionalProperties()
export class ScimResourcePath {
  readonly id: string;
}

/** The body of an operation of SCIM: an object, which its service reads by the schemas of SCIM. */
@AdditionalProperties()
@BodyLimit(BODY_LIMITS.medium)
export class ScimDocument {
  [name: string]: unknown;
}

/** The document of a group, which has all of its members. */
@AdditionalProperties()
@BodyLimit(BODY_LIMITS.large)
export class ScimGroupDocument {
  [name: string]: unknown;
}
