import { createHash } from 'node:crypto';
import type { Attributes } from './attribute-value.js';
import { ENTERPRISE_SCHEMA, USER_SCHEMA } from './scim-path.js';
import type { GroupOfUser, ProvisionedUser, StoredUser } from './scim-users.repository.js';
import type { UserDocument } from './user-document.js';

/** The user as a directory has written it, or would have to write it for a member whom no directory manages. */
export function toUserDocument(user: ProvisionedUser): UserDocument {
  return {
    userName: user.scimUserName ?? user.email,
    externalId: user.externalId,
    active: user.deactivatedAt === null,
    attributes: user.attributes ?? attributesOfMember(user),
  };
}

/** A name is divided at its first space; of a single word both parts are that: directories demand both. */
function attributesOfMember({ name, email, givenName, familyName }: ProvisionedUser): Attributes {
  const [first = '', ...rest] = name.trim().split(' ');
  const given = givenName ?? first;
  const family = familyName ?? (rest.join(' ').trim() || given);
  return {
    displayName: name,
    name: { formatted: name, givenName: given, familyName: family },
    emails: [{ value: email, type: 'work', primary: true }],
  };
}

/** The version of a user, as a weak entity tag: it changes with whatever a directory can write. */
export function versionOfUser(user: ProvisionedUser): string {
  const digest = createHash('sha256')
    .update(JSON.stringify(toUserDocument(user)))
    .digest('base64url');
  return `W/"${digest.slice(0, 16)}"`;
}

/** A user as SCIM shows it. @param base what stands before `/Users` */
export function toUserResource(user: ProvisionedUser, groups: readonly GroupOfUser[], base: string): Attributes {
  const { userName, externalId, active, attributes } = toUserDocument(user);
  const { [ENTERPRISE_SCHEMA]: enterprise, ...core } = attributes;
  return {
    schemas: [USER_SCHEMA, ...(enterprise === undefined ? [] : [ENTERPRISE_SCHEMA])],
    id: user.userId,
    ...(externalId !== null && { externalId }),
    userName,
    ...core,
    active,
    ...(groups.length > 0 && {
      groups: groups.map(({ groupId, displayName }) => ({
        value: groupId,
        $ref: `${base}/Groups/${groupId}`,
        display: displayName,
        type: 'direct',
      })),
    }),
    ...(enterprise !== undefined && { [ENTERPRISE_SCHEMA]: enterprise }),
    meta: {
      resourceType: 'User',
      created: user.createdAt.toISOString(),
      lastModified: user.updatedAt.toISOString(),
      location: `${base}/Users/${user.userId}`,
      version: versionOfUser(user),
    },
  };
}

/** A user as it is stored. */
export function toStoredUser({ userName, externalId, attributes }: UserDocument): StoredUser {
  return { userName, userNameKey: userName.toLowerCase(), externalId, attributes };
}

/** How the organization calls a user, outside of SCIM. */
export interface UserDescription {
  readonly name: string;
  readonly email: string;
  readonly givenName: string | null;
  readonly familyName: string | null;
}

/** What the organization calls a user: what is shown, or else the parts of the name, or the user name; the primary address, or any. */
export function toUserDescription({ userName, attributes }: UserDocument): UserDescription {
  const name = (attributes['name'] ?? {}) as Readonly<Record<string, string | undefined>>;
  const emails = (attributes['emails'] ?? []) as readonly { readonly value?: string; readonly primary?: boolean }[];
  const { givenName = null, familyName = null } = name;
  const parts = [givenName, familyName].filter((part) => part !== null).join(' ');
  const displayName = attributes['displayName'] as string | undefined;
  return {
    name: displayName ?? name['formatted'] ?? (parts || userName),
    email:
      (
        emails.find(({ primary, value }) => primary === true && value !== undefined) ??
        emails.find(({ value }) => value !== undefined)
      )?.value ?? userName,
    givenName,
    familyName,
  };
}

/** The names of what two states of a user differ in, for the trail: never the values, which are about a person. */
export function changedAttributes(before: UserDocument, after: UserDocument): string[] {
  const flat = ({ userName, externalId, attributes }: UserDocument): Attributes => ({
    userName,
    externalId,
    ...attributes,
  });
  const [one, other] = [flat(before), flat(after)];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((name) => canonical(one[name]) !== canonical(other[name]))
    .sort();
}

/** JSON with the names of objects in order: PostgreSQL gives them back in another. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)))
      : item,
  );
}
