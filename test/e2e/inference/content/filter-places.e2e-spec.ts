import { filteredTexts, type ErrorBody } from './filtered-texts.js';

const EMAIL = 'jane.doe@example.com';

const PROJECT = 'PROJECT-1234';

/** A request in whose every place something stands that filters look for. */
const MESSAGES = [
  { role: 'user', content: `I am ${EMAIL} of ${PROJECT}.` },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'a', type: 'function', function: { name: 'mail', arguments: JSON.stringify({ to: EMAIL, of: PROJECT }) } },
    ],
  },
  { role: 'tool', tool_call_id: 'a', content: `Sent to ${EMAIL} of ${PROJECT}.` },
];

describe('the places of the content filters of chat completions', () => {
  const { gateway, guarded } = filteredTexts();

  const filtersAt = (applies_to: readonly string[], action = 'redact'): object => ({
    content_filter_builtins: [{ slug: 'email', action, applies_to }],
    content_filters: [{ pattern: 'PROJECT-[0-9]{4}', action, label: '[PROJECT]', applies_to }],
  });

  const sent = (): string[] => {
    const { messages } = gateway.alpha.received[0]!.body as {
      messages: { content: string | null; tool_calls?: { function: { arguments: string } }[] }[];
    };
    return messages.map(({ content, tool_calls: calls }) => content ?? calls![0]!.function.arguments);
  };

  const [ASKED, CALLED, ANSWERED] = [
    MESSAGES[0]!.content!,
    MESSAGES[1]!.tool_calls![0]!.function.arguments,
    MESSAGES[2]!.content!,
  ];
  const redacted = (text: string): string => text.replace(EMAIL, '[EMAIL]').replace(PROJECT, '[PROJECT]');

  it.each([
    [['tool_result'], [ASKED, CALLED, redacted(ANSWERED)], 1],
    [['request'], [redacted(ASKED), redacted(CALLED), ANSWERED], 2],
    [['request', 'response', 'tool_result'], [redacted(ASKED), redacted(CALLED), redacted(ANSWERED)], 3],
  ])('answer 200 and redact nothing but the texts of %j', async (places, texts, count) => {
    const key = await guarded(filtersAt(places));
    const answer = await gateway.ask(key, { messages: MESSAGES });

    expect(answer.status).toBe(200);
    expect(sent()).toEqual(texts);
    const { guardrail_actions: actions } = await gateway.record(answer, key);
    expect(actions).toMatchObject([
      { filter: 'email', count },
      { filter: '[PROJECT]', count },
    ]);
  });

  it('answer 200 for a blocked value in a place where the filter does not apply, else 403', async () => {
    const key = await guarded(filtersAt(['tool_result'], 'block'));
    const passed = await gateway.ask(key, { messages: MESSAGES.slice(0, 1) });
    const blocked = await gateway.ask<ErrorBody>(key, { messages: MESSAGES });

    expect([passed.status, blocked.status]).toEqual([200, 403]);
    expect(blocked.body.error.metadata['reason']).toBe('content_blocked');
    expect(gateway.alpha.received).toHaveLength(1);
  });

  it('answer 403 for a file that cannot be scanned, unless (404) all filters are for answers', async () => {
    const file = { filename: 'a', file_data: `data:text/plain;base64,${btoa(`\u00e9 ${EMAIL}`)}` };
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Read.' },
          { type: 'file', file },
        ],
      },
    ];
    const ofAnswers = await guarded(filtersAt(['tool_call'], 'flag'));
    const ofRequests = await guarded(filtersAt(['tool_call', 'tool_result'], 'flag'));

    // No model of this gateway takes files, which is found out behind the filters.
    const passed = await gateway.ask<ErrorBody>(ofAnswers, { messages });
    expect([passed.status, passed.body.error.metadata['reason']]).toEqual([404, 'no_endpoints']);
    const refused = await gateway.ask<ErrorBody>(ofRequests, { messages });
    expect([refused.status, refused.body.error.metadata['reason']]).toEqual([403, 'input_not_scannable']);
  });
});
