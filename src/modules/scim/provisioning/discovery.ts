import { MAXIMUM_COUNT } from './list-request.js';
import { ENTERPRISE_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from './scim-path.js';
import { SCHEMAS } from './scim-schemas.js';

/** What the interface can do (RFC 7643, section 5). @param base what stands before `/Users` */
export function serviceProviderConfig(base: string): object {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAXIMUM_COUNT },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Provisioning token',
        description: 'Authorization: Bearer, and the token that "gatehouse scim token create" prints.',
        specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  };
}

/** The types of resources (RFC 7643, section 6). */
export function resourceTypes(base: string): { readonly id: string }[] {
  const type = (
    id: string,
    endpoint: string,
    description: string,
    schema: string,
    extensions: object[],
  ): { readonly id: string; readonly [name: string]: unknown } => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id,
    name: id,
    endpoint,
    description,
    schema,
    ...(extensions.length > 0 && { schemaExtensions: extensions }),
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${id}` },
  });
  const enterprise = { schema: ENTERPRISE_SCHEMA, required: false };
  return [
    type('User', '/Users', 'Members of the organization', USER_SCHEMA, [enterprise]),
    type('Group', '/Groups', 'Groups of members', GROUP_SCHEMA, []),
  ];
}

/** The schemas, with every attribute that is kept (RFC 7643, section 7). */
export function schemas(base: string): { readonly id: string; readonly meta: object }[] {
  return SCHEMAS.map((schema) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    ...schema,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema.id}` },
  }));
}
