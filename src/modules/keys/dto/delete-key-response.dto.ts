import { TrueField } from '../../../http/schema/fields.js';

/** The answer to deleteKeys. */
export class DeleteKeysResponse {
  @TrueField({ description: 'The key is deleted, and no replica accepts it any more.', example: true })
  deleted: true;
}
