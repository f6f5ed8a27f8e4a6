/** The schema of users (RFC 7643, section 4.1). */
export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** The schema of groups (RFC 7643, section 4.2). */
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** The extension of users by what an enterprise knows of them (RFC 7643, section 4.3). */
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** An attribute, or a sub-attribute. All in lower case, because names have no case (RFC 7643, section 2.1). */
export interface AttributePath {
  /** Whether it belongs to the enterprise extension. */
  readonly isEnterprise: boolean;
  readonly attribute: string;
  readonly sub?: string;
}

const CORE_PREFIXES = [USER_SCHEMA, GROUP_SCHEMA].map((schema) => `${schema.toLowerCase()}:`);
const ENTERPRISE_PREFIX = `${ENTERPRISE_SCHEMA.toLowerCase()}:`;

/** RFC 7643, section 2.1, at most 64 characters; `$ref` is the only name with a dollar sign. */
const PATH = /^(\$ref|[a-z][\w-]{0,63})(?:\.(\$ref|[a-z][\w-]{0,63}))?$/;

/**
 * Reads `attribute`, `attribute.sub`, or either behind the URN of its schema.
 *
 * @returns undefined for anything else, such as a third level, `__proto__`, or the URN of an unknown schema
 */
export function attributePathOf(text: string): AttributePath | undefined {
  const lower = text.toLowerCase();
  const isEnterprise = lower.startsWith(ENTERPRISE_PREFIX);
  const prefix = isEnterprise ? ENTERPRISE_PREFIX : (CORE_PREFIXES.find((core) => lower.startsWith(core)) ?? '');
  const [, attribute, sub] = PATH.exec(lower.slice(prefix.length)) ?? [];
  if (attribute === undefined) return undefined;
  return { isEnterprise, attribute, ...(sub !== undefined && { sub }) };
}
