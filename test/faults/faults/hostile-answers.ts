import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Caller, Outcome } from '../support/caller.js';
import type { Fault } from '../support/fault.js';
import type { FloodOutcome } from '../support/hostile/flood-orders.js';
import { Flooder } from '../support/hostile/flooder.js';
import { type HostileAnswer, startBriefProvider } from '../support/hostile/hostile-provider.js';
import { longestOf, summaryOf } from '../support/outcomes.js';
import { query } from '../support/postgres-server.js';
import type { Scene } from '../support/scene.js';
import type { ServiceProcess } from '../support/service-process.js';

/** The heap of the service, in MiB: what V8 takes in a container of 1 GiB. */
const HEAP_MIB = 512;

const CHAT_MODEL = 'openai/gpt-5.5';

/** The model of the other organization, whose provider is an honest one. */
const OTHER_MODEL = 'deepseek/deepseek-v4-flash';

const EMBEDDING_MODEL = 'openai/gpt-5.4-mini';
const ECHO_EMBEDDING = 'gatehouse/echo-embedding';

const INPUTS = Array.from({ length: 2_048 }, () => 'a');

/** Nearly as many values as a body may have, in 200 KB. */
const MANY_VALUES = Array.from({ length: 49_000 }, () => []);

/** How an answer is to be; that of an honest provider is always brief. */
type Asked = HostileAnswer | 'brief';

/** What the key of one organization asks for at once, many times. */
interface Flood {
  readonly name: string;
  readonly count: number;
  readonly quickCount: number;
  readonly path: string;
  readonly body: object;
  /** Whether the requests are left after some seconds, because the provider never answers them. */
  readonly isLeft?: boolean;
  /** Whether an answer may break off: one whose client is slow to read is ended with its connection where others need its memory. */
  readonly mayBreakOff?: boolean;
}

function chat(answer: Asked, fields: object = {}): object {
  return { model: CHAT_MODEL, messages: [{ role: 'user', content: `Be ${answer}` }], ...fields };
}

/** The question of {@link chat} in the form of each client. */
const FORMS: readonly { readonly path: string; readonly ask: (answer: Asked, fields?: object) => object }[] = [
  { path: '/chat/completions', ask: chat },
  { path: '/completions', ask: (answer, fields) => ({ model: CHAT_MODEL, prompt: `Be ${answer}`, ...fields }) },
  { path: '/messages', ask: (answer, fields) => ({ ...chat(answer, fields), max_tokens: 100 }) },
  { path: '/responses', ask: (answer, fields) => ({ model: CHAT_MODEL, input: `Be ${answer}`, ...fields }) },
];

const FLOODS: readonly Flood[] = [
  {
    name: 'embeddings of the builtin provider',
    count: 150,
    quickCount: 150,
    path: '/embeddings',
    body: { model: ECHO_EMBEDDING, dimensions: 256, input: INPUTS },
  },
  {
    name: 'embeddings of 20 MB',
    count: 60,
    quickCount: 16,
    path: '/embeddings',
    body: { model: EMBEDDING_MODEL, input: INPUTS },
  },
  ...FORMS.flatMap(({ path, ask }) => [
    {
      name: `streams of events of 7 MB, ${path}`,
      count: 60,
      quickCount: path === '/responses' ? 12 : 0,
      path,
      body: ask('events', { stream: true }),
      mayBreakOff: true,
    },
    {
      name: `documents of 20 MiB, ${path}`,
      count: 60,
      quickCount: path === '/messages' ? 12 : 0,
      path,
      body: ask('whole'),
      mayBreakOff: true,
    },
    {
      name: `documents of 330,000 objects, ${path}`,
      count: 60,
      quickCount: path === '/chat/completions' ? 12 : 0,
      path,
      body: ask('parts'),
    },
  ]),
  {
    name: 'prompts of 49,000 values that the provider never answers',
    count: 900,
    quickCount: 300,
    path: '/chat/completions',
    body: chat('silent', { metadata_of_the_client: MANY_VALUES }),
    isLeft: true,
  },
];

/** How long unanswered requests are held open, in milliseconds. */
const HELD_MS = 8_000;
const QUICK_HELD_MS = 4_000;

