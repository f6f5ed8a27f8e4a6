/** What the requests of a key count toward. */
export interface RateContext {
  /** Null after the deletion of the default workspace. */
  readonly workspaceId: string | null;
  readonly keyRequestsPerMinute: number | null;
  readonly keyTokensPerMinute: number | null;
  readonly workspaceRequestsPerMinute: number | null;
  readonly workspaceTokensPerMinute: number | null;
}
