/** A provider of LiteLLM, by what stands before the first `/` of a model. */
export interface KnownProvider {
  /** The slug of the provider in the catalog. */
  readonly slug: string;
  /** The author of all its models; undefined where it serves those of others. */
  readonly author?: string;
  /** The variable from which LiteLLM takes the key where none is given. */
  readonly variable: string;
  /** Whether only the operator can connect it, because its address has a part of an account. */
  readonly isCloud?: boolean;
}

const OPENAI: KnownProvider = { slug: 'openai', author: 'openai', variable: 'OPENAI_API_KEY' };
const COHERE: KnownProvider = { slug: 'cohere', author: 'cohere', variable: 'COHERE_API_KEY' };
const BEDROCK: KnownProvider = { slug: 'amazon-bedrock', variable: 'AWS_BEARER_TOKEN_BEDROCK', isCloud: true };
const AZURE: KnownProvider = { slug: 'azure', author: 'openai', variable: 'AZURE_API_KEY', isCloud: true };

/** The providers that the catalog knows. */
export const KNOWN_PROVIDERS: ReadonlyMap<string, KnownProvider> = new Map<string, KnownProvider>([
  ['openai', OPENAI],
  ['text-completion-openai', OPENAI],
  ['anthropic', { slug: 'anthropic', author: 'anthropic', variable: 'ANTHROPIC_API_KEY' }],
  ['gemini', { slug: 'google-ai-studio', author: 'google', variable: 'GEMINI_API_KEY' }],
  ['mistral', { slug: 'mistral', author: 'mistralai', variable: 'MISTRAL_API_KEY' }],
  ['cohere', COHERE],
  ['cohere_chat', COHERE],
  ['deepseek', { slug: 'deepseek', author: 'deepseek', variable: 'DEEPSEEK_API_KEY' }],
  ['xai', { slug: 'xai', author: 'x-ai', variable: 'XAI_API_KEY' }],
  ['perplexity', { slug: 'perplexity', author: 'perplexity', variable: 'PERPLEXITYAI_API_KEY' }],
  ['ai21', { slug: 'ai21', author: 'ai21', variable: 'AI21_API_KEY' }],
  ['moonshot', { slug: 'moonshotai', author: 'moonshotai', variable: 'MOONSHOT_API_KEY' }],
  ['dashscope', { slug: 'alibaba', author: 'qwen', variable: 'DASHSCOPE_API_KEY' }],
  ['zai', { slug: 'z-ai', author: 'z-ai', variable: 'ZAI_API_KEY' }],
  ['minimax', { slug: 'minimax', author: 'minimax', variable: 'MINIMAX_API_KEY' }],
  ['groq', { slug: 'groq', variable: 'GROQ_API_KEY' }],
  ['together_ai', { slug: 'together', variable: 'TOGETHERAI_API_KEY' }],
  ['fireworks_ai', { slug: 'fireworks', variable: 'FIREWORKS_API_KEY' }],
  ['deepinfra', { slug: 'deepinfra', variable: 'DEEPINFRA_API_KEY' }],
  ['cerebras', { slug: 'cerebras', variable: 'CEREBRAS_API_KEY' }],
  ['sambanova', { slug: 'sambanova', variable: 'SAMBANOVA_API_KEY' }],
  ['nebius', { slug: 'nebius', variable: 'NEBIUS_API_KEY' }],
  ['novita', { slug: 'novita', variable: 'NOVITA_API_KEY' }],
  ['nvidia_nim', { slug: 'nvidia', variable: 'NVIDIA_NIM_API_KEY' }],
  ['featherless_ai', { slug: 'featherless', variable: 'FEATHERLESS_AI_API_KEY' }],
  ['friendliai', { slug: 'friendli', variable: 'FRIENDLI_TOKEN' }],
  ['baseten', { slug: 'baseten', variable: 'BASETEN_API_KEY' }],
  ['azure', AZURE],
  ['azure_ai', { ...AZURE, author: undefined }],
  ['bedrock', BEDROCK],
  ['bedrock_converse', BEDROCK],
  ['vertex_ai', { slug: 'google-vertex', author: 'google', variable: 'VERTEXAI_CREDENTIALS', isCloud: true }],
]);

