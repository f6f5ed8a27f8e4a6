import { PageOf } from '../../../api/openapi/response-envelopes.js';
import { TextField, TimestampField, UuidField } from '../../../api/validation/fields.js';

/** A group that the organization's identity provider has pushed. */
export class ScimGroup {
  @UuidField({ description: 'The id of the group.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f63' })
  id: string;

  @TextField({ description: 'The id of the organization.', example: 'org_019aa3f05b1e7c409d0e3d1c2b4a5f64' })
  organization_id: string;

  @TextField({
    description: "The identity provider's id of the group.",
    example: '00g1emaKYZTWRYYRRTSK',
    nullable: true,
  })
  external_id: string | null;

  @TextField({ description: "The identity provider's name of the group.", example: 'Engineering' })
  display_name: string;

  @TimestampField({ description: 'When the group was first pushed.' })
  created_at: string;

  @TimestampField({ description: 'When it was last changed.' })
  updated_at: string;
}

/** The answer to listScimGroups. */
export class ListScimGroupsResponse extends PageOf(ScimGroup) {}
