import { TextField } from '../../../http/validation/fields.js';
import { UserIdField } from '../../../http/validation/id-fields.js';

/** Who asked, as records and lists of them say it. */
export class GenerationNames {
  @TextField({
    description: 'The hash of the key; null if it has been deleted.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    nullable: true,
  })
  key_hash: string | null;

  @TextField({
    description: 'The name of the key; null if it has been deleted.',
    example: 'Production',
    nullable: true,
  })
  key_name: string | null;

  @TextField({
    description: 'The masked key; null if it has been deleted.',
    example: 'sk-gate-v2-9f8...c21',
    nullable: true,
  })
  key_label: string | null;

  @UserIdField('The owner of the key at the time of the request.')
  user_id: string;

  @TextField({ description: 'The name of the owner.', example: 'Ada Lovelace', nullable: true })
  user_name: string | null;
}
