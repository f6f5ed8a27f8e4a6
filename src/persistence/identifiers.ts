import { v5, v7 } from 'uuid';

/** The UUIDv5 namespace of default guardrail ids. It must never change, because clients store the ids. */
const DEFAULT_GUARDRAILS = '2a6f0c7e-6f0b-4d0e-9a54-5d1c8f3be7a1';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Generates the id of a new row: a UUIDv7 (RFC 9562, section 5.7), which increases with time, so that inserts touch few
 * index pages.
 */
export function newUuid(): string {
  return v7();
}

/** The id of a workspace's default guardrail: UUIDv5 (RFC 9562, section 5.5) of the workspace's id in lower case. */
export function defaultGuardrailIdOf(workspaceId: string): string {
  return v5(workspaceId.toLowerCase(), DEFAULT_GUARDRAILS);
}

/** A new user's id. */
export function newUserId(): string {
  return `user_${compact(newUuid())}`;
}

/** A new organization's id. */
export function newOrganizationId(): string {
  return `org_${compact(newUuid())}`;
}

/** Whether a text has the form of a UUID of any version, ignoring case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

function compact(uuid: string): string {
  return uuid.replaceAll('-', '');
}
