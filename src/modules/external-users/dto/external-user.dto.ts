import { DataOf, PageOf } from '../../../http/openapi/response-envelopes.js';
import { PageQuery } from '../../../http/pagination/pagination.js';
import { BooleanField, EnumField, TextField, TimestampField } from '../../../http/validation/fields.js';
import { PathIdField } from '../../../http/validation/id-fields.js';

const USER = {
  description:
    'What the organization calls the user, as in `user` of requests of inference and `external.user` of keys.',
  example: 'customer-4711',
  minLength: 1,
  maxLength: 512,
} as const;

const IS_ACTIVE = { description: 'Whether the user is active. It blocks no request of inference.', example: true };

/** A user of the organization's own product. */
export class ExternalUser {
  @TextField(USER)
  user: string;

  @BooleanField(IS_ACTIVE)
  is_active: boolean;

  @TimestampField({ description: 'When it was registered.' })
  created_at: string;

  @TimestampField({ description: 'When it was last changed.' })
  updated_at: string;
}

/** Which user. */
export class ExternalUserPath {
  @PathIdField('What the organization calls the user.', USER.example)
  user: string;
}

const CHOICES = ['false', 'true'] as const;

/** Which users, and which page of them. */
export class ListExternalUsersQuery extends PageQuery {
  @TextField({ ...USER, description: 'Only the user of exactly this name.', optional: true })
  user?: string;

  @EnumField(CHOICES, {
    description: 'Whether users that are not active are listed too.',
    example: 'true',
    optional: true,
    default: 'false',
  })
  include_inactive?: (typeof CHOICES)[number];
}

/** A request to register a user. */
export class CreateExternalUserRequest {
  @TextField(USER)
  user: string;
}

/** A request to change a user; the name stays. */
export class UpdateExternalUserRequest {
  @BooleanField({ ...IS_ACTIVE, optional: true })
  is_active?: boolean;
}

/** The answer to createExternalUser, getExternalUser and updateExternalUser. */
export class ExternalUserResponse extends DataOf(ExternalUser) {}

/** The answer to listExternalUsers. */
export class ListExternalUsersResponse extends PageOf(ExternalUser) {}
