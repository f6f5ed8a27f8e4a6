import { TextField } from '../../../http/schema/fields.js';

/** Which mapping. */
export class ScimGroupMappingPath {
  // Not a UUID field: an id of another form belongs to no mapping, which is a 404 and not a 400.
  @TextField({
    description: 'The UUID of the mapping.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60',
    minLength: 1,
  })
  id: string;
}
