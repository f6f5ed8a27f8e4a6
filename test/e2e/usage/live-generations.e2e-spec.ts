import { Readiness } from '../../../src/http/health/readiness.js';
import { GenerationListRepository } from '../../../src/modules/generations/listing/generation-list.repository.js';
import { LiveGenerationsService } from '../../../src/modules/generations/listing/live-generations.service.js';
import { keyPerTest, organizationPerTest } from '../../support/application/shared-organization.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { sharedGateway } from '../inference/shared-gateway.js';
import { recordUsed, REFUSED, type UsedGeneration } from './used-generations.js';

/** A stream of events, as a client reads it. */
class LiveStream {
  private text = '';
  private readonly decoder = new TextDecoder();

  private constructor(
    readonly response: Response,
    private readonly reader: ReadableStreamDefaultReader<Uint8Array>,
    private readonly controller: AbortController,
  ) {}

  static async open(url: string, key: string, headers: Readonly<Record<string, string>> = {}): Promise<LiveStream> {
    const controller = new AbortController();
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream', ...headers },
      signal: controller.signal,
    });
    return new LiveStream(response, response.body!.getReader(), controller);
  }

  /** The models of the events so far, once there is one of a model. */
  async modelsUntil(model: string): Promise<string[]> {
    while (!this.models.includes(model)) {
      const { value, done } = await this.reader.read();
      if (done) throw new Error(`the stream ended before ${model}: ${this.text}`);
      this.text += this.decoder.decode(value);
    }
    return this.models;
  }

  /** Reads until the service ends the stream. */
  async ended(): Promise<void> {
    while (!(await this.reader.read()).done);
  }

  get models(): string[] {
    return [...this.text.matchAll(/"model":"([^"]+)"/g)].map(([, model]) => model!);
  }

  get lastId(): string {
    return [...this.text.matchAll(/^id: (.*)$/gm)].at(-1)![1]!;
  }

  close(): void {
    this.controller.abort();
  }
}

describe('listGenerations as a stream', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);
  const open: LiveStream[] = [];

  const live = (): LiveGenerationsService => gateway.app.application.get(LiveGenerationsService);

  const listen = async (
    query = '',
    headers: Readonly<Record<string, string>> = {},
    by = organization.managementKey,
  ): Promise<LiveStream> => {
    const stream = await LiveStream.open(`${gateway.app.origin}/api/v1/generations${query}`, by, headers);
    open.push(stream);
    return stream;
  };

  const used = (records: readonly UsedGeneration[], by = key): Promise<void> =>
    recordUsed(gateway.app, organization, by, records);

  afterEach(async () => {
    for (const stream of open.splice(0)) stream.close();
    // The service learns that clients have left a moment later.
    while (live().listening > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  });

  it('answers 200 with what is recorded from then on and matches, also of requests that took long, and nothing of others', async () => {
    const other = await gateway.app.factory.organization();
    const theirs = await gateway.app.factory.key(other);
    // A record of the seconds before may be new or not.
    await used([{ model: 'acme/before', createdAt: new Date(Date.now() - 60_000) }]);
    const stream = await listen('?refused=false');
    expect(stream.response.status).toBe(200);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.response.headers.get('cache-control')).toBe('no-store');
    await recordUsed(gateway.app, other, theirs, [{ model: 'other/secret' }]);
    const long = { createdAt: new Date(Date.now() - 60_000), details: { generationMs: 60_000 } };
    await used([
      { model: 'acme/long', ...long },
      { ...REFUSED, model: 'acme/refused', details: { refusal: 'content_blocked' } },
    ]);
    await stream.modelsUntil('acme/long');
    await used([{ model: 'acme/later' }]);
    expect((await stream.modelsUntil('acme/later')).sort()).toEqual(['acme/later', 'acme/long']);
  });

  it('answers 200 with what came since the last event of an earlier stream', async () => {
    const first = await listen();
    await used([{ model: 'acme/first' }]);
    await first.modelsUntil('acme/first');
    const lastEventId = first.lastId;
    first.close();
    await used([{ model: 'acme/meanwhile' }]);
    const second = await listen('', { 'last-event-id': lastEventId });
    expect(await second.modelsUntil('acme/meanwhile')).toContain('acme/meanwhile');
  });

  it('answers 200 to a member with their own records alone', async () => {
    const { app } = gateway;
    const userId = await app.factory.member(organization.organizationId);
    const memberKey = await app.factory.key(organization, { kind: 'management_key', userId });
    const theirs = await app.factory.key(organization, { userId });
    const stream = await listen('', {}, memberKey.plaintext);
    expect(stream.response.status).toBe(200);
    await used([{ model: 'acme/mine' }]);
    await used([{ userId, model: 'acme/theirs' }], theirs);
    expect(await stream.modelsUntil('acme/theirs')).toEqual(['acme/theirs']);
  });

  it('reads for listeners with the same filters once, and for nobody not at all (200)', async () => {
    const page = jest.spyOn(gateway.app.application.get(GenerationListRepository), 'page');
    await live().round();
    expect(page).not.toHaveBeenCalled();
    const streams = [await listen(), await listen(), await listen('?status=200')];
    expect(streams.map(({ response }) => response.status)).toEqual([200, 200, 200]);
    page.mockClear();
    await live().round();
    expect(page.mock.calls.length).toBeLessThanOrEqual(4);
    expect(new Set(page.mock.calls.map(([, search]) => search.status))).toEqual(new Set([null, 200]));
    page.mockRestore();
  });

  it('answers 429 to the sixth stream of a key, and 200 again once one has ended', async () => {
    const streams: LiveStream[] = [];
    for (let number = 0; number < 5; number += 1) streams.push(await listen());
    expect(streams.map(({ response }) => response.status)).toEqual([200, 200, 200, 200, 200]);
    const answer = await gateway.app.api.get('/generations', {
      key: organization.managementKey,
      headers: { accept: 'text/event-stream' },
    });
    expectRefusal(answer, { status: 429, reason: 'too_many_concurrent_requests', userId: organization.userId });
    streams[0]!.close();
    while (live().listening > 4) await new Promise((resolve) => setTimeout(resolve, 10));
    expect((await listen()).response.status).toBe(200);
  });

  it('ends (200) when the key is disabled', async () => {
    const { app } = gateway;
    const by = await app.factory.key(organization, { kind: 'management_key' });
    const stream = await listen('', {}, by.plaintext);
    expect(stream.response.status).toBe(200);
    const { status } = await app.api.patch(`/management-keys/${by.hash}`, {
      key: organization.managementKey,
      json: { disabled: true },
    });
    expect(status).toBe(200);
    await stream.ended();
  });

  it('ends (200) when the database cannot be read', async () => {
    const stream = await listen();
    expect(stream.response.status).toBe(200);
    const page = jest
      .spyOn(gateway.app.application.get(GenerationListRepository), 'page')
      .mockRejectedValue(new Error('the connection was lost'));
    await stream.ended();
    page.mockRestore();
  });

  it('ends (200) when the service stops, and no stream begins any more (429)', async () => {
    const stream = await listen();
    expect(stream.response.status).toBe(200);
    const stopping = jest.spyOn(gateway.app.application.get(Readiness), 'isStopping', 'get').mockReturnValue(true);
    await stream.ended();
    const { status } = await gateway.app.api.get('/generations', {
      key: organization.managementKey,
      headers: { accept: 'text/event-stream' },
    });
    expect(status).toBe(429);
    stopping.mockRestore();
  });
});
