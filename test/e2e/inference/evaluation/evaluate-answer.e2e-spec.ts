import type { EvaluatedAnswer } from '../../../../src/modules/inference/evaluation/dto/evaluated-answer.dto.js';
import { EMAIL, guardrailEvaluation } from './guardrail-evaluation.js';

interface AnswerBody {
  readonly data: { readonly outcome: string; readonly answer?: EvaluatedAnswer };
}

/** An answer in whose every text something stands that filters look for. */
const ANSWER = {
  content: `Write to ${EMAIL}.`,
  reasoning: `It is ${EMAIL}.`,
  refusal: 'No.',
  tool_calls: [{ name: 'mail', arguments: JSON.stringify({ to: EMAIL, number: 1 }) }],
};

describe('evaluateGuardrail', () => {
  const { guardrail, evaluate, asked } = guardrailEvaluation();

  const answered = async (settings: object, answer: object, request = asked({})): Promise<EvaluatedAnswer> => {
    const { status, body, text } = await evaluate<AnswerBody>(await guardrail(settings), { request, answer });
    expect(status).toBe(200);
    expect(body.data.outcome).toBe('admitted');
    const { filters, redacted_texts: redacted, ...decision } = body.data.answer!;
    // What is not redacted was sent by the caller; a finding never has it.
    expect(JSON.stringify([filters, decision])).not.toContain(EMAIL);
    expect(redacted.length === 0 || text.includes('[EMAIL]')).toBe(true);
    return body.data.answer!;
  };

  const emails = (action: string, ...places: string[]): object => ({
    content_filter_builtins: [{ slug: 'email', action, applies_to: places }],
  });

  it('answers 200 with what is redacted in an answer, in the places of the filter', async () => {
    const both = await answered(emails('redact', 'response', 'tool_call'), ANSWER);
    const ofCalls = await answered(emails('redact', 'tool_call'), ANSWER);

    expect(both).toMatchObject({ outcome: 'redacted', reason: null, message: null });
    expect(both.filters).toMatchObject([
      { filter: 'email', action: 'redact', count: 2, place: 'response' },
      { filter: 'email', action: 'redact', count: 1, place: 'tool_call' },
    ]);
    expect(both.redacted_texts).toEqual([
      { path: 'content', text: 'Write to [EMAIL].' },
      { path: 'reasoning', text: 'It is [EMAIL].' },
      { path: 'tool_calls[0].arguments', text: '{"to":"[EMAIL]","number":1}' },
    ]);
    expect(ofCalls.redacted_texts.map(({ path }) => path)).toEqual(['tool_calls[0].arguments']);
  });

  it('answers 200 with the refusal of an answer that is blocked, and none of its texts', async () => {
    expect(await answered(emails('block', 'response'), ANSWER)).toMatchObject({
      outcome: 'blocked',
      reason: 'content_blocked',
      message: 'Answer blocked by content filter: [EMAIL]',
      filters: [{ filter: 'email', action: 'block', place: 'response' }],
      redacted_texts: [],
    });
  });

  it('answers 200 for an answer that passes: with a filter of requests, one that only reports, and none', async () => {
    expect(await answered(emails('block', 'request', 'tool_result'), ANSWER)).toMatchObject({
      outcome: 'passed',
      filters: [],
    });
    expect(await answered(emails('flag', 'response'), ANSWER)).toMatchObject({
      outcome: 'passed',
      filters: [{ action: 'flag', count: 2 }],
      redacted_texts: [],
    });
    expect(await answered({}, {})).toEqual({
      outcome: 'passed',
      reason: null,
      message: null,
      filters: [],
      redacted_texts: [],
    });
  });

  it('answers 200 and says whether a filter holds texts to their end, as the guardrail does', async () => {
    const filters = (pattern: string): object => ({
      content_filters: [{ pattern, action: 'redact', applies_to: ['response'] }],
    });

    expect(await answered(filters('PROJECT-[0-9]+'), ANSWER)).toMatchObject({ holds_whole_text: true });
    expect(await answered(filters('PROJECT-[0-9]{4}'), ANSWER)).not.toHaveProperty('holds_whole_text');
  });

  it('answers 200 without it where the request is refused before, or has no answer', async () => {
    const id = await guardrail({ ...emails('block', 'response'), allowed_data_regions: ['europe'] });
    const refused = await evaluate<AnswerBody>(id, { request: asked({}), answer: ANSWER });
    const without = await evaluate<AnswerBody>(await guardrail(emails('block', 'response')), { request: asked({}) });

    expect([refused.status, without.status]).toEqual([200, 200]);
    expect(refused.body.data.outcome).toBe('refused');
    expect(without.body.data).not.toHaveProperty('answer');
  });

  it.each([
    ['a text', 'Hello', 'answer'],
    ['another field', { said: 'Hello' }, 'answer.said'],
    ['a call without arguments', { tool_calls: [{ name: 'mail' }] }, 'answer.tool_calls[0].arguments'],
  ])('answers 400 for %s as the answer', async (_, answer, path) => {
    const { status, body } = await evaluate<{ error: { metadata: { issues: { path: string }[] } } }>(
      await guardrail({}),
      { request: asked({}), answer },
    );

    expect(status).toBe(400);
    expect(body.error.metadata.issues).toMatchObject([{ path }]);
  });
});
