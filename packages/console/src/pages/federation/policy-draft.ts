import type { Schema } from '../../api/types';

type Policy = Schema<'FederationPolicy'>;

/** What stands in the form of a policy. */
export interface PolicyDraft {
  readonly name: string;
  readonly issuer: string;
  readonly subject: string;
  readonly condition: string;
  readonly audience: string;
  readonly scope: string;
  readonly tokenType: string;
  /** Its hash. */
  readonly key: string;
  readonly enabled: boolean;
}

/** What a policy has. */
export function draftOf(policy: Policy): PolicyDraft {
  return {
    name: policy.name,
    issuer: policy.issuer_id,
    subject: policy.subject ?? '',
    condition: policy.condition ?? '',
    audience: policy.audience,
    scope: policy.required_scope ?? '',
    tokenType: policy.required_token_type ?? '',
    key: policy.key_hash,
    enabled: policy.enabled,
  };
}

/** What a new one has at first. @param audience the address of the gateway, for which its tokens usually are */
export function newDraft(audience: string): PolicyDraft {
  return {
    name: '',
    issuer: '',
    subject: '',
    condition: '',
    audience,
    scope: '',
    tokenType: '',
    key: '',
    enabled: true,
  };
}

/** What can be changed of a policy, as the interface takes it: what is empty asks for nothing. */
export function toRequest(draft: PolicyDraft): Omit<Schema<'CreateFederationPolicyRequest'>, 'issuer_id'> {
  return {
    name: draft.name.trim(),
    subject: textOrNull(draft.subject),
    condition: textOrNull(draft.condition),
    audience: draft.audience.trim(),
    required_scope: textOrNull(draft.scope),
    required_token_type: textOrNull(draft.tokenType),
    key_hash: draft.key.trim(),
    enabled: draft.enabled,
  };
}

function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}
