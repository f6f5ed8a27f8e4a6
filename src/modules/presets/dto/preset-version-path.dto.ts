import { TextField } from '../../../http/schema/fields.js';
import { PresetPath } from './preset-path.dto.js';

/** Which version of a preset. */
export class PresetVersionPath extends PresetPath {
  @TextField({ description: 'The number of the version.', example: '1', minLength: 1 })
  version: string;
}
