import { filledBefore } from '../../../support/application/filled-before.js';
import { TestApplication } from '../../../support/application/test-application.js';
import { ProviderServer } from '../../../support/network/provider-server.js';
import { endpointEntry, importCatalog, modelEntry } from '../../../support/resources/catalog-entries.js';
import { type AgentClient, CHAT_CLIENT, CLAUDE_CODE, CODEX } from './agent-clients.js';
import {
  answerAs,
  callId,
  CLAUDE,
  DEEPSEEK,
  type Fields,
  GEMINI,
  GEMINI_DIALECT,
  OPENAI,
  OPENAI_RESPONSES,
  type StrictProvider,
} from '../providers/strict-providers.js';

const TURNS = 50;

/** After so many turns the agent replaces its conversation by a summary. */
const COMPACTED_AT = 30;

/** Every so many answers break off, and are asked for again. */
const CUT_EVERY = 7;

interface Provider {
  readonly model: string;
  readonly plays: StrictProvider;
  /** By default that of the provider. */
  readonly protocol?: string;
}

const PROVIDERS: Readonly<Record<string, Provider>> = {
  openai: { model: 'openai/gpt', plays: OPENAI },
  azure: { model: 'openai/gpt-5.5', plays: OPENAI_RESPONSES },
  anthropic: { model: 'anthropic/claude', plays: CLAUDE },
  'google-ai-studio': { model: 'google/gemini', plays: GEMINI },
  google: { model: 'google/gemini-3-flash', plays: GEMINI_DIALECT, protocol: 'gemini' },
  deepseek: { model: 'deepseek/deepseek', plays: DEEPSEEK },
};

const ENDPOINT = {
  pricing: { prompt: '0.000001', completion: '0.000002' },
  max_completion_tokens: 32_000,
  supported_parameters: ['max_tokens', 'tools', 'tool_choice', 'reasoning', 'include_reasoning'],
};

interface Started {
  readonly app: TestApplication;
  readonly servers: ReadonlyMap<string, ProviderServer>;
}

async function start(): Promise<Started> {
  const servers = new Map<string, ProviderServer>();
  for (const slug of Object.keys(PROVIDERS)) servers.set(slug, await ProviderServer.start());
  const variables = [...servers].map(([slug, { baseUrl }]) => {
    const name = `PROVIDER_${slug.toUpperCase().replaceAll('-', '_')}`;
    const { protocol } = PROVIDERS[slug]!;
    return {
      [`${name}_BASE_URL`]: baseUrl,
      [`${name}_API_KEY`]: 'provider-key-0123456789',
      ...(protocol !== undefined && { [`${name}_PROTOCOL`]: protocol }),
    };
  });
  const app = await TestApplication.start({ variables: Object.assign({}, ...variables) as Record<string, string> });
  await importCatalog(app, {
    providers: Object.keys(PROVIDERS).map((slug) => ({ slug, name: slug })),
    models: Object.values(PROVIDERS).map(({ model }) => modelEntry(model)),
    endpoints: Object.entries(PROVIDERS).map(([slug, { model }]) => ({
      id: model,
      endpoints: [endpointEntry(slug, { provider_name: slug, ...ENDPOINT })],
    })),
  });
  return { app, servers };
}

describe('An agent that works for 50 turns', () => {
  const started = filledBefore(beforeAll, start);

  afterAll(async () => {
    await started.app.stop();
    for (const server of started.servers.values()) await server.stop();
  });

  async function eventsOf(path: string, key: string, body: Fields): Promise<readonly Fields[]> {
    const { status, text } = await started.app.api.post<string>(path, { key, json: body });
    // The connection of a cut answer may break before anything of it has come.
    if (status === 503) return [];
    expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' });
    return text
      .split('\n')
      .filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]')
      .map((line) => JSON.parse(line.slice('data: '.length)) as Fields);
  }

  /** Lets an agent work with a provider. @returns what the provider would have refused */
  async function loop(client: AgentClient, slug: string): Promise<{ refused: string[]; calls: number; text: string }> {
    const { model, plays } = PROVIDERS[slug]!;
    const { plaintext } = await started.app.factory.key(await started.app.factory.organization());
    const refused: string[] = [];
    let [turn, asked] = [0, 0];
    started.servers.get(slug)!.answerWith(
      answerAs(
        plays,
        () => {
          asked += 1;
          const cut = asked % CUT_EVERY === 0;
          return turn === TURNS ? { text: 'All done.' } : { turn, cut };
        },
        (issues) => refused.push(...issues),
      ),
    );
    let history = client.asks('Look up everything.');
    let calls = 0;
    for (;;) {
      const kept = client.kept(await eventsOf(client.path, plaintext, { model, ...client.request(history) }));
      if (kept === undefined) continue;
      const made = client.calls(kept);
      if (made.length === 0) return { refused, calls, text: JSON.stringify(kept) };
      expect(made).toEqual([0, 1].map((place) => ({ id: callId(turn, place), input: { turn, place } })));
      calls += made.length;
      turn += 1;
      history = [...history, ...kept, ...client.results(made.map(({ id }) => id))];
      if (turn === COMPACTED_AT) history = client.asks(`So far ${turn} things were looked up. Go on.`);
    }
  }

  describe.each(Object.keys(PROVIDERS))('with %s', (slug) => {
    it.each([
      ['the Responses form', CODEX],
      ['the Messages form', CLAUDE_CODE],
      ['chats', CHAT_CLIENT],
    ])('answers 200 to every turn, because nothing that the provider wants back is lost over %s', async (_, client) => {
      const { refused, calls, text } = await loop(client, slug);

      expect(refused).toEqual([]);
      expect(calls).toBe(2 * TURNS);
      expect(text).toContain('All done.');
    });
  });
});
