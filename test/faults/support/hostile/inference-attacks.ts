import type { Attack, Attacker } from './attack.js';

const MEBIBYTE = 1_048_576;

/** So large that an organization may have some 30 of them open. */
const LARGE = 8 * MEBIBYTE;

/** Nearly half as many as a body may have. Every caller finishes its request, and more would take all the time of the fault. */
const MANY_VALUES = 20_000;

const ECHO = 'gatehouse/echo';
const ECHO_EMBEDDING = 'gatehouse/echo-embedding';

const BUILTINS = ['email', 'phone', 'ssn', 'credit-card', 'ip-address', 'secrets', 'regex-prompt-injection'];

/** What each detector finds something to look at in. */
const SUSPICIOUS = 'ignroe i g n o r e call 212-555-0123 a@b.example 10.0.0.1 ';

/** A body that is made when it is first sent, because each attack is the only one in its thread. */
function madeOnce(make: () => string): () => string {
  let body: string | undefined;
  return () => (body ??= make());
}

function attackOn(path: string, name: string, make: () => string, prepare?: Attack['prepare']): Attack {
  const body = madeOnce(make);
  return {
    name,
    ...(prepare !== undefined && { prepare }),
    send: ({ caller, tenant }) => caller.send('POST', path, body(), tenant.api_key),
  };
}

function chat(content: string, fields: object = {}): string {
  return JSON.stringify({ model: ECHO, messages: [{ role: 'user', content }], ...fields });
}

/** A chat whose message is written in JSON already. */
function chatOf(json: string): string {
  return `{"model":"${ECHO}","messages":[{"role":"user","content":"${json}"}]}`;
}

function listOf<Item>(length: number, item: (index: number) => Item): Item[] {
  return Array.from({ length }, (_, index) => item(index));
}

function callOf(text: string): object {
  const calls = [{ id: 'call', type: 'function', function: { name: 'f', arguments: text } }];
  return { role: 'assistant', content: null, tool_calls: calls };
}

function listOfValues(length: number): string {
  return `[${'1,'.repeat(length)}1]`;
}

/** Reasoning as the gateway has it carried, with what no gateway has written. */
function carriedReasoning(json: string): object {
  return { type: 'reasoning', encrypted_content: `reasoning-details.1.${Buffer.from(json).toString('base64url')}` };
}

/** Letters a and b in no order, the same ones each time. */
function lettersOf(length: number): string {
  let seed = 1;
  return listOf(length, () => 'ab'[(seed = (seed * 48_271) % 2_147_483_647) % 2]).join('');
}

/** Patterns that take 10 ms each in the text of the attack: the engine makes a state for nearly every character. */
const SLOW_TO_SEARCH = listOf(200, (index) => `[ab]*a[ab]{${10 + (index % 20)}}[^ab]{${1 + Math.floor(index / 20)}}`);

/** As many patterns as a guardrail has, each small enough to be compiled on the event loop. */
const SMALL_PATTERNS = listOf(1_000, (index) => `confidentialproject${index}`);

/** Puts the key of the attacker under a guardrail. */
async function guard({ caller, tenant, unusedName }: Attacker, filters: object): Promise<void> {
  const { text } = await caller.post('/guardrails', { name: unusedName(), ...filters });
  const { id } = (JSON.parse(text) as { data: { id: string } }).data;
  const { status } = await caller.post(`/guardrails/${id}/assignments/keys`, { key_hashes: [tenant.api_key_hash] });
  if (status !== 200 && status !== 201) throw new Error(`the guardrail was not assigned: ${status}`);
}

/** Puts the key of the attacker under a guardrail with every builtin filter. */
async function filterContent(attacker: Attacker): Promise<void> {
  const content_filter_builtins = BUILTINS.map((slug) => ({
    slug,
    action: slug === 'regex-prompt-injection' ? 'flag' : 'redact',
  }));
  await guard(attacker, { content_filter_builtins });
}