/** Answers, and refusals for want of memory or of a place among the open requests. */
const EXPECTED: ReadonlySet<number | undefined> = new Set([200, 429, 503]);

/** One key asks for more answers than the heap has room for, from the builtin provider and from a malicious one. */
export const HOSTILE_ANSWERS: Fault = {
  name: 'hostile-answers',
  title: `${FLOODS.length} floods of large answers for one key at a heap of ${HEAP_MIB} MiB, while another organization chats`,
  run: async (scene) => {
    const [flooder, honest] = await Promise.all([Flooder.start(), startBriefProvider()]);
    try {
      await query(
        await scene.database(),
        `UPDATE models SET architecture = (SELECT architecture FROM models WHERE id = $2) WHERE id = $1`,
        [EMBEDDING_MODEL, ECHO_EMBEDDING],
      );
      const service = await scene.service({
        NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`,
        PROVIDER_OPENAI_BASE_URL: flooder.providerUrl,
        PROVIDER_OPENAI_API_KEY: 'sk-of-the-fault',
        PROVIDER_DEEPSEEK_BASE_URL: honest.baseUrl,
        PROVIDER_DEEPSEEK_API_KEY: 'sk-of-the-fault',
      });
      const other = await clientOf(scene, service);
      scene.verdict.figure('load of the machine', os.loadavg()[0]!.toFixed(1));
      // The quick run has one of each kind.
      for (const flood of FLOODS.filter(({ count, quickCount }) => scene.count(count, quickCount) > 0)) {
        await underFlood(scene, { service, flooder, other }, flood);
        if (service.lastWords !== undefined) throw new Error(`it has ended during ${flood.name}, ${service.lastWords}`);
      }
    } finally {
      await Promise.all([flooder.stop(), honest.stop()]);
    }
  },
};

/** Calls with a new API key of the other organization. */
async function clientOf(scene: Scene, service: ServiceProcess): Promise<Caller> {
  const manager = scene.caller(service, scene.tenant.other_organization.management_key);
  const { status, text } = await manager.post('/keys', { name: 'Chats' });
  if (status !== 201) throw new Error(`no key was made: ${status} ${text}`);
  const { key } = JSON.parse(text) as { key: string };
  scene.keepSecret(key);
  return scene.caller(service, key);
}

/** Who takes part. */
interface Parties {
  readonly service: ServiceProcess;
  readonly flooder: Flooder;
  readonly other: Caller;
}

async function underFlood(scene: Scene, { service, flooder, other }: Parties, flood: Flood): Promise<void> {
  const { verdict, tenant } = scene;
  const { name, path, body, isLeft, mayBreakOff } = flood;
  const chats: Outcome[] = [];
  const small = scene.load(1, async () => {
    for (const { path: form, ask } of FORMS) chats.push(await other.post(form, ask('brief', { model: OTHER_MODEL })));
    chats.push(await other.post('/embeddings', { model: ECHO_EMBEDDING, input: 'a' }));
    await delay(10);
  });
  const began = performance.now();
  const outcomes = await flooder.flood({
    origin: service.origin,
    key: tenant.api_key,
    path,
    body,
    count: scene.count(flood.count, flood.quickCount),
    ...(isLeft === true && { leftAfterMs: scene.count(HELD_MS, QUICK_HELD_MS) }),
  });
  const took = performance.now() - began;
  await small.stop();
  verdict.figure(name, summaryOf(outcomes));
  verdict.figure('took s', (took / 1_000).toFixed(1));
  verdict.figure('others', chats.length);
  verdict.figure('longest ms', longestOf(chats));
  const failed = chats.filter(({ status }) => status !== 200);
  verdict.expect(failed.length === 0, `every request of the other is a 200 during ${name}`, summaryOf(failed));
  const mayHaveNone = isLeft === true || mayBreakOff === true;
  const strange = outcomes.filter(({ status }) => !(mayHaveNone && status === undefined) && !EXPECTED.has(status));
  verdict.expect(strange.length === 0, `every request is answered or refused during ${name}`, summaryOf(strange));
  const isAnswered = outcomes.some(({ status }: FloodOutcome) => status === 200);
  verdict.expect(isLeft === true || isAnswered, `some are answered during ${name}`, summaryOf(outcomes));
}
