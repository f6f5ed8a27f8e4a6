import { IntegerField } from '../../../http/schema/fields.js';

/** The longest time that an old secret can be taken beside the new one: a week, in seconds. */
const MAXIMUM_GRACE_SECONDS = 604_800;

/** The body of rotateKey and rotateConnectClientSecret. */
export class RotateRequest {
  @IntegerField({
    description: 'How long the old secret is taken beside the new one, in seconds; when left out, it ends at once.',
    example: 3600,
    minimum: 0,
    maximum: MAXIMUM_GRACE_SECONDS,
    optional: true,
    default: 0,
  })
  grace_seconds?: number;
}