function filterPatterns(patterns: readonly string[]): NonNullable<Attack['prepare']> {
  const content_filters = patterns.map((pattern) => ({ pattern, action: 'flag' }));
  return (attacker) => guard(attacker, { content_filters });
}

/** The id of a guardrail of the attacker's key. */
async function guardrailOf({ caller, tenant }: Attacker): Promise<string> {
  const { text } = await caller.get(`/guardrails/effective?key_hash=${tenant.api_key_hash}`);
  const { guardrails } = (JSON.parse(text) as { data: { guardrails: { id: string; applies_through: string[] }[] } })
    .data;
  return guardrails.findLast(({ applies_through }) => applies_through.includes('key'))!.id;
}

/** Changes a guardrail with many patterns before each chat under it, so that its rules are compiled each time. */
function changeAndChat(): Attack['send'] {
  let guardrail: Promise<string> | undefined;
  return async (attacker) => {
    const { caller, tenant, unusedName } = attacker;
    const id = await (guardrail ??= guardrailOf(attacker));
    await caller.send('PATCH', `/guardrails/${id}`, JSON.stringify({ description: unusedName() }));
    return caller.send('POST', '/chat/completions', chat('Hello.'), tenant.api_key);
  };
}

/** What one organization could keep others waiting with by what it asks models; filters apply from the first that needs them on. */
export const INFERENCE_ATTACKS: readonly Attack[] = [
  attackOn('/chat/completions', 'chats', () => chat('Hello.')),
  attackOn('/chat/completions', 'large prompts', () => chat('a'.repeat(LARGE))),
  attackOn('/chat/completions', 'large prompts in escapes', () => chatOf('\\u0041'.repeat(LARGE / 6))),
  attackOn('/chat/completions', 'very many fields', () =>
    chat('x', Object.fromEntries(listOf(MANY_VALUES, (index) => [`field${index}`, 1]))),
  ),
  attackOn('/chat/completions', 'malformed messages', () =>
    JSON.stringify({ model: ECHO, messages: listOf(MANY_VALUES / 4, () => ({ role: 'usr', content: 7, more: 1 })) }),
  ),
  attackOn('/messages', 'very many messages', () =>
    JSON.stringify({
      model: ECHO,
      max_tokens: 10,
      messages: listOf(MANY_VALUES / 4, (index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: 'x' })),
    }),
  ),
  attackOn('/chat/completions', 'streams of very many chunks', () => chat('a b '.repeat(1_024), { stream: true })),
  attackOn('/embeddings', 'embeddings of very many words', () =>
    JSON.stringify({ model: ECHO_EMBEDDING, input: listOf(2_048, () => 'a b '.repeat(8)) }),
  ),
  attackOn(
    '/chat/completions',
    'long prompts under filters',
    () => chat(SUSPICIOUS.repeat(MEBIBYTE / 4 / SUSPICIOUS.length)),
    filterContent,
  ),
  attackOn('/chat/completions', 'calls of very many values under filters', () =>
    JSON.stringify({
      model: ECHO,
      messages: [{ role: 'user', content: 'x' }, ...listOf(5, () => callOf(listOfValues(9_990)))],
    }),
  ),
  attackOn('/chat/completions', 'a call of millions of values under filters', () =>
    JSON.stringify({ model: ECHO, messages: [{ role: 'user', content: 'x' }, callOf(listOfValues(LARGE / 2))] }),
  ),
  attackOn('/responses', 'reasoning of millions of values', () =>
    JSON.stringify({ model: ECHO, input: [carriedReasoning(`[{"a":${listOfValues(LARGE / 3)}}]`)] }),
  ),
  {
    name: 'a guardrail that changes with every chat',
    prepare: filterPatterns(SMALL_PATTERNS),
    send: changeAndChat(),
  },
  attackOn(
    '/chat/completions',
    'patterns that are slow to search',
    () => chat(lettersOf(2_000)),
    filterPatterns(SLOW_TO_SEARCH),
  ),
];
