import type { ProviderProtocolName } from '../../../config/provider-variables.js';

/** The address of a provider. */
export interface ProviderAddress {
  readonly protocol: Exclude<ProviderProtocolName, 'echo'>;
  /** The base URL, without a slash at its end. */
  readonly baseUrl: string;
  /** Where documents are ranked, if not there. */
  readonly rerankBaseUrl?: string;
}

const openai = (baseUrl: string): ProviderAddress => ({ protocol: 'openai', baseUrl });

/** The public addresses of providers, by their slugs in the catalog (docs/providers.md). */
export const WELL_KNOWN_PROVIDERS: ReadonlyMap<string, ProviderAddress> = new Map<string, ProviderAddress>([
  ['ai21', openai('https://api.ai21.com/studio/v1')],
  ['alibaba', openai('https://dashscope-intl.aliyuncs.com/compatible-mode/v1')],
  ['anthropic', { protocol: 'anthropic', baseUrl: 'https://api.anthropic.com/v1' }],
  ['baseten', openai('https://inference.baseten.co/v1')],
  ['cerebras', openai('https://api.cerebras.ai/v1')],
  ['chutes', openai('https://llm.chutes.ai/v1')],
  ['cohere', { ...openai('https://api.cohere.ai/compatibility/v1'), rerankBaseUrl: 'https://api.cohere.com/v2' }],
  ['deepinfra', openai('https://api.deepinfra.com/v1/openai')],
  ['deepseek', openai('https://api.deepseek.com/v1')],
  ['featherless', openai('https://api.featherless.ai/v1')],
  ['fireworks', openai('https://api.fireworks.ai/inference/v1')],
  ['friendli', openai('https://api.friendli.ai/serverless/v1')],
  ['google-ai-studio', openai('https://generativelanguage.googleapis.com/v1beta/openai')],
  ['groq', openai('https://api.groq.com/openai/v1')],
  ['inception', openai('https://api.inceptionlabs.ai/v1')],
  ['minimax', openai('https://api.minimax.io/v1')],
  ['mistral', openai('https://api.mistral.ai/v1')],
  ['moonshotai', openai('https://api.moonshot.ai/v1')],
  ['nebius', openai('https://api.studio.nebius.com/v1')],
  ['novita', openai('https://api.novita.ai/openai/v1')],
  ['nvidia', openai('https://integrate.api.nvidia.com/v1')],
  ['openai', openai('https://api.openai.com/v1')],
  ['parasail', openai('https://api.parasail.io/v1')],
  ['perplexity', openai('https://api.perplexity.ai')],
  ['sambanova', openai('https://api.sambanova.ai/v1')],
  ['siliconflow', openai('https://api.siliconflow.com/v1')],
  ['together', openai('https://api.together.xyz/v1')],
  ['upstage', openai('https://api.upstage.ai/v1')],
  ['venice', openai('https://api.venice.ai/api/v1')],
  ['xai', openai('https://api.x.ai/v1')],
  ['z-ai', openai('https://api.z.ai/api/paas/v4')],
]);

/** Providers whose address has a part that only the operator knows, with its form, and the page about it. */
export const ADDRESSES_OF_ACCOUNTS: ReadonlyMap<string, { readonly baseUrl: string; readonly heading: string }> =
  new Map([
    ['azure', { baseUrl: 'https://RESOURCE.openai.azure.com/openai/v1', heading: 'azure-openai' }],
    [
      'amazon-bedrock',
      { baseUrl: 'https://bedrock-runtime.REGION.amazonaws.com/openai/v1', heading: 'amazon-bedrock' },
    ],
    [
      'google-vertex',
      {
        baseUrl: 'https://LOCATION-aiplatform.googleapis.com/v1/projects/PROJECT/locations/LOCATION/endpoints/openapi',
        heading: 'google-vertex',
      },
    ],
  ]);
