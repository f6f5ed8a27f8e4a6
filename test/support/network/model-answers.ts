/** A call of a tool that a model of a test makes. */
export interface SaidCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What a model of a test says, whatever the form of its provider. */
export interface ModelAnswer {
  readonly thought?: { readonly text: string; readonly signature: string };
  /** A search for tools that its provider runs, and the names that it has found. */
  readonly searched?: { readonly query: string; readonly found: readonly string[] };
  readonly text?: string;
  readonly calls?: readonly SaidCall[];
  /** Why it ends; by default because it has said everything, or called tools. */
  readonly end?: 'length' | 'refused';
  readonly tokens?: ModelTokens;
}

/** What a provider counts. */
export interface ModelTokens {
  /** Of the prompt, those of the cache included. */
  readonly prompt: number;
  readonly cached: number;
  readonly written: number;
  readonly completion: number;
}

/** What a provider counts where a test does not say. */
export const TOKENS: ModelTokens = { prompt: 30, cached: 20, written: 3, completion: 5 };

/** A text in two pieces, as a stream has it; in fewer where it is too short. */
export function halvesOf(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '');
}
