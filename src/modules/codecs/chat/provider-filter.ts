/** What a provider's own filter says of a request or its answer, in one form for all providers (docs/interface/providers.md#filters-of-providers). */
export interface ProviderFilter {
  readonly source: 'prompt' | 'answer';
  /** The provider's word in lower case, such as `hate`. */
  readonly category: string;
  readonly filtered: boolean;
  /** How much of it there is, such as `medium`; absent where the provider does not say. */
  readonly severity?: string;
  /** Whether it was found; absent where the provider does not say. */
  readonly detected?: boolean;
}
