/** Providers whose name in OpenTelemetry's conventions for generative AI differs from their usual slug in the catalog. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['amazon-bedrock', 'aws.bedrock'],
  ['azure', 'azure.ai.openai'],
  ['google-ai-studio', 'gcp.gemini'],
  ['google-vertex', 'gcp.vertex_ai'],
  ['mistral', 'mistral_ai'],
  ['moonshotai', 'moonshot_ai'],
  ['xai', 'x_ai'],
]);

/** `gen_ai.provider.name` of a provider: the word of the conventions where they have one, else its slug in the catalog. */
export function genAiProviderNameOf(slug: string): string {
  return NAMES.get(slug) ?? slug;
}
