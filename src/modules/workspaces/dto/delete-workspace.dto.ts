import { BooleanField, TrueField } from '../../../http/schema/fields.js';

/** How to delete a workspace. */
export class DeleteWorkspaceQuery {
  @BooleanField({
    description: 'Must be true where the workspace is the default one, and has no effect on others.',
    example: true,
    optional: true,
    default: false,
  })
  confirm_default_workspace_deletion?: boolean;
}

/** The answer to deleteWorkspace. */
export class DeleteWorkspaceResponse {
  @TrueField({ description: 'The workspace is gone, with everything in it.', example: true })
  deleted: true;
}
