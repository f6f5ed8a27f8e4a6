import { PageQuery } from '../../../http/pagination/page-query.dto.js';
import { EnumField, IntegerField, UuidField } from '../../../http/schema/fields.js';

const CHOICES = ['true', 'false'] as const;

/** How many keys a page has, unless the caller asks for fewer. */
export const DEFAULT_KEYS_LIMIT = 100;

/** Which keys to list. */
export class ListKeysQuery extends PageQuery {
  @IntegerField({
    description: 'How many keys to answer at most.',
    example: DEFAULT_KEYS_LIMIT,
    minimum: 1,
    maximum: 100,
    optional: true,
    default: DEFAULT_KEYS_LIMIT,
  })
  override limit?: number;

  @EnumField(CHOICES, {
    description: 'Whether to list disabled keys as well; when left out, no.',
    example: 'true',
    optional: true,
  })
  include_disabled?: (typeof CHOICES)[number];

  @UuidField({
    description: 'The workspace whose keys to list; when left out, those of all workspaces.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61',
    optional: true,
  })
  workspace_id?: string;
}
