import { pathToFileURL } from 'node:url';
import { freePort, type ServerProcess } from '../support/server-process.js';
import { median, rounded } from '../support/statistics.js';
import { CHAT_PATH, type TestBed, manage, newKey, question } from './test-bed.js';
import { type GatewayOptions, type GatewayRow, percentile, withSpread } from './measure.js';

const PROMPT_LENGTH = 400_000;

/** Of each kind of key, one after the other. */
const REQUESTS = 24;

/** So many times as many come first, until the filters are compiled for the machine: a service has met long prompts before. */
const WARM_UP = 3;

/** Seven builtin filters and two of the organization's own. */
const NINE_FILTERS = {
  content_filter_builtins: [
    'email',
    'phone',
    'ssn',
    'credit-card',
    'ip-address',
    'secrets',
    'regex-prompt-injection',
  ].map((slug) => ({ slug, action: slug === 'regex-prompt-injection' ? 'flag' : 'redact' })),
  content_filters: [
    { pattern: 'PROJECT-[0-9]{4}', action: 'redact', label: '[PROJECT]' },
    { pattern: '\\b(case|ticket) no\\. [0-9]+', action: 'flag', label: '[TICKET]' },
  ],
};

/** What nine filters add to a very long prompt, and how long one request holds the loop of the service. */
export async function measureLongPrompts(testBed: TestBed, { rounds }: GatewayOptions): Promise<GatewayRow[]> {
  const watchPort = await freePort();
  const watch = pathToFileURL('dist/bench/gateway/loop-watch.js').href;
  const service = await testBed.startService({ NODE_OPTIONS: `--import ${watch}`, LOOP_WATCH_PORT: String(watchPort) });
  const [filtered, plain] = [await filteredKey(testBed), testBed.tenant.api_key];
  const longestHold = async (): Promise<number> => Number(await (await fetch(`http://127.0.0.1:${watchPort}`)).text());
  const texts = Object.entries({ prose: PROSE, data: DATA });
  const rows: GatewayRow[] = [];
  for (const [name, text] of texts) {
    const prompt = text.repeat(Math.ceil(PROMPT_LENGTH / text.length)).slice(0, PROMPT_LENGTH);
    for (let turn = 0; turn < WARM_UP; turn += 1) {
      for (const key of [filtered, plain]) await times(service, key, prompt, longestHold);
    }
    const pairs: (readonly [Times, Times])[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const own = await times(service, filtered, prompt, longestHold);
      pairs.push([own, await times(service, plain, prompt, longestHold)]);
    }
    const added = pairs.map(([own, beside]) => own.p50 - beside.p50);
    const [ownMs, besideMs] = [0, 1].map((index) => median(pairs.map((pair) => pair[index as 0 | 1].p50)));
    const [ownHold, besideHold] = [0, 1].map((index) => median(pairs.map((pair) => pair[index as 0 | 1].hold)));
    rows.push(
      [
        `400 KB of ${name}, nine filters, p50 ms`,
        rounded(ownMs!, 1),
        rounded(besideMs!, 1),
        `+${withSpread(added, 1)}`,
        '<= +25',
      ],
      [
        `400 KB of ${name}, longest hold of the loop, ms`,
        rounded(ownHold!, 1),
        rounded(besideHold!, 1),
        withSpread(
          pairs.map(([own]) => own.hold),
          1,
        ),
        '<= 250',
      ],
    );
  }
  return rows;
}

/** What some requests took, and how long the loop was held in the middle one of them. */
interface Times {
  readonly p50: number;
  readonly hold: number;
}

async function times(
  service: ServerProcess,
  key: string,
  prompt: string,
  longestHold: () => Promise<number>,
): Promise<Times> {
  const [durations, holds]: [number[], number[]] = [[], []];
  const body = JSON.stringify(question(prompt));
  for (let request = 0; request < REQUESTS; request += 1) {
    await longestHold();
    const start = performance.now();
    const response = await fetch(`${service.origin}${CHAT_PATH}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
    });
    const text = await response.text();
    durations.push(performance.now() - start);
    if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 200)}`);
    holds.push(await longestHold());
  }
  return { p50: percentile(durations, 0.5), hold: percentile(holds, 0.5) };
}

async function filteredKey(testBed: TestBed): Promise<string> {
  const { management_key: managementKey } = testBed.tenant;
  const guardrail = { name: 'Nine filters', ...NINE_FILTERS };
  const { data } = await manage<{ data: { id: string } }>(testBed, managementKey, '/guardrails', guardrail);
  const { key, hash } = await newKey(testBed, managementKey);
  await manage(testBed, managementKey, `/guardrails/${data.id}/assignments/keys`, { key_hashes: [hash] });
  return key;
}

/** A page as people write them. Nothing of it is real. */
const PROSE = `The committee met on a Thursday in the old library, where the windows look out over the river. Nobody had expected the
question to take long; by noon three proposals lay on the table, and each of them had its friends. "We should begin with what we
know," said the chair, "and leave the rest to those who have measured it." The first proposal, of 2019, asks for 14 stations along
the coast, at a price of about 3,200 a year; the second for 9, but larger ones. Write to the office (office@committee.example) or
call +44 20 7946 0958 before the 24th. Ignoring the weather, which was bad, and the roads, which were worse, the journey takes four
hours. What is remarkable is not that the numbers differ, but that they differ so little: 1.4 per cent in the north, 1.7 in the
south, and nothing at all where the two lines meet. See PROJECT-2210, and ticket no. 77.
`;

/** Lines of a log: many digits, dots and signs, which are what most filters begin with. */
const DATA = `2026-11-22T15:04:05.123Z INFO  [worker-7] request id=7f3a91c2d4 path=/v2/items/99213/parts?limit=50&offset=100 status=200 ms=12.7
2026-11-22T15:04:05.131Z DEBUG [worker-7] cache key=items:99213:parts:50:100 hit=false size=18223 ttl=3600 shard=3/16 lag=0.004
2026-11-22T15:04:05.140Z WARN  [worker-2] slow query (184.2 ms): select * from parts where item = 99213 and rev > 4401 limit 50
2026-11-22T15:04:05.152Z INFO  [gateway] 10.20.30.41:51234 -> 10.20.31.7:443 bytes=18223/512 tls=1.3 cipher=AES256-GCM user=u_8812
{"level":30,"time":1795273445160,"pid":4121,"host":"ip-10-20-30-41","msg":"done","n":1200,"sum":88213.5,"tags":["a","b-2","c_3"]}
`;
