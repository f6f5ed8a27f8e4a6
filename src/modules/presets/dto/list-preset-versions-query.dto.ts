import { PageQuery } from '../../../http/pagination/page-query.dto.js';
import { UuidField } from '../../../http/schema/fields.js';

/** Which versions to list. */
export class ListPresetVersionsQuery extends PageQuery {
  @UuidField({
    description: "The workspace of the preset; when left out, the key's own, and for a management key the default one.",
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61',
    optional: true,
  })
  workspace_id?: string;
}
