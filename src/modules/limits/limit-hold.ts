/** What a request that is being answered has reserved of one counter of a limit. Amounts are decimal text in the measure of the limit. */
export interface LimitHold {
  readonly limitId: string;
  /** As `combinationOf` names it. */
  readonly combination: string;
  /** When the window began, in ISO 8601. */
  readonly windowStart: string;
  /** The amount if a provider key of the deployment is used. */
  readonly amount: string;
  /** The amount if a provider key of the organization's own is used. */
  readonly byokAmount: string;
  /** Set where nothing of it is used in the end: it counts only while the request is being answered. */
  readonly isReleased?: true;
}
