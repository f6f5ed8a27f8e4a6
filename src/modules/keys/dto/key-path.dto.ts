import { TextField } from '../../../http/schema/fields.js';

/** Which key. */
export class KeyPath {
  @TextField({
    description: 'The hash of the key: the SHA-256 of the whole key, in lowercase hex.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    minLength: 1,
  })
  hash: string;
}
