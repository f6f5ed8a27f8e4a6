import type { SampleOrganization } from './sample-organization.js';
import { UNKNOWN_UUID } from '../support/expectations/formats.js';
import {
  MANAGEMENT_AND_API_KEYS,
  MANAGEMENT_KEYS,
  type OperationRow,
  type OperationRows,
  otherId,
  type RequestParts,
  UNKNOWN_SLUG,
  UNKNOWN_USER,
  withoutIds,
} from './operation-row.js';

/** A request to the builtin provider. */
const ECHO_CHAT = { model: 'gatehouse/echo', messages: [{ role: 'user', content: 'Hello' }] };

/** A request to rank documents of the builtin provider. */
const ECHO_RERANK = { model: 'gatehouse/echo-rerank', query: 'Hello', documents: ['Goodbye', 'Hello you'] };

/** A request to speak a text, for the builtin provider. */
const ECHO_SPEECH = { model: 'gatehouse/echo-speech', input: 'Hello', response_format: 'wav' };

/** A request to write down a recording, for the builtin provider. */
const ECHO_TRANSCRIPTION = {
  model: 'gatehouse/echo-transcription',
  input_audio: { data: 'UklGRiQAAABXQVZFZm10IA==', format: 'wav' },
};

/** A request to draw images of the builtin provider. */
const ECHO_IMAGE = { model: 'gatehouse/echo-image', prompt: 'Hello' };

