import type { GenerationEntity } from '../../src/modules/generations/entities/generation.entity.js';
import { timeOfGeneration } from '../../src/modules/generations/generation-time.js';
import { newGenerationId } from '../../src/modules/inference/pipeline/request/generation-id.js';

/** Whose request it is. */
export interface BenchSpender {
  readonly organizationId: string;
  readonly userId: string;
  readonly workspaceId: string;
  readonly keyId: string;
}

/** The record of an answer that has just come, which costs 0.00123 dollars. */
export function generationOf({ organizationId, userId, workspaceId, keyId }: BenchSpender): GenerationEntity {
  const id = newGenerationId(Date.now());
  return {
    organizationId,
    id,
    createdAt: timeOfGeneration(id)!,
    keyId,
    userId,
    workspaceId,
    status: 200,
    model: 'openai/gpt-5.5',
    provider: 'openai',
    isByok: false,
    costUsd: '0.00123',
    promptTokens: 120,
    completionTokens: 40,
    content: null,
    details: {
      requestId: id,
      requestedModel: 'openai/gpt-5.5',
      apiType: 'completions',
      streamed: false,
      cancelled: false,
      upstreamId: 'chatcmpl-1',
      latencyMs: 412,
      generationMs: 905,
      finishReason: 'stop',
      nativeFinishReason: 'stop',
      dataRegion: 'global',
      attempts: [
        {
          provider: 'openai',
          providerName: 'OpenAI',
          model: 'openai/gpt-5.5',
          endpoint: 'openai',
          status: 200,
          isByok: false,
          latencyMs: 412,
        },
      ],
      filters: [],
    },
  };
}
