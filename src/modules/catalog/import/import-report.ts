/** What an import did to one list, by the ids of models. */
export interface ListReport {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly retired: readonly string[];
  readonly unchanged: number;
}

/** What an import did; a list that it had nothing for is left out. */
export interface ImportReport {
  readonly models?: ListReport;
  readonly imageModels?: ListReport;
  /** The number of aliases that there are afterwards. */
  readonly aliases: number;
}