/** A request to edit an image of one pixel. */
const ECHO_IMAGE_EDIT = { ...ECHO_IMAGE, images: [{ image_url: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' }] };

/** A request to classify a text, for the builtin provider. */
const ECHO_MODERATION = { model: 'gatehouse/echo-moderation', input: 'Hello' };

/** A request for embeddings of the builtin provider. */
const ECHO_EMBEDDINGS = { model: 'gatehouse/echo-embedding', input: 'Hello' };

/** A completion of the builtin provider in the legacy form. */
const ECHO_COMPLETION = { model: 'gatehouse/echo', prompt: 'Hello' };

/** A request to the builtin provider in the form of the Responses interface. */
const ECHO_RESPONSE = { model: 'gatehouse/echo', input: 'Hello' };

/** An id that no generation has. */
const UNKNOWN_GENERATION = 'gen-1795219200-00000000000000000000';

async function newGeneration({ app, apiKey }: SampleOrganization): Promise<string> {
  const { body } = await app.api.post<{ id: string }>('/chat/completions', { key: apiKey, json: ECHO_CHAT });
  return body.id;
}

/** An operation that answers a chat. */
function chatOperation(path: string): OperationRow {
  return {
    method: 'POST',
    path,
    callers: ['api_key'],
    success: 200,
    errors: [400, 403, 404, 429, 503],
    request: ({ apiKey }) => ({ json: ECHO_CHAT, key: apiKey }),
    // Answers repeat the slug of a preset; what another organization's does is tested in test/e2e/inference.
    otherOrganization: ({ apiKey }) => {
      const parts: RequestParts = { json: { ...ECHO_CHAT, preset: UNKNOWN_SLUG }, key: apiKey };
      return { 'with an unknown preset': { status: 404, theirs: parts, missing: parts } };
    },
  };
}

/** An operation that answers a chat in another form of requests and answers. @param json a request to the builtin provider */
function chatOperationInForm(path: string, json: Readonly<Record<string, unknown>>): OperationRow {
  return {
    ...chatOperation(path),
    errors: [400, 403, 404, 413, 422, 429, 503],
    request: ({ apiKey }) => ({ json, key: apiKey }),
    otherOrganization: ({ apiKey }) => {
      const parts: RequestParts = { json: { ...json, preset: UNKNOWN_SLUG }, key: apiKey };
      return { 'with an unknown preset': { status: 404, theirs: parts, missing: parts } };
    },
  };
}

/** A generation whose content is kept. */
async function newLoggedGeneration(organization: SampleOrganization): Promise<string> {
  const { app, managementKey, workspaceId } = organization;
  const json = { is_observability_io_logging_enabled: true };
  await app.api.patch(`/workspaces/${workspaceId}`, { key: managementKey, json });
  return newGeneration(organization);
}

/** An operation that is answered with a result about its input. @param further statuses of its errors */
function resultOperation(
  path: string,
  body: { readonly model: string },
  further: OperationRow['errors'] = [],
): OperationRow {
  return {
    method: 'POST',
    path,
    callers: ['api_key'],
    success: 200,
    errors: [400, 403, 404, 413, 422, 429, 503, ...further],
    request: ({ apiKey }) => ({ json: body, key: apiKey }),
    // It names models and providers of the catalog alone, which belongs to no organization.
    otherOrganization: ({ apiKey }) => {
      const parts: RequestParts = { json: { ...body, model: 'acme/no-model' }, key: apiKey };
      return { 'with an unknown model': { status: 400, theirs: parts, missing: parts } };
    },
  };
}

/** The operations of inference and its records. */
export const INFERENCE: OperationRows = {
  countMessageTokens: {
    ...chatOperation('/messages/count_tokens'),
    isBeyondContract: true,
  },
  createAudioSpeech: { ...resultOperation('/audio/speech', ECHO_SPEECH), isBeyondContract: true },
  createAudioTranscriptions: {
    ...resultOperation('/audio/transcriptions', ECHO_TRANSCRIPTION, [504]),
    isBeyondContract: true,
  },
  createCompletions: { ...chatOperationInForm('/completions', ECHO_COMPLETION), isBeyondContract: true },
  createCohereRerank: { ...resultOperation('/v2/rerank', ECHO_RERANK), isBeyondContract: true },
  createEmbeddings: resultOperation('/embeddings', ECHO_EMBEDDINGS),
  createImageEdits: { ...resultOperation('/images/edits', ECHO_IMAGE_EDIT), isBeyondContract: true },
  createImageGenerations: { ...resultOperation('/images/generations', ECHO_IMAGE), isBeyondContract: true },
  createImages: { ...resultOperation('/images', ECHO_IMAGE), isBeyondContract: true },
  createModerations: { ...resultOperation('/moderations', ECHO_MODERATION), isBeyondContract: true },
  createRerank: { ...resultOperation('/rerank', ECHO_RERANK), isBeyondContract: true },
  createResponses: chatOperationInForm('/responses', ECHO_RESPONSE),
  getGeneration: {
    method: 'GET',
    path: '/generation',
    callers: MANAGEMENT_AND_API_KEYS,
    permission: 'usage_read',
    success: 200,
    errors: [400, 404],
    request: async (organization) => ({ query: `id=${await newGeneration(organization)}` }),
    otherOrganization: (_, theirs) => {
      const byId = (id: string): RequestParts => ({ query: `id=${id}` });
      return { 'by id': otherId(404, byId, theirs.generationId, UNKNOWN_GENERATION) };
    },
  },
  listGenerationContent: {
    method: 'GET',
    path: '/generation/content',
    callers: MANAGEMENT_AND_API_KEYS,
    permission: 'content_read',
    success: 200,
    errors: [400, 404],
    auditActions: ['generation.read_content'],
    request: async (organization) => ({ query: `id=${await newLoggedGeneration(organization)}` }),
    otherOrganization: (_, theirs) => {
      const byId = (id: string): RequestParts => ({ query: `id=${id}` });
      return { 'by id': otherId(404, byId, theirs.generationId, UNKNOWN_GENERATION) };
    },
  },
  listGenerations: {
    method: 'GET',
    path: '/generations',
    callers: MANAGEMENT_KEYS,
    permission: 'usage_read',
    success: 200,
    errors: [400],
    isBeyondContract: true,
    request: () => ({}),
    otherOrganization: (_, theirs) => {
      const by =
        (filter: string) =>
        (id: string): RequestParts => ({ query: `${filter}=${id}` });
      return {
        ...withoutIds(),
        'by workspace': otherId(200, by('workspace_id'), theirs.workspaceId, UNKNOWN_UUID),
        'by key': otherId(200, by('key_hash'), theirs.apiKeyHash, '0'.repeat(64)),
        'by member': otherId(200, by('user_id'), theirs.userId, UNKNOWN_USER),
      };
    },
  },
  submitGenerationFeedback: {
    method: 'POST',
    path: '/generation/feedback',
    callers: MANAGEMENT_KEYS,
    permission: 'usage_write',
    decidesIdentity: false,
    success: 200,
    errors: [400, 403, 404],
    auditActions: ['generation.submit_feedback'],
    isBeyondContract: true,
    request: async (organization) => ({
      json: { generation_id: await newGeneration(organization), category: 'formatting', comment: 'No table' },
    }),
    otherOrganization: (_, theirs) => {
      const about = (id: string): RequestParts => ({ json: { generation_id: id, category: 'other' } });
      return { 'by id': otherId(404, about, theirs.generationId, UNKNOWN_GENERATION) };
    },
  },
  createMessages: chatOperation('/messages'),
  sendChatCompletionRequest: chatOperation('/chat/completions'),
};
