import { TextField } from '../../../http/schema/fields.js';

/** Which Connect client. */
export class ConnectClientPath {
  @TextField({
    description: 'The id of the client. Anything that is not a UUID is the id of no client.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61',
    minLength: 1,
  })
  id: string;
}
