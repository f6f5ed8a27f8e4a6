import type { BrokenAnswerWaits } from '../../../src/http/broken-answers.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { ConnectionsService } from '../../../src/modules/providers/connections/connections.service.js';
import type { UpstreamTimeouts } from '../../../src/modules/codecs/upstream-codec.js';
import type { Factory } from '../../support/application/factory.js';
import { TestApplication } from '../../support/application/test-application.js';
import type { Answer } from '../../support/network/api-client.js';
import { ProviderServer } from '../../support/network/provider-server.js';
import { until } from '../../support/time/until.js';
import { answerAsAsked } from './provider-answers.js';
import { type EmbeddingsAnswer, eventsOf, type StreamedAnswer, type WholeAnswer } from './read-answers.js';
import { endpointEntry, importCatalog, modelEntry } from '../../support/resources/catalog-entries.js';

/** The credential of each provider, which only the provider may see. */
export const PROVIDER_KEY = 'sk-provider-secret-0123456789';

/** What the endpoints of `acme/writer` list. */
const PARAMETERS = ['max_tokens', 'temperature', 'tools', 'tool_choice', 'stop'];

const PRICING = { prompt: '0.000001', completion: '0.000002' };

/** `acme/spare` costs more than `acme/writer` from Alpha, and less than that from Beta. */
const DEAR = { pricing: { prompt: '0.000002', completion: '0.000003' } };
const DEARER = { pricing: { prompt: '0.000003', completion: '0.000004' } };

/** A path of the interface. */
export const CHAT = '/chat/completions';

export const EMBEDDINGS = '/embeddings';

/** What a question needs besides its model. */
export const QUESTION = [{ role: 'user', content: 'What is new?' }];

/** A record of a request, as `GET /generation` shows it. */
export interface ShownGeneration {
  readonly id: string;
  readonly status: number;
  readonly refusal: string | null;
  readonly model: string;
  readonly cancelled: boolean;
  readonly total_cost: number;
  readonly [field: string]: unknown;
}

/** What an embedding model takes and gives. */
export const EMBEDDER = {
  architecture: {
    modality: 'text+image->embeddings',
    input_modalities: ['text', 'image'],
    output_modalities: ['embeddings'],
  },
};

/** What differs from the usual gateway of tests. */
export interface TestGatewayOptions {
  /** Of the environment, over those that connect the two providers. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The endpoints of further models, by their ids. */
  readonly models?: Readonly<Record<string, readonly object[]>>;
  /** What the entries of further models say besides, by their ids. */
  readonly facts?: Readonly<Record<string, object>>;
  /** How answers that cannot be completed end. */
  readonly brokenAnswers?: BrokenAnswerWaits;
}

/**
 * An application whose catalog has models of two providers that the test plays, Alpha and Beta:
 * `acme/writer` (Alpha and Beta), `acme/spare` (Beta alone) and `acme/unconnected` (of a provider without a connection);
 * `acme/brought` is for own keys: of a provider whose address is well known, without a connection.
 * `acme/embedder` (Alpha and Beta) and `acme/lone-embedder` (of that provider) make embeddings.
 */
export class TestGateway {
  private constructor(
    readonly app: TestApplication,
    readonly alpha: ProviderServer,
    readonly beta: ProviderServer,
  ) {}

  static async start({
    variables = {},
    models: furtherModels = {},
    facts: furtherFacts = {},
    brokenAnswers,
  }: TestGatewayOptions = {}): Promise<TestGateway> {
    const [alpha, beta] = [await ProviderServer.start(), await ProviderServer.start()];
    const app = await TestApplication.start({
      variables: { ...connecting(alpha, beta), ...variables },
      ...(brokenAnswers && { brokenAnswers }),
    });
    await importCatalog(app, {
      providers: ['alpha', 'beta', 'nobody', 'openai', 'gatehouse'].map((slug) => ({ slug, name: nameOf(slug) })),
      models: [
        ...['acme/writer', 'acme/spare', 'acme/unconnected', 'acme/brought', 'gatehouse/echo'].map((id) =>
          modelEntry(id),
        ),
        ...Object.keys(furtherModels).map((id) => modelEntry(id, furtherFacts[id])),
        ...['acme/embedder', 'acme/lone-embedder', 'gatehouse/echo-embedding'].map((id) => modelEntry(id, EMBEDDER)),
      ],
      aliases: ['acme/writer-latest', 'acme/first-writer'].map((alias) => ({ alias, model: 'acme/writer' })),
      endpoints: [
        { id: 'acme/writer', endpoints: [endpoint('alpha', { zdr: true, training: false }), endpoint('beta', DEARER)] },
        { id: 'acme/spare', endpoints: [endpoint('beta', DEAR)] },
        { id: 'acme/unconnected', endpoints: [endpoint('nobody')] },
        { id: 'acme/brought', endpoints: [endpoint('openai')] },
        { id: 'gatehouse/echo', endpoints: [endpoint('gatehouse')] },
        ...Object.entries(furtherModels).map(([id, endpoints]) => ({ id, endpoints })),
        { id: 'acme/embedder', endpoints: [endpoint('alpha', { zdr: true }), endpoint('beta', DEARER)] },
        { id: 'acme/lone-embedder', endpoints: [endpoint('nobody')] },
        { id: 'gatehouse/echo-embedding', endpoints: [endpoint('gatehouse')] },
      ],
    });
    return new TestGateway(app, alpha, beta);
  }

