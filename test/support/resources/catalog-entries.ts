import {
  CatalogImportService,
  type ImportOptions,
} from '../../../src/modules/catalog/import/catalog-import.service.js';
import type { ImportReport } from '../../../src/modules/catalog/import/import-report.js';
import type { Capabilities } from '../../../src/modules/catalog/capability-union.js';
import type { TestApplication } from '../application/test-application.js';

/** Imports documents, each the content of a file. */
export function importCatalog(app: TestApplication, ...contents: unknown[]): Promise<ImportReport> {
  return imported(app, contents, {});
}

/** Imports documents whose lists are complete: what they lack is retired, however much that is. */
export function replaceCatalog(app: TestApplication, ...contents: unknown[]): Promise<ImportReport> {
  return imported(app, contents, { replace: true, retireMost: true });
}

/** Finds out what importing documents would do. */
export function dryRunCatalog(app: TestApplication, ...contents: unknown[]): Promise<ImportReport> {
  return imported(app, contents, { dryRun: true });
}

function imported(app: TestApplication, contents: readonly unknown[], options: ImportOptions): Promise<ImportReport> {
  const documents = contents.map((content, index) => ({ source: `document-${index + 1}.json`, content }));
  return app.application.get(CatalogImportService).import(documents, options);
}

/** An entry of the public list of models, with no more than it must have. */
export function modelEntry(id: string, fields: object = {}): { id: string } & Record<string, unknown> {
  return {
    id,
    canonical_slug: `${id.split(':')[0]}-20260102`,
    name: `The model ${id}`,
    created: 1767312000,
    description: `What ${id} is.`,
    context_length: 128000,
    architecture: { modality: 'text->text', input_modalities: ['text'], output_modalities: ['text'] },
    pricing: { prompt: '0.000001', completion: '0.000002' },
    top_provider: { is_moderated: false },
    per_request_limits: null,
    supported_parameters: ['max_tokens', 'temperature'],
    default_parameters: null,
    supported_voices: null,
    links: { details: `/api/v1/models/${id}/endpoints` },
    ...fields,
  };
}

/** An image model of a catalog of our own. @param endpoints what each of its endpoints can do */
export function imageModelEntry(id: string, endpoints: readonly Capabilities[], fields: object = {}): { id: string } {
  return {
    id,
    name: `The image model ${id}`,
    description: `What ${id} draws.`,
    created: 1767312000,
    architecture: { input_modalities: ['text'], output_modalities: ['image'] },
    endpoints: endpoints.map((supported, index) => imageEndpoint(`provider-${index + 1}`, supported)),
    ...fields,
  } as { id: string };
}

/** One endpoint of an image model. */
export function imageEndpoint(provider: string, supported: Capabilities, supportsStreaming = false): object {
  return {
    provider,
    supported_parameters: supported,
    supports_streaming: supportsStreaming,
    allowed_passthrough_parameters: [],
    pricing: [{ billable: 'output_image', unit: 'image', cost_usd: 0.04 }],
  };
}

/** An entry of the public list of image models. */
export function listedImageModel(id: string, supported: Capabilities, fields: object = {}): { id: string } {
  return {
    id,
    name: `The image model ${id}`,
    description: `What ${id} draws.`,
    created: 1767312000,
    architecture: { input_modalities: ['text'], output_modalities: ['image'] },
    supported_parameters: supported,
    supports_streaming: false,
    endpoints: `/api/v1/images/models/${id}/endpoints`,
    ...fields,
  } as { id: string };
}

/** An endpoint of the public list of a model's endpoints, with no more than it must have. */
export function endpointEntry(tag: string, fields: object = {}): { tag: string } & Record<string, unknown> {
  return {
    name: `${tag} | some model`,
    provider_name: `The provider ${tag.split('/')[0]!}`,
    tag,
    context_length: 128000,
    max_completion_tokens: 4096,
    max_prompt_tokens: null,
    quantization: 'fp8',
    pricing: { prompt: '0.000001', completion: '0.000002' },
    supported_parameters: ['max_tokens', 'temperature'],
    supports_implicit_caching: false,
    ...fields,
  };
}

/** The public list of a model's endpoints. */
export function endpointsList(id: string, ...endpoints: readonly object[]): { data: object } {
  return { data: { id, name: id, created: 1, description: '', architecture: {}, endpoints } };
}
