/** What members are: persons, or services that no directory knows and none can deactivate (docs/interface/members.md). */
export const MEMBER_KINDS = ['person', 'service'] as const;

export type MemberKind = (typeof MEMBER_KINDS)[number];

/** Who can deactivate a member: a directory (SCIM) undoes only what one did. */
export const DEACTIVATED_BY = ['directory', 'administrator'] as const;

export type DeactivatedBy = (typeof DEACTIVATED_BY)[number];

/**
 * What a member is for their organization. An `ended` member does not come back: a directory has deleted the person, or an administrator has
 * erased them. The row stays, because keys and what they have spent refer to it.
 */
export const MEMBER_STATUSES = ['active', 'deactivated', 'ended'] as const;

export type MemberStatus = (typeof MEMBER_STATUSES)[number];

/**
 * What becomes of the keys of members who are deactivated: all are suspended, or those for inference stay in force and management keys
 * alone are suspended.
 */
export const KEYS_OF_DEACTIVATED_MEMBERS = ['suspend', 'keep_api_keys'] as const;

export type KeysOfDeactivatedMembers = (typeof KEYS_OF_DEACTIVATED_MEMBERS)[number];

/** Who may allow applications a key on the consent page (docs/interface/consent.md#settings). */
export const CONSENT_BY = ['members', 'administrators'] as const;

export type ConsentBy = (typeof CONSENT_BY)[number];
