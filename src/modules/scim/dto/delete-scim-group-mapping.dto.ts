import { BooleanField, TrueField } from '../../../http/schema/fields.js';

/** What becomes of the members when a mapping is deleted. */
export class DeleteScimGroupMappingQuery {
  @BooleanField({
    description:
      'true: whoever is a member by this mapping stays one, as if added by hand. false: whoever is a member by this mapping alone is one no longer.',
    example: false,
  })
  keep_members: boolean;
}

/** The answer to deleteScimGroupMapping. */
export class DeleteScimGroupMappingResponse {
  @TrueField({ description: 'The mapping is deleted.', example: true })
  deleted: true;
}
