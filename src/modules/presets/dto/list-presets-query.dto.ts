import { PageQuery } from '../../../http/pagination/page-query.dto.js';
import { UuidField } from '../../../http/schema/fields.js';

/** Where a preset is looked for. */
function WorkspaceField(): PropertyDecorator {
  return UuidField({
    description: "The workspace of the preset; when left out, the key's own, and for a management key the default one.",
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61',
    optional: true,
  });
}

/** Which workspace. */
export class PresetWorkspaceQuery {
  @WorkspaceField()
  workspace_id?: string;
}

/** Which presets, or which versions of one, to list. */
export class ListPresetsQuery extends PageQuery {
  @WorkspaceField()
  workspace_id?: string;
}
