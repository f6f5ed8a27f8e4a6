import { defineError } from '../errors/define-error.js';

/** Files configure the object: `metadata.owner` names whose, and `override=true` changes it nevertheless. */
export class ObjectManagedByFiles extends defineError(409, 'object_managed_by_files') {}
