import { CHAT_PATH, type TestBed, question } from './test-bed.js';

/** The limit is one only while it answers, and records, what the service does. @param key of both requests */
export async function requireSameAnswers({ service, limit, database }: TestBed, key: string): Promise<void> {
  const answers: string[] = [];
  for (const server of [service, limit]) {
    const response = await fetch(`${server.origin}${CHAT_PATH}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(question()),
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    const answer = (await response.json()) as { id: string; model: string; usage: { cost: number }; choices: unknown };
    const [record] = await database.query(
      'SELECT status, model, provider, cost_usd::float8, prompt_tokens, completion_tokens FROM generations WHERE id = $1',
      [answer.id],
    );
    answers.push(JSON.stringify([response.status, answer.model, answer.usage.cost, record]));
  }
  if (answers[0] !== answers[1]) throw new Error(`service and limit differ:\n${answers.join('\n')}`);
}
