import { PageQuery } from '../../../http/pagination/page-query.dto.js';
import { UuidField } from '../../../http/schema/fields.js';

/** Which destinations to list. */
export class ListDestinationsQuery extends PageQuery {
  @UuidField({
    description: 'The workspace whose destinations to list; when left out, the default workspace.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61',
    optional: true,
  })
  workspace_id?: string;
}
