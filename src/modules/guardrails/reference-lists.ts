/** The lists of a guardrail that name models. */
export const MODEL_LISTS = ['allowed_models', 'ignored_models'] as const;

/** Those that name providers. */
export const PROVIDER_LISTS = ['allowed_providers', 'ignored_providers'] as const;

export type ReferenceList = (typeof MODEL_LISTS)[number] | (typeof PROVIDER_LISTS)[number];

/** The canonical models and providers of a request's lists; undefined for a list that the request leaves out. */
export type ReferenceLists = Readonly<Record<ReferenceList, string[] | null | undefined>>;