  get factory(): Factory {
    return this.app.factory;
  }

  /** Another replica on the same database. It stops with the gateway, if it has not stopped before. */
  replica(variables: Readonly<Record<string, string>> = {}): Promise<TestApplication> {
    return this.app.replica({ ...connecting(this.alpha, this.beta), ...variables });
  }

  /** Lets both providers answer a whole request, or a stream, with a few words. */
  reset(): void {
    for (const provider of [this.alpha, this.beta]) provider.answerWith(answerAsAsked);
  }

  /** Sets the time limits of the connection to Alpha, in milliseconds. */
  async limitAlpha(timeouts: Partial<UpstreamTimeouts>): Promise<void> {
    const connection = { provider: 'alpha', protocol: 'openai', baseUrl: this.alpha.baseUrl } as const;
    await this.app.application.get(ConnectionsService).connect({ ...connection, apiKey: null, timeouts, models: {} });
  }

  async stop(): Promise<void> {
    await this.app.stop();
    await Promise.all([this.alpha.stop(), this.beta.stop()]);
  }

  /** Asks for a whole answer of `acme/writer`, from Alpha first. @param fields of the request, over and above these */
  ask<Body = WholeAnswer>(key: IssuedCredential, fields: object = {}, headers = {}): Promise<Answer<Body>> {
    return this.app.api.post<Body>(CHAT, { key: key.plaintext, json: { ...question(), ...fields }, headers });
  }

  /** Asks for embeddings of `acme/embedder`, from Alpha first. @param fields of the request, over and above these */
  embed<Body = EmbeddingsAnswer>(key: IssuedCredential, fields: object = {}, headers = {}): Promise<Answer<Body>> {
    const request = { model: 'acme/embedder', input: 'What is new?', provider: { order: ['alpha', 'beta'] } };
    return this.app.api.post<Body>(EMBEDDINGS, { key: key.plaintext, json: { ...request, ...fields }, headers });
  }

  /** Asks for a stream, and reads it to its end. */
  async stream(key: IssuedCredential, fields: object = {}, headers = {}): Promise<StreamedAnswer> {
    const answer = await this.ask<string>(key, { ...fields, stream: true }, headers);
    return { ...answer, events: eventsOf(answer.text) };
  }

  /** Asks for a stream, and leaves the reading to the test. */
  open(key: IssuedCredential, fields: object = {}, signal?: AbortSignal): Promise<Response> {
    return fetch(`${this.app.origin}/api/v1${CHAT}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.plaintext}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...question(), ...fields, stream: true }),
      ...(signal && { signal }),
    });
  }

  /** The record of an answer, which must be there. */
  async record({ headers }: { readonly headers: Headers }, { plaintext }: IssuedCredential): Promise<ShownGeneration> {
    const path = `/generation?id=${headers.get('x-generation-id')}`;
    const found = await this.app.api.get<{ data: ShownGeneration }>(path, { key: plaintext });
    expect({ path, status: found.status }).toEqual({ path, status: 200 });
    return found.body.data;
  }

  /** The record of a key's only request, as soon as it is there. */
  async onlyRecord(key: IssuedCredential): Promise<ShownGeneration> {
    const ids = (): Promise<{ id: string }[]> =>
      this.app.rows('SELECT id FROM generations WHERE key_id = $1', [key.id]);
    await until(async () => (await ids()).length > 0);
    const [{ id } = { id: '' }] = await ids();
    return this.record({ headers: new Headers({ 'x-generation-id': id }) }, key);
  }

  /** A key under a guardrail of its own. @param settings of the guardrail */
  async guardedKey(organization: NewOrganization, settings: object): Promise<IssuedCredential> {
    const key = await this.app.factory.key(organization);
    await this.assign(organization, key, (await this.app.factory.guardrail(organization, settings)).id);
    return key;
  }

  /** Puts a key under a guardrail. */
  async assign({ managementKey }: NewOrganization, { hash }: IssuedCredential, guardrailId: string): Promise<void> {
    const path = `/guardrails/${guardrailId}/assignments/keys`;
    const { status } = await this.app.api.post(path, { key: managementKey, json: { key_hashes: [hash] } });
    expect({ path, status }).toEqual({ path, status: 200 });
  }
}

function question(): object {
  return { model: 'acme/writer', messages: QUESTION, provider: { order: ['alpha', 'beta'] } };
}

function nameOf(slug: string): string {
  return `${slug[0]!.toUpperCase()}${slug.slice(1)} Cloud`;
}

/** An endpoint of a model. @param tag the provider, perhaps with a variant behind a slash */
export function endpoint(tag: string, fields: object = {}): object {
  const provider = tag.split('/')[0]!;
  const names = { name: `${nameOf(provider)} | writer`, provider_name: nameOf(provider) };
  return endpointEntry(tag, { ...names, pricing: PRICING, supported_parameters: PARAMETERS, ...fields });
}

function connecting(alpha: ProviderServer, beta: ProviderServer): Record<string, string> {
  return {
    PROVIDER_ALPHA_BASE_URL: alpha.baseUrl,
    PROVIDER_ALPHA_API_KEY: PROVIDER_KEY,
    PROVIDER_BETA_BASE_URL: beta.baseUrl,
    PROVIDER_BETA_API_KEY: PROVIDER_KEY,
  };
}
