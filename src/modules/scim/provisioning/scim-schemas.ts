import { ENTERPRISE_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from './scim-path.js';

/** The definition of an attribute, as `/Schemas` shows it (RFC 7643, section 7). */
export interface AttributeDefinition {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'complex' | 'reference';
  readonly multiValued: boolean;
  readonly description: string;
  readonly required: boolean;
  readonly caseExact?: boolean;
  readonly mutability: 'readWrite' | 'readOnly' | 'immutable';
  readonly returned: 'default' | 'always';
  readonly uniqueness?: 'none' | 'server';
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  readonly subAttributes?: readonly AttributeDefinition[];
}

/** A schema, as `/Schemas` shows it. */
export interface SchemaDefinition {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly AttributeDefinition[];
}

const WRITABLE = { required: false, mutability: 'readWrite', returned: 'default' } as const;

function text(name: string, description: string, more: Partial<AttributeDefinition> = {}): AttributeDefinition {
  const uniqueness = 'none';
  return { name, type: 'string', multiValued: false, description, caseExact: false, ...WRITABLE, uniqueness, ...more };
}

function flag(name: string, description: string): AttributeDefinition {
  return { name, type: 'boolean', multiValued: false, description, ...WRITABLE };
}

function reference(name: string, description: string, referenceTypes: readonly string[]): AttributeDefinition {
  const form = { type: 'reference', multiValued: false, caseExact: true, uniqueness: 'none' } as const;
  return { name, ...form, description, ...WRITABLE, referenceTypes };
}

function complex(
  name: string,
  description: string,
  subAttributes: readonly AttributeDefinition[],
  more: Partial<AttributeDefinition> = {},
): AttributeDefinition {
  return { name, type: 'complex', multiValued: false, description, ...WRITABLE, ...more, subAttributes };
}

/** An attribute with several values, each of a type. */
function several(
  name: string,
  description: string,
  types: readonly string[],
  subAttributes: readonly AttributeDefinition[] = [text('value', `The value of one of the ${description}.`)],
): AttributeDefinition {
  const kind = text('type', 'What it is for.', { canonicalValues: types });
  const display = text('display', 'How it is shown.');
  const primary = flag('primary', 'Whether it is preferred to the others.');
  const subs = [...subAttributes, display, kind, primary];
  return complex(name, `The ${description} of the user.`, subs, { multiValued: true });
}

const EXTERNAL_ID = text('externalId', 'The id that the directory has for the resource.', { caseExact: true });

/** The common attributes that the service writes, whatever the resource is (RFC 7643, section 3.1). */
const COMMON_READ_ONLY: ReadonlySet<string> = new Set(['id', 'meta']);

/**
 * Whether only the service writes an attribute, or a part of it.
 *
 * @param attribute in lower case
 * @param attributes of the resource, by their names in lower case
 */
export function isReadOnly(attribute: string, attributes: ReadonlyMap<string, AttributeDefinition>): boolean {
  return COMMON_READ_ONLY.has(attribute) || attributes.get(attribute)?.mutability === 'readOnly';
}

/** What is kept of a user, besides the common attributes. */
export const USER_ATTRIBUTES: readonly AttributeDefinition[] = [
  text(
    'userName',
    'The name by which the directory knows the user; unique in the organization without regard to case.',
    {
      required: true,
      uniqueness: 'server',
    },
  ),
  EXTERNAL_ID,
  complex('name', 'The parts of the name.', [
    text('formatted', 'The whole name.'),
    text('familyName', 'The family name.'),
    text('givenName', 'The given name.'),
    text('middleName', 'The middle names.'),
    text('honorificPrefix', 'The title before the name.'),
    text('honorificSuffix', 'What stands behind the name.'),
  ]),
  text('displayName', 'The name that is shown.'),
  text('nickName', 'The casual name.'),
  reference('profileUrl', 'The page of the user.', ['external']),
  text('title', 'The title of the position.'),
  text('userType', 'How the user relates to the organization.'),
  text('preferredLanguage', 'The preferred language.'),
  text('locale', 'The locale, for numbers and times.'),
  text('timezone', 'The time zone.'),
  flag('active', 'Whether the user may act; false suspends all keys of the user.'),
  several('emails', 'e-mail addresses', ['work', 'home', 'other']),
  several('phoneNumbers', 'telephone numbers', ['work', 'home', 'mobile', 'fax', 'pager', 'other']),
  several(
    'addresses',
    'addresses',
    ['work', 'home', 'other'],
    [
      text('formatted', 'The whole address.'),
      text('streetAddress', 'Street and number.'),
      text('locality', 'The town.'),
      text('region', 'The region.'),
      text('postalCode', 'The postal code.'),
      text('country', 'The country.'),
    ],
  ),
  several('roles', 'roles', ['work', 'other']),
  complex(
    'groups',
    'The groups of the user, which change by the groups alone.',
    [
      text('value', 'The id of the group.', { mutability: 'readOnly' }),
      { ...reference('$ref', 'The address of the group.', ['Group']), mutability: 'readOnly' },
      text('display', 'The name of the group.', { mutability: 'readOnly' }),
      text('type', 'How the user is in it.', { mutability: 'readOnly', canonicalValues: ['direct'] }),
    ],
    { multiValued: true, mutability: 'readOnly' },
  ),
];

/** What is kept of a user under the enterprise extension. */
export const ENTERPRISE_ATTRIBUTES: readonly AttributeDefinition[] = [
  text('employeeNumber', 'The number of the employee.'),
  text('costCenter', 'The cost center.'),
  text('organization', 'The organization.'),
  text('division', 'The division.'),
  text('department', 'The department.'),
  complex('manager', 'The manager of the user.', [
    text('value', 'The id of the manager.'),
    reference('$ref', 'The address of the manager.', ['User']),
    text('displayName', 'The name of the manager.'),
  ]),
];

/** What is kept of a group. */
export const GROUP_ATTRIBUTES: readonly AttributeDefinition[] = [
  text('displayName', 'The name; unique in the organization without regard to case.', {
    required: true,
    uniqueness: 'server',
  }),
  EXTERNAL_ID,
  complex(
    'members',
    'The users in the group.',
    [
      text('value', 'The id of the user.', { caseExact: true, mutability: 'immutable' }),
      { ...reference('$ref', 'The address of the user.', ['User']), mutability: 'immutable' },
      text('display', 'The user name.', { mutability: 'readOnly' }),
      text('type', 'What kind of member it is.', { mutability: 'immutable', canonicalValues: ['User'] }),
    ],
    { multiValued: true },
  ),
];

/** All schemas. */
export const SCHEMAS: readonly SchemaDefinition[] = [
  { id: USER_SCHEMA, name: 'User', description: 'A member of the organization', attributes: USER_ATTRIBUTES },
  { id: GROUP_SCHEMA, name: 'Group', description: 'A group of members', attributes: GROUP_ATTRIBUTES },
  {
    id: ENTERPRISE_SCHEMA,
    name: 'EnterpriseUser',
    description: 'What an enterprise knows of a user',
    attributes: ENTERPRISE_ATTRIBUTES,
  },
];

/** Attributes by their names in lower case. */
export function attributesByName(attributes: readonly AttributeDefinition[]): ReadonlyMap<string, AttributeDefinition> {
  return new Map(attributes.map((attribute) => [attribute.name.toLowerCase(), attribute]));
}