/** Servers of one's own that speak OpenAI's form, by what stands before the first `/` of a model. */
export const OPENAI_SERVERS: ReadonlySet<string> = new Set([
  'openai',
  'text-completion-openai',
  'custom_openai',
  'openai_like',
  'hosted_vllm',
  'vllm',
  'ollama',
  'ollama_chat',
  'lm_studio',
  'llamafile',
  'xinference',
  'litellm_proxy',
  'docker_model_runner',
]);

/** The author of a model that LiteLLM knows without a provider. */
const UNPREFIXED: readonly (readonly [RegExp, string])[] = [
  [/^(?:gpt-|chatgpt-|o[1-9]|text-embedding-|dall-e|whisper|tts-|omni-)/, 'openai'],
  [/^claude/, 'anthropic'],
  [/^gemini/, 'vertex_ai'],
  [/^(?:command|rerank|embed-)/, 'cohere_chat'],
  [/^deepseek-/, 'deepseek'],
];

/** What stands before the first `/` of a model, and behind it. */
export interface SplitModel {
  readonly prefix: string | undefined;
  readonly rest: string;
}

/** Splits the name of a model. @param provider `custom_llm_provider` of the deployment */
export function splitModel(model: string, provider?: string): SplitModel {
  const slash = model.indexOf('/');
  const first = slash < 0 ? '' : model.slice(0, slash);
  if (provider !== undefined) return { prefix: provider, rest: first === provider ? model.slice(slash + 1) : model };
  const isPrefix = KNOWN_PROVIDERS.has(first) || OPENAI_SERVERS.has(first) || first === 'openrouter';
  if (isPrefix) return { prefix: first, rest: model.slice(slash + 1) };
  const known = UNPREFIXED.find(([pattern]) => pattern.test(model))?.[1];
  return known === undefined && slash > 0
    ? { prefix: first, rest: model.slice(slash + 1) }
    : { prefix: known, rest: model };
}

/** A model of the catalog. */
export interface NamedModel {
  readonly id: string;
  /** Whether the catalog that Gatehouse comes with has it; another one may have others. */
  readonly isKnown: boolean;
  /** Whether it stands for a version that has no entry of its own. */
  readonly isGuess: boolean;
}

/** What the catalog that Gatehouse comes with calls its models. */
export class ModelNames {
  private constructor(
    private readonly ids: ReadonlyMap<string, string>,
    private readonly embeddings: ReadonlySet<string>,
  ) {}

  static async read(): Promise<ModelNames> {
    const { default: starter } = await import('../../../catalog/starter.json', { with: { type: 'json' } });
    const ids = new Map<string, string>();
    const ofSlugs = new Map<string, string | null>();
    for (const { id, canonical_slug: slug } of starter.models) {
      ids.set(id, id);
      // Variants have the slug of their model.
      if (!id.includes(':')) ids.set(slug, id);
      const bare = id.slice(id.indexOf('/') + 1);
      ofSlugs.set(bare, ofSlugs.has(bare) ? null : id);
    }
    for (const { alias, model } of starter.aliases) ids.set(alias, model);
    for (const [bare, id] of ofSlugs) if (id !== null) ids.set(bare, id);
    const embeddings = starter.models.filter(({ architecture }) =>
      architecture.output_modalities.includes('embeddings'),
    );
    return new ModelNames(ids, new Set(embeddings.map(({ id }) => id)));
  }

  /** The model that a name of LiteLLM means; undefined where that cannot be told. */
  named(name: string): NamedModel | undefined {
    const { prefix, rest } = splitModel(name.toLowerCase());
    const author = prefix === undefined ? undefined : KNOWN_PROVIDERS.get(prefix)?.author;
    const candidates = [name.toLowerCase(), rest, ...(author === undefined ? [] : [`${author}/${rest}`])];
    for (const candidate of candidates) {
      const exact = this.ids.get(candidate);
      const id = exact ?? this.ids.get(undated(candidate));
      if (id !== undefined) return { id, isKnown: true, isGuess: exact === undefined };
    }
    if (prefix === 'openrouter' && rest.includes('/')) return { id: rest, isKnown: false, isGuess: false };
    // A deployment of Azure has a name of its own.
    if (author === undefined || rest.includes('/') || prefix === 'azure') return undefined;
    return { id: `${author}/${rest}`, isKnown: false, isGuess: false };
  }

  isForEmbeddings(id: string): boolean {
    return this.embeddings.has(id);
  }
}

/** A name without the date or `latest` of a version. */
function undated(name: string): string {
  return name.replace(/-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$/, '');
}
