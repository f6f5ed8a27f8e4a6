import { randomUUID } from 'node:crypto';
import type { DataRegion } from '../../../../config/data-region.js';
import type { GenerationEvent } from '../generation-event.js';

/** How long the generation of a test seems to have taken, in milliseconds. */
const DURATION_MS = 1_200;

/** The generation that a test of a destination sends, which says in all its parts that it is a test. */
export function testEvent(organizationId: string, workspaceId: string, dataRegion: DataRegion): GenerationEvent {
  const endedAt = Date.now();
  const startedAt = endedAt - DURATION_MS;
  return {
    id: `gen-test-${randomUUID()}`,
    organizationId,
    workspaceId,
    requestId: randomUUID(),
    operation: 'chat',
    apiPath: '/api/v1/chat/completions',
    startedAt,
    endedAt,
    firstTokenMs: 400,
    model: { requested: 'gatehouse/test', id: 'gatehouse/test', canonicalSlug: 'gatehouse/test', author: 'gatehouse' },
    provider: { name: 'Gatehouse', slug: 'gatehouse' },
    attempts: [
      {
        providerName: 'Gatehouse',
        providerSlug: 'gatehouse',
        model: 'gatehouse/test',
        endpoint: 'gatehouse',
        status: 200,
        isByok: false,
        startedAt,
        latencyMs: 400,
      },
    ],
    status: 200,
    error: null,
    isCancelled: false,
    isStreamed: false,
    isByok: false,
    finishReason: 'stop',
    nativeFinishReason: 'stop',
    usage: {
      promptTokens: 10,
      completionTokens: 5,
      cachedTokens: null,
      cacheWriteTokens: null,
      reasoningTokens: null,
      imagesInPrompt: null,
      recordingsInPrompt: null,
      imagesInAnswer: null,
    },
    cost: {
      total: '0.00002',
      input: '0.00001',
      output: '0.00001',
      upstream: null,
      cacheDiscount: null,
      inputUnitPrice: '0.000001',
      outputUnitPrice: '0.000002',
    },
    key: { id: '00000000-0000-0000-0000-000000000000', hash: '0'.repeat(64), name: 'Test of a destination' },
    creatorUserId: 'test',
    externalUser: null,
    sessionId: null,
    trace: { tags: ['test'] },
    metadata: {},
    parameters: {},
    app: { title: 'Gatehouse', referer: null },
    userAgent: null,
    presetId: null,
    serviceTier: null,
    dataRegion,
    isTest: true,
    content: {
      input: { messages: [{ role: 'user', content: 'Is this destination connected?' }] },
      output: { completion: 'It is: this is a test.', reasoning: null, toolCalls: [] },
    },
  };
}
