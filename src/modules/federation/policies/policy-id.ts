import { isUuid } from '../../../persistence/identifiers.js';
import { organizationIdOf, organizationPartOf } from '../../keys/credentials/key-format.js';

const POLICY_ID = /^fp-([0-9A-Za-z]{22})-([0-9a-f-]{36})$/;

/** What the id of a policy says. */
export interface PolicyReference {
  readonly organizationId: string;
  /** The id of the row. */
  readonly id: string;
}

/** The id of a policy, which states its organization as credentials do, because an exchange says nothing else about it. */
export function policyIdOf({ organizationId, id }: PolicyReference): string {
  return `fp-${organizationPartOf(organizationId)}-${id}`;
}

/** What the id of a policy says. @returns undefined for a text that no policy has as its id */
export function policyReferenceOf(text: string): PolicyReference | undefined {
  const [, part = '', id = ''] = POLICY_ID.exec(text) ?? [];
  const organizationId = organizationIdOf(part);
  return organizationId === undefined || !isUuid(id) ? undefined : { organizationId, id };
}
