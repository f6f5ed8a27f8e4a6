import { v7 } from 'uuid';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A new row's id: UUIDv7 (RFC 9562, section 5.7), which rises with time, so that index pages stay local. */
export function newUuid(): string {
  return v7();
}

/** A new user's id. */
export function newUserId(): string {
  return `user_${compact(newUuid())}`;
}

/** A new organization's id. */
export function newOrganizationId(): string {
  return `org_${compact(newUuid())}`;
}

/** Whether a text has the form of a UUID, of any version and in capitals or not. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

function compact(uuid: string): string {
  return uuid.replaceAll('-', '');
}
