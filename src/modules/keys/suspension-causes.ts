/**
 * Why a key can be suspended. Each cause is put and taken away by itself, and as long as one is left the key is refused
 * (docs/interface/keys-and-oauth.md#suspended-keys). `workspace_membership`: its owner was taken out of its workspace. `member_deactivated`:
 * its owner is deactivated in the organization, or has ended.
 */
export const SUSPENSION_CAUSES = ['workspace_membership', 'member_deactivated'] as const;

export type SuspensionCause = (typeof SUSPENSION_CAUSES)[number];
