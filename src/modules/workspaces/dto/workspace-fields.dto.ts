/** What the fields of a workspace say of themselves in requests and answers alike. */
export const WORKSPACE_FIELDS = {
  name: { description: 'The name.', example: 'Research', minLength: 1, maxLength: 100 },
  slug: {
    description: 'The short name in paths, once in an organization. Nothing in the form of a UUID.',
    example: 'research',
    minLength: 1,
    maxLength: 50,
    pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  },
  description: { description: 'What it is for.', example: 'Experiments', maxLength: 500, nullable: true },
  defaultTextModel: {
    description: 'The model for text when a request names none.',
    example: 'openai/gpt-5.5',
    nullable: true,
  },
  defaultImageModel: {
    description: 'The model for images when a request names none.',
    example: 'google/gemini-3-pro-image',
    nullable: true,
  },
  defaultProviderSort: {
    description: 'What providers are sorted by when a request does not say.',
    example: 'price',
    nullable: true,
  },
  isObservabilityIoLoggingEnabled: {
    description: 'Whether the input and output of requests are logged.',
    example: false,
  },
  isObservabilityBroadcastEnabled: {
    description: 'Whether generations are sent to the destinations of the workspace.',
    example: false,
  },
  isDataDiscountLoggingEnabled: {
    description: 'Whether requests are logged in exchange for a discount.',
    example: false,
  },
  ioLoggingSamplingRate: {
    description: 'The part of the requests whose input and output are logged.',
    example: 1,
    minimum: 0,
    maximum: 1,
  },
  ioLoggingApiKeyIds: {
    description:
      'The numbers of the only keys whose requests are logged, as the gateway counts them; null is every key.',
    example: null,
    nullable: true,
    items: { minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  },
  disabledServerTools: {
    description: 'The names of the server tools that requests in the workspace cannot use; null is none.',
    example: ['web_search'],
    nullable: true,
    maxItems: 100,
    items: { minLength: 1, maxLength: 128 },
  },
} as const;

/** What answers that are about budgets say beside them. */
export const INCLUDE_BYOK_IN_BUDGETS = {
  description: "Whether spend through the callers' own provider keys counts toward the workspace's budgets as well.",
  example: false,
} as const;
