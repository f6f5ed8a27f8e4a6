import { PageQuery } from '../../../http/pagination/page-query.dto.js';
import { TextField, TimestampField } from '../../../http/schema/fields.js';

/** Which events to list. */
export class ListAuditEventsQuery extends PageQuery {
  @TextField({
    description:
      'Only what this user or Connect client has done, or `command_line` or `anonymous` for what was done by neither.',
    example: 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62',
    minLength: 1,
    maxLength: 200,
    optional: true,
  })
  actor?: string;

  @TextField({
    description: 'Only this action.',
    example: 'guardrail.create',
    pattern: '^[a-z][a-z_]{0,49}\\.[a-z][a-z_]{0,49}$',
    optional: true,
  })
  action?: string;

  @TextField({
    description: 'Only what was done to this: an id, or the hash of a key.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60',
    minLength: 1,
    maxLength: 200,
    optional: true,
  })
  target?: string;

  @TimestampField({ description: 'Only from this time on.', optional: true })
  since?: string;

  @TimestampField({ description: 'Only before this time.', optional: true })
  until?: string;
}
