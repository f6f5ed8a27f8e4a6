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

/** Puts the key of the attacker under a guardrail with every builtin filter. */
async function filterContent({ caller, tenant, unusedName }: Attacker): Promise<void> {
  const content_filter_builtins = BUILTINS.map((slug) => ({
    slug,
    action: slug === 'regex-prompt-injection' ? 'flag' : 'redact',
  }));
  const { text } = await caller.post('/guardrails', { name: unusedName(), content_filter_builtins });
  const { id } = (JSON.parse(text) as { data: { id: string } }).data;
  const { status } = await caller.post(`/guardrails/${id}/assignments/keys`, { key_hashes: [tenant.api_key_hash] });
  if (status !== 200 && status !== 201) throw new Error(`the guardrail was not assigned: ${status}`);
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
];
