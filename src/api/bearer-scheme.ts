/** The name of the bearer scheme in the OpenAPI document. */
export const BEARER_SCHEME = 'bearer';
