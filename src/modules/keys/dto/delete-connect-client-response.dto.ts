import { TrueField } from '../../../http/schema/fields.js';

/** The answer to deleteConnectClient. */
export class DeleteConnectClientResponse {
  @TrueField({
    description: 'The client is deleted, and so are the keys that it created and its codes.',
    example: true,
  })
  deleted: true;
}
