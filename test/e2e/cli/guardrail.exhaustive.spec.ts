import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { defaultGuardrailIdOf } from '../../../src/persistence/identifiers.js';
import { createEmptyDatabase, queryRows, type TestDatabase } from '../../support/database/test-database.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { type Ending, GatehouseProcess } from '../../support/processes/gatehouse-process.js';
import { runCommand } from '../../support/processes/run-command.js';

const EMAIL = 'jane.doe@example.com';

const CHAT = { model: 'gatehouse/echo', messages: [{ role: 'user', content: `Write to ${EMAIL}` }] };

const RANKED = { model: 'gatehouse/echo-rerank', query: 'Who?', documents: ['Nobody', EMAIL] };

const ANSWER = {
  content: `Write to ${EMAIL}, or ${EMAIL}`,
  tool_calls: [{ name: 'mail', arguments: `{"to":"${EMAIL}"}` }],
};

const PLAIN = { model: 'gatehouse/echo', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 7 };

describe('gatehouse guardrail evaluate', () => {
  let database: TestDatabase;
  let directory: string;
  let guardrailId: string;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    directory = await mkdtemp(path.join(os.tmpdir(), 'gatehouse-cli-'));
    await gatehouse('init', '--organization', 'Example', '--email', 'a@example.com');
    const [workspace] = await queryRows<{ id: string; organization_id: string }>(
      database.url,
      'SELECT id, organization_id FROM workspaces',
    );
    guardrailId = defaultGuardrailIdOf(workspace!.id);
    await queryRows(
      database.url,
      `INSERT INTO guardrails (organization_id, id, workspace_id, name, include_byok_in_budgets, content_filter_builtins, created_at)
        VALUES ($1, $2, $3, 'Ours', false, '[{"slug":"email","action":"block"}]', now())`,
      [workspace!.organization_id, guardrailId, workspace!.id],
    );
    await writeFile(path.join(directory, 'chat.json'), JSON.stringify(CHAT));
    await writeFile(path.join(directory, 'ranked.json'), JSON.stringify(RANKED));
    await writeFile(path.join(directory, 'plain.json'), JSON.stringify(PLAIN));
    await writeFile(path.join(directory, 'answer.json'), JSON.stringify(ANSWER));
    await writeFile(path.join(directory, 'broken.json'), `{"messages": "${EMAIL}`);
    await writeFile(path.join(directory, 'wrong.json'), JSON.stringify({ messages: [] }));
  });

  afterAll(async () => {
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });

  // The standard input of a process of its own is empty.
  const gatehouse = (...words: string[]): Promise<Ending> =>
    (words.includes('-') ? inProcessOfItsOwn : runCommand)(words, {
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: '11'.repeat(32),
      INIT_CWD: directory,
    });

  const inProcessOfItsOwn = GatehouseProcess.command.bind(GatehouseProcess);

  const evaluate = async (id: string, file: string, ...words: string[]): Promise<Ending> => {
    const ending = await gatehouse('guardrail', 'evaluate', id, '--request', file, ...words);
    // Nothing of the request is shown, and no trace of the program.
    expect(`${ending.stdout}${ending.stderr}`).not.toMatch(/jane\.doe|^\s+at /m);
    return ending;
  };

  it('prints the steps in words', async () => {
    const { code, stdout, stderr } = await evaluate(guardrailId, 'chat.json');

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')).toEqual([
      'Guardrails: Ours (workspace)',
      'Models: gatehouse/echo',
      'Match: email (block) in messages[0].content, 20 characters from 9',
      'Endpoints: none',
      'Outcome: refused (content) with 403 content_blocked: Request blocked by content filter: [EMAIL]',
      '',
    ]);
  });

  it('prints the steps of a request of another operation', async () => {
    const { code, stdout, stderr } = await evaluate(guardrailId, 'ranked.json', '--operation', 'rerank');

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').slice(1, 3)).toEqual([
      'Models: gatehouse/echo-rerank',
      'Match: email (block) in documents[1], 20 characters from 0',
    ]);
  });

  it('prints what the filters of answers make of an answer', async () => {
    const setFilters = (filters: string): Promise<unknown> =>
      queryRows(database.url, 'UPDATE guardrails SET content_filter_builtins = $1', [filters]);
    await setFilters('[{"slug":"email","action":"redact","applies_to":["response"]}]');
    const redacted = await evaluate(guardrailId, 'plain.json', '--answer', 'answer.json');
    await setFilters('[{"slug":"email","action":"block","applies_to":["tool_call"]}]');
    const blocked = await evaluate(guardrailId, 'plain.json', '--answer', 'answer.json');
    await setFilters('[{"slug":"email","action":"block"}]');
    const passed = await evaluate(guardrailId, 'plain.json', '--answer', 'answer.json');

    const answerIn = ({ stdout }: Ending): string[] => stdout.split('\n').filter((line) => line.startsWith('Answer'));
    expect(answerIn(redacted)).toEqual(['Answer: email (redact) in response, 2 times', 'Answer: redacted']);
    expect(answerIn(blocked)).toEqual([
      'Answer: email (block) in tool_call, 1 times',
      'Answer: blocked with content_blocked: Answer blocked by content filter: [EMAIL]',
    ]);
    expect(answerIn(passed)).toEqual(['Answer: passed']);
  });

  it('prints the worst case, and what each limit does', async () => {
    await queryRows(
      database.url,
      `INSERT INTO workspace_budgets (id, organization_id, workspace_id, "interval", limit_usd, created_at, updated_at)
        SELECT gen_random_uuid(), organization_id, id, 'daily', 2.5, now(), now() FROM workspaces`,
    );
    const { code, stdout, stderr } = await evaluate(guardrailId, 'plain.json');

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')).toEqual([
      'Guardrails: Ours (workspace)',
      'Models: gatehouse/echo',
      'Endpoints: gatehouse/echo at gatehouse',
      expect.stringMatching(/^Worst case: 15 tokens and an answer of 7 for \$[0-9.]+, gatehouse\/echo at gatehouse$/),
      'Limit: workspace, daily, $2.50 left of $2.50 ($0.00 spent, $0.00 reserved), enough',
      'Outcome: admitted',
      '',
    ]);
  });

  it('prints the answer of the operation with --json', async () => {
    const { code, stdout } = await evaluate(guardrailId, 'chat.json', '--json');

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'refused',
      refused_at: 'content',
      reason: 'content_blocked',
      content: { matches: [{ path: 'messages[0].content', offset: 9, length: 20 }] },
    });
  });

  it('records nothing', async () => {
    expect(await queryRows(database.url, 'SELECT id FROM generations')).toEqual([]);
  });

  it.each([
    ['a file that is not there', 'nothing.json', [], /^The request cannot be read: /],
    ['what is not JSON', 'broken.json', [], /^The request is not JSON\.$/m],
    ['an empty standard input', '-', [], /^The request is not JSON\.$/m],
    ['an answer that is not there', 'plain.json', ['--answer', 'nothing.json'], /^The answer cannot be read: /],
    ['an answer that is not JSON', 'plain.json', ['--answer', 'broken.json'], /^The answer is not JSON\.$/m],
    ['an answer of another form', 'plain.json', ['--answer', 'plain.json'], /^answer\.model is not a known field$/m],
    ['both from the standard input', '-', ['--answer', '-'], /^Standard input is either the request or the answer\.$/m],
    ['a malformed request', 'wrong.json', [], /^request\.messages must NOT have fewer than 1 items$/m],
    ['an unknown operation', 'chat.json', ['--operation', 'videos'], /^operation must be one of chat\/completions, /m],
    ['a request of another operation', 'chat.json', ['--operation', 'rerank'], /^request\.query is required$/m],
    ['a key that is not there', 'chat.json', ['--key', '0'.repeat(64)], /^It is refused: 404 key_not_found\.$/m],
    ['a member who is not there', 'chat.json', ['--member', 'user_nobody'], /member_not_found/],
    ['a workspace that is not there', 'chat.json', ['--workspace', UNKNOWN_UUID], /workspace_id/],
    ['a key together with a member', 'chat.json', ['--key', 'a', '--member', 'b'], /^user_id must not stand together/m],
    ['an organization that is not there', 'chat.json', ['--organization', 'org_none'], /^There is no org_none\.$/m],
  ])('exits with an error for %s', async (_, file, words, message) => {
    const { code, stdout, stderr } = await evaluate(guardrailId, file, ...words);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
  });
});
