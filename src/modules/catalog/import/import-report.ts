/** What an import did to one list, by what tells its entries apart. */
export interface ListReport {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly retired: readonly string[];
  readonly unchanged: number;
}

/** What an import did; a list that it had nothing for is left out. */
export interface ImportReport {
  /** By slug. */
  readonly providers?: ListReport;
  /** By id. */
  readonly models?: ListReport;
  /** By id. */
  readonly imageModels?: ListReport;
  /** By the id of the model and the tag. */
  readonly endpoints?: ListReport;
  /** By the id of the model and the slug of the provider. */
  readonly imageEndpoints?: ListReport;
  /** The number of aliases that there are afterwards. */
  readonly aliases: number;
}
