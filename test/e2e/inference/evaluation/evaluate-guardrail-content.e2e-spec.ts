import { ProviderServer } from '../../../support/network/provider-server.js';
import {
  guardrailEvaluation,
  EMAIL,
  INJECTION,
  REDACT_EMAIL,
  type Evaluation,
  type EvaluationBody,
} from './guardrail-evaluation.js';

describe('evaluateGuardrail', () => {
  const { gateway, organization, guardrail, evaluate, evaluated, asked } = guardrailEvaluation();

  it('answers 200 with the places of matches in code points, and without what was matched', async () => {
    const id = await guardrail({
      content_filter_builtins: [
        { slug: 'email', action: 'redact' },
        { slug: 'ip-address', action: 'flag' },
      ],
      content_filters: [{ pattern: 'PROJECT-[0-9]{4}', action: 'redact', label: '[PROJECT]' }],
    });
    const call = { id: 'c1', type: 'function', function: { name: 'mail', arguments: `{"to": "😀 ${EMAIL}"}` } };
    const tool = { name: 'mail', description: `Mails ${EMAIL}`, parameters: { type: 'object' } };
    const request = asked({
      messages: [
        { role: 'user', content: `😀😀 ${EMAIL} and PROJECT-1234` },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: 'Sent from 192.0.2.77' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Again' },
            { type: 'text', text: `to ${EMAIL}` },
          ],
        },
      ],
      tools: [{ type: 'function', function: tool }],
    });
    const { status, body, text } = await evaluate(id, { request });
    const { filters, matches, redacted_texts: redacted } = body.data.content!;

    expect(status).toBe(200);
    expect(matches).toEqual([
      {
        path: 'messages[0].content',
        message: 0,
        part: null,
        offset: 3,
        length: 20,
        filter: 'email',
        action: 'redact',
        pattern: null,
      },
      {
        path: 'messages[0].content',
        message: 0,
        part: null,
        offset: 28,
        length: 12,
        filter: '[PROJECT]',
        action: 'redact',
        pattern: null,
      },
      {
        path: 'messages[1].tool_calls[0].function.arguments',
        message: 1,
        part: null,
        offset: 7,
        length: 24,
        filter: 'email',
        action: 'redact',
        pattern: null,
      },
      {
        path: 'messages[2].content',
        message: 2,
        part: null,
        offset: 10,
        length: 10,
        filter: 'ip-address',
        action: 'flag',
        pattern: null,
      },
      {
        path: 'messages[3].content[1].text',
        message: 3,
        part: 1,
        offset: 3,
        length: 20,
        filter: 'email',
        action: 'redact',
        pattern: null,
      },
      {
        path: 'tools[0].function',
        message: null,
        part: null,
        offset: null,
        length: null,
        filter: 'email',
        action: 'redact',
        pattern: null,
      },
    ]);
    expect(filters).toMatchObject([
      { filter: 'email', count: 4, guardrail_ids: [id] },
      { filter: 'ip-address', count: 1 },
      { filter: '[PROJECT]', count: 1 },
    ]);
    expect(redacted.slice(0, 2)).toEqual([
      { path: 'messages[0].content', text: '😀😀 [EMAIL] and [PROJECT]' },
      { path: 'messages[1].tool_calls[0].function.arguments', text: '{"to": "😀 [EMAIL]"}' },
    ]);
    const logged = gateway.app.logLines.join('\n');
    for (const secret of ['jane.doe', 'PROJECT-1234', '192.0.2.77']) {
      expect([secret, text.includes(secret), logged.includes(secret)]).toEqual([secret, false, false]);
    }
  });

  it('answers 200 without a text in which something is redacted and something else only reported', async () => {
    const id = await guardrail({
      content_filter_builtins: [
        { slug: 'email', action: 'redact' },
        { slug: 'ip-address', action: 'flag' },
      ],
    });
    const content = `From 192.0.2.77 to ${EMAIL}`;
    const { status, body, text } = await evaluate(id, { request: asked({ messages: [{ role: 'user', content }] }) });

    expect([status, body.data.outcome, body.data.content!.redacted_texts]).toEqual([200, 'admitted', []]);
    expect(text).not.toMatch(/192\.0\.2\.77|jane\.doe/);
  });

  it('answers 200 with the names of the patterns of an injection, and lists 1,000 matches at most', async () => {
    const id = await guardrail({ content_filter_builtins: [{ slug: 'regex-prompt-injection', action: 'block' }] });
    const injection = await evaluated(id, { request: asked({ messages: INJECTION }) });

    expect(injection).toMatchObject({ refused_at: 'content', reason: 'prompt_injection_detected' });
    expect(injection.content!.filters).toMatchObject([
      {
        filter: 'regex-prompt-injection',
        patterns: expect.arrayContaining(['ignore_previous_instructions']) as unknown,
      },
    ]);
    expect(injection.content!.matches[0]).toMatchObject({ offset: 0, pattern: 'ignore_previous_instructions' });

    const content = `${EMAIL} `.repeat(1_200);
    const many = await evaluated(await guardrail(REDACT_EMAIL), {
      request: asked({ messages: [{ role: 'user', content }] }),
    });

    expect([many.content!.matches.length, many.content!.omitted_matches]).toEqual([1_000, 200]);
  });

  it('answers 200 with the analyzer asked as for the request itself', async () => {
    const analyzer = await ProviderServer.start();
    const analyzed = await gateway.replica({ CONTENT_ANALYZER_URL: new URL(analyzer.baseUrl).origin });
    try {
      const id = await guardrail({ content_filter_builtins: [{ slug: 'person-name', action: 'redact' }] });
      const json = { request: asked({ messages: [{ role: 'user', content: '😀 Ask Jane Doe.' }] }) };
      const ask = async (): Promise<Evaluation> => {
        const options = { key: organization.managementKey, json };
        const { status, body } = await analyzed.api.post<EvaluationBody>(`/guardrails/${id}/evaluate`, options);
        expect(status).toBe(200);
        return body.data;
      };
      analyzer.answerJson([{ entity_type: 'PERSON', start: 6, end: 14, score: 0.85 }]);
      const found = await ask();
      analyzer.answerJson({}, 503);
      const failed = await ask();

      expect(found.content).toMatchObject({
        analyzer: 'answered',
        matches: [{ offset: 6, length: 8, filter: 'person-name' }],
        redacted_texts: [{ text: '😀 Ask [PERSON_NAME].' }],
      });
      expect(failed).toMatchObject({
        outcome: 'refused',
        reason: 'content_analyzer_unavailable',
        content: { analyzer: 'failed' },
      });
      expect((await evaluated(id, json)).content!.analyzer).toBe('not_configured');
    } finally {
      await analyzed.stop();
      await analyzer.stop();
    }
  });
});
