import type { EncodedRequest } from '../../codecs/upstream-codec.js';
import { MultipartForm } from '../../codecs/multipart-form.js';
import type { UpstreamDialect } from '../../codecs/upstream-codecs.js';

/** How the addresses of operations are formed where they are not simply added to the base URL (docs/cloud-providers.md). */
export type AddressForm = AzureDeploymentAddress | VertexAddress | BedrockInvokeAddress;

/** Azure OpenAI with the deployment in the path, and a dated version. */
export interface AzureDeploymentAddress {
  readonly form: 'azure-deployment';
  readonly apiVersion: string;
}

/** A project of Google Vertex in one location. */
export interface VertexAddress {
  readonly form: 'vertex';
  readonly project: string;
  readonly location: string;
}

/** InvokeModel of Amazon Bedrock, whose body is the model's own. */
export interface BedrockInvokeAddress {
  readonly form: 'bedrock-invoke';
}

/** The versions of the Messages interface as the clouds name them. */
const VERTEX_VERSION = 'vertex-2023-10-16';
const BEDROCK_VERSION = 'bedrock-2023-05-31';

/**
 * A request as its address wants it.
 *
 * @param request as the dialect encodes it
 * @param form undefined for one that is added to the base URL as it is
 */
export function addressed(
  request: EncodedRequest,
  form: AddressForm | undefined,
  dialect: UpstreamDialect,
  isStreamed: boolean,
): EncodedRequest {
  switch (form?.form) {
    case undefined:
      return request;
    case 'azure-deployment':
      return atDeployment(request, form.apiVersion);
    case 'vertex':
      return atVertex(request, form, dialect, isStreamed);
    case 'bedrock-invoke':
      return dialect === 'anthropic' ? invoked(request, isStreamed) : request;
  }
}

/** The Responses interface has the deployment in the body alone. */
function atDeployment(request: EncodedRequest, apiVersion: string): EncodedRequest {
  const { body } = request;
  const model = body instanceof MultipartForm ? String(body.fields['model']) : modelApart(body).model;
  const place = request.path.startsWith('/responses') ? '' : `/deployments/${encodeURIComponent(model)}`;
  return { ...request, path: `${place}${request.path}?api-version=${encodeURIComponent(apiVersion)}` };
}

function atVertex(
  request: EncodedRequest,
  { project, location }: VertexAddress,
  dialect: UpstreamDialect,
  isStreamed: boolean,
): EncodedRequest {
  const place = `/projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(location)}`;
  if (dialect !== 'anthropic') {
    const publisher =
      dialect === 'openai' || dialect === 'openai-responses' ? '/endpoints/openapi' : '/publishers/google';
    return { ...request, path: `${place}${publisher}${request.path}` };
  }
  const { model, rest } = modelApart(request.body);
  const operation = isStreamed ? 'streamRawPredict' : 'rawPredict';
  return {
    ...request,
    path: `${place}/publishers/anthropic/models/${encodeURIComponent(model)}:${operation}`,
    body: { anthropic_version: VERTEX_VERSION, ...rest },
  };
}

/** Betas stand in the body there, and whether the answer is streamed in the path. */
function invoked(request: EncodedRequest, isStreamed: boolean): EncodedRequest {
  const { model, rest } = modelApart(request.body);
  const { stream: _, ...body } = rest;
  const { 'anthropic-beta': betas, ...headers } = request.headers ?? {};
  return {
    path: `/model/${encodeURIComponent(model)}/invoke${isStreamed ? '-with-response-stream' : ''}`,
    headers: { ...headers, accept: '*/*' },
    body: {
      anthropic_version: BEDROCK_VERSION,
      ...(betas !== undefined && { anthropic_beta: betas.split(',').map((beta) => beta.trim()) }),
      ...body,
    },
  };
}

function modelApart(body: object): { readonly model: string; readonly rest: Readonly<Record<string, unknown>> } {
  const { model, ...rest } = body as { readonly model: string };
  return { model, rest };
}
