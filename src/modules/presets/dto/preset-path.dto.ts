import { TextField } from '../../../http/schema/fields.js';

/** Which preset. */
export class PresetPath {
  @TextField({
    description: 'The slug of the preset, unique in its workspace.',
    example: 'support-bot',
    minLength: 1,
    maxLength: 100,
    pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  })
  slug: string;
}
