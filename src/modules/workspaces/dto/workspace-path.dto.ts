import { TextField } from '../../../http/schema/fields.js';

/** Which workspace. */
export class WorkspacePath {
  @TextField({ description: 'The workspace: its UUID or its slug.', example: 'default', minLength: 1 })
  id: string;
}
