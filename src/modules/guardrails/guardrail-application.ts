/** Why a guardrail applies to a key: its workspace, its owner, the key itself, or because a request supposes so. */
export const APPLICATIONS = ['workspace', 'member', 'key', 'request'] as const;

export type Application = (typeof APPLICATIONS)[number];
