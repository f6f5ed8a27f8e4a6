import { messagesFieldsOf, withMessagesFields } from '../chat/messages-fields.js';
import { CLAUDE, encoded, QUESTION, requestFor, sentMessages, WEATHER } from './converse.fixture.js';

const CALL = { id: 'tooluse_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Ulm"}' } };
const OTHER = { id: 'tooluse_2', type: 'function', function: { name: 'weather', arguments: '' } };
const CALLED = { role: 'assistant', content: null, tool_calls: [CALL] };
const PDF = 'data:application/pdf;base64,JVBERi0xLjc=';

const SCHEMA = { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } };

const mark = (ttl?: string) => ({ cache_control: { type: 'ephemeral', ...(ttl !== undefined && { ttl }) } });

describe('A request in the form of Converse', () => {
  it('has what a second turn with thoughts, a document and a tool has, and everything that is optional', () => {
    const { path, body } = encoded(
      CLAUDE,
      withMessagesFields(
        {
          model: 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
          messages: [
            { role: 'system', content: [{ type: 'text', text: 'Be short.', ...mark('1h') }] },
            {
              role: 'user',
              content: [
                { type: 'text', text: 'Weather in Ulm?' },
                { type: 'file', file: { filename: 'Report: 2026.pdf', file_data: PDF } },
              ],
            },
            {
              ...CALLED,
              reasoning_details: [
                { type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0, text: 'I look.', signature: 'c2ln' },
                { type: 'reasoning.encrypted', format: 'anthropic-claude-v1', index: 1, data: 'ZW5j' },
              ],
            },
            { role: 'tool', tool_call_id: 'tooluse_1', content: '7 C' },
            { role: 'user', content: 'And now?' },
          ],
          max_tokens: 4096,
          stop: 'END',
          tools: [{ ...WEATHER, function: { ...WEATHER.function, description: 'Weather of a city' } }],
          tool_choice: 'auto',
          reasoning: { max_tokens: 2048 },
          response_format: SCHEMA,
          service_tier: 'flex',
          guardrailConfig: { guardrailIdentifier: 'g1', guardrailVersion: '1', streamProcessingMode: 'sync' },
        },
        { betas: 'interleaved-thinking-2025-05-14' },
      ),
      true,
    );

    expect(path).toBe('/model/eu.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse-stream');
    expect(body).toEqual({
      system: [{ text: 'Be short.' }, { cachePoint: { type: 'default', ttl: '1h' } }],
      messages: [
        {
          role: 'user',
          content: [
            { text: 'Weather in Ulm?' },
            { document: { format: 'pdf', name: 'Document 1 Report 2026 pdf', source: { bytes: 'JVBERi0xLjc=' } } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { reasoningContent: { reasoningText: { text: 'I look.', signature: 'c2ln' } } },
            { reasoningContent: { redactedContent: 'ZW5j' } },
            { toolUse: { toolUseId: 'tooluse_1', name: 'weather', input: { city: 'Ulm' } } },
          ],
        },
        {
          role: 'user',
          content: [
            { toolResult: { toolUseId: 'tooluse_1', content: [{ text: '7 C' }], status: 'success' } },
            { text: 'And now?' },
          ],
        },
      ],
      inferenceConfig: { maxTokens: 4096, stopSequences: ['END'] },
      toolConfig: {
        tools: [
          {
            toolSpec: {
              name: 'weather',
              description: 'Weather of a city',
              inputSchema: { json: WEATHER.function.parameters },
            },
          },
        ],
        toolChoice: { auto: {} },
      },
      outputConfig: {
        textFormat: { type: 'json_schema', structure: { jsonSchema: { schema: '{"type":"object"}', name: 'a' } } },
      },
      additionalModelRequestFields: {
        thinking: { type: 'enabled', budget_tokens: 2048 },
        anthropic_beta: ['interleaved-thinking-2025-05-14'],
      },
      additionalModelResponseFieldPaths: ['/stop_sequence'],
      serviceTier: { type: 'flex' },
      guardrailConfig: { guardrailIdentifier: 'g1', guardrailVersion: '1', streamProcessingMode: 'sync' },
    });
  });

  it('names a model of any kind in one part of its path', () => {
    const model = 'arn:aws:bedrock:eu-central-1:123456789012:application-inference-profile/abc';
    expect(encoded({}, { model }).path).toBe(
      '/model/arn%3Aaws%3Abedrock%3Aeu-central-1%3A123456789012%3Aapplication-inference-profile%2Fabc/converse',
    );
  });

  it('has roles in turn, beginning with the user, without blank texts', () => {
    const messages = [
      { role: 'user', content: '  ' },
      { role: 'user', content: 'a' },
      { role: 'user', name: 'Ann', content: 'b' },
      { role: 'assistant', content: '' },
      { role: 'system', content: 'c' },
    ];
    expect(sentMessages({}, messages)).toEqual([
      { role: 'user', content: [{ text: 'a' }, { text: 'Ann: b' }, { text: 'c' }] },
    ]);
  });

  it('begins with the user, whichever role begins the conversation', () => {
    const messages = [
      { role: 'assistant', content: 'Welcome' },
      { role: 'user', content: 'Hi' },
    ];
    expect(sentMessages({}, messages)).toEqual([
      { role: 'user', content: [{ text: 'Begin.' }] },
      { role: 'assistant', content: [{ text: 'Welcome' }] },
      { role: 'user', content: [{ text: 'Hi' }] },
    ]);
  });

  it('has all results of a turn before its texts, with what they are empty of said', () => {
    const messages = [
      QUESTION,
      { ...CALLED, tool_calls: [CALL, OTHER] },
      withMessagesFields({ role: 'tool', tool_call_id: 'tooluse_1', content: 'no such city' }, { is_error: true }),
      { role: 'tool', tool_call_id: 'tooluse_2', content: '' },
      { role: 'user', content: 'Well?' },
    ];
    expect(sentMessages({}, messages, { tools: [WEATHER] })).toEqual([
      { role: 'user', content: [{ text: 'Hi' }] },
      {
        role: 'assistant',
        content: [
          { toolUse: { toolUseId: 'tooluse_1', name: 'weather', input: { city: 'Ulm' } } },
          { toolUse: { toolUseId: 'tooluse_2', name: 'weather', input: {} } },
        ],
      },
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: 'tooluse_1', content: [{ text: 'no such city' }], status: 'error' } },
          { toolResult: { toolUseId: 'tooluse_2', content: [{ text: '(no output)' }], status: 'success' } },
          { text: 'Well?' },
        ],
      },
    ]);
  });

  it('has images and files of results within them', () => {
    const content = [
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: PDF } },
    ];
    const messages = [QUESTION, CALLED, { role: 'tool', tool_call_id: 'tooluse_1', content }];
    expect(sentMessages({}, messages, { tools: [WEATHER] })).toContainEqual({
      role: 'user',
      content: [
        {
          toolResult: {
            toolUseId: 'tooluse_1',
            content: [
              { image: { format: 'png', source: { bytes: 'iVBORw0KGgo=' } } },
              { document: { format: 'pdf', name: 'Document 1 a pdf', source: { bytes: 'JVBERi0xLjc=' } } },
            ],
            status: 'success',
          },
        },
      ],
    });
  });

  it.each([
    ['data:application/pdf;base64,JVBERi0=', 'Année (v2) [x].pdf', 'pdf', 'Document 1 Annee (v2) [x] pdf'],
    ['data:application/pdf;base64,UEsDBBQA', 'plan.xlsx', 'xlsx', 'Document 1 plan xlsx'],
    ['data:application/vnd.ms-excel;base64,0M8R4KGxGuE=', undefined, 'xls', 'Document 1'],
    ['data:text/csv;base64,YTti', 'a.b..c', 'csv', 'Document 1 a b c'],
    ['data:application/octet-stream;base64,IyBB', 'README.md', 'md', 'Document 1 README md'],
    ['s3://bucket/folder/report.docx', undefined, 'docx', 'Document 1'],
  ])('has the file %s called %j as a document of the format %s and the name %j', (data, filename, format, name) => {
    const file = { file_data: data, ...(filename !== undefined && { filename }) };
    const messages = [{ role: 'user', content: [{ type: 'file', file }] }];
    const [{ content }] = sentMessages({}, messages) as [{ content: [object, { document: object }] }];
    expect(content[0]).toEqual({ text: 'See the document.' });
    expect(content[1].document).toMatchObject({ format, name });
  });

  it('gives each document of a request a name of its own', () => {
    const part = { type: 'file', file: { filename: 'a.pdf', file_data: PDF } };
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'Compare' }, part, part] }];
    expect(JSON.stringify(sentMessages({}, messages))).toMatch(/Document 1 a pdf.*Document 2 a pdf/);
  });

  it.each([
    { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
    { type: 'image_url', image_url: { url: 'data:image/tiff;base64,SUkq' } },
    { type: 'image_url', image_url: { url: 'data:image/png,x' } },
    { type: 'file', file: { file_data: 'https://example.com/a.pdf' } },
    { type: 'file', file: { file_id: 'file_1' } },
    { type: 'file', file: { filename: 'a.zip', file_data: 'data:application/zip;base64,UEsDBBQA' } },
    { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
  ])('refuses %j with 400', (part) => {
    expect(() => encoded({}, { messages: [{ role: 'user', content: [part] }] })).toThrow(
      expect.objectContaining({ kind: 'refused', status: 400 }) as Error,
    );
  });

  it('has calls and results as texts where no tool is offered, or none is to be called', () => {
    const messages = [
      QUESTION,
      CALLED,
      { role: 'tool', tool_call_id: 'tooluse_1', content: '7 C' },
      { role: 'user', content: 'Thanks' },
    ];
    const expected = [
      { role: 'user', content: [{ text: 'Hi' }] },
      { role: 'assistant', content: [{ text: 'Called weather with {"city":"Ulm"}' }] },
      { role: 'user', content: [{ text: 'Result of weather:' }, { text: '7 C' }, { text: 'Thanks' }] },
    ];
    for (const fields of [{}, { tools: [WEATHER], tool_choice: 'none' }]) {
      const { body, adjustments } = encoded({}, { messages, ...fields });
      expect(body).toEqual({ messages: expected });
      expect(adjustments).toContain('messages: calls_as_texts');
    }
  });

  it.each([
    ['required', { any: {} }],
    ['auto', { auto: {} }],
    [{ type: 'function', function: { name: 'weather' } }, { tool: { name: 'weather' } }],
  ])('has the choice %j of tools', (choice, expected) => {
    const { body } = encoded({}, { tools: [WEATHER], tool_choice: choice });
    expect(body['toolConfig']).toMatchObject({ toolChoice: expected });
  });

  it('says that tools are called one at a time where the model knows it, and notes it elsewhere', () => {
    const one = { tools: [WEATHER], parallel_tool_calls: false };
    expect(encoded(CLAUDE, one).body).toMatchObject({
      toolConfig: { toolChoice: { auto: {} } },
      additionalModelRequestFields: { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
    });
    expect(encoded({}, one)).toMatchObject({ adjustments: ['parallel_tool_calls: no_counterpart'] });
  });

  it('has at most four marks behind what they mark, those within results behind these', () => {
    const text = (say: string) => ({ type: 'text', text: say, ...mark() });
    const messages = [
      { role: 'system', content: [text('a')] },
      { role: 'user', content: [text('b'), text('c')] },
      CALLED,
      { role: 'tool', tool_call_id: 'tooluse_1', content: [text('d'), text('e')] },
      { role: 'user', content: [text('f')] },
    ];
    const tools = [{ ...WEATHER, ...mark() }];
    const { body } = encoded(CLAUDE, { messages, tools });
    const point = { cachePoint: { type: 'default' } };
    expect(body).toMatchObject({
      system: [{ text: 'a' }, point],
      messages: [
        { content: [{ text: 'b' }, { text: 'c' }] },
        {},
        { content: [{ toolResult: { content: [{ text: 'd' }, { text: 'e' }] } }, point, { text: 'f' }, point] },
      ],
      toolConfig: { tools: [{ toolSpec: { name: 'weather' } }, point] },
    });
    expect(JSON.stringify(body).match(/cachePoint/g)).toHaveLength(4);
  });

  it('has a mark of the whole request behind its last block', () => {
    expect(encoded(CLAUDE, mark('1h')).body['messages']).toEqual([
      { role: 'user', content: [{ text: 'Hi' }, { cachePoint: { type: 'default', ttl: '1h' } }] },
    ]);
  });

  it('has no marks for a model that does not know them', () => {
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'a', ...mark() }] }];
    const { body, adjustments } = encoded({}, { messages });
    expect(body).toEqual({ messages: [{ role: 'user', content: [{ text: 'a' }] }] });
    expect(adjustments).toEqual(['*.cache_control: refused_by_model']);
  });

  it.each([
    ['thinking', { effort: 'high' }, { thinking: { type: 'enabled', budget_tokens: 3276 } }],
    ['reasoning_effort', { effort: 'low' }, { reasoning_effort: 'low' }],
    ['reasoning', { enabled: true }, { reasoning: { effort: 'medium' } }],
    ['reasoningConfig', { effort: 'low' }, { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'low' } }],
    ['reasoningConfig', { effort: 'none' }, { reasoningConfig: { type: 'disabled' } }],
  ] as const)('asks a model with the field %s to think as %j', (reasoning, asked, expected) => {
    const { body } = encoded({ model_fields: { reasoning } }, { reasoning: asked, max_tokens: 4096 });
    expect(body).toMatchObject({ additionalModelRequestFields: expected, inferenceConfig: { maxTokens: 4096 } });
  });

  it('leaves the length and the sampling to a model that thinks with the highest effort', () => {
    const fields = { reasoning: { effort: 'high' }, max_tokens: 100, temperature: 0.5 };
    const { body, adjustments } = encoded({ model_fields: { reasoning: 'reasoningConfig' } }, fields);
    expect(body).not.toHaveProperty('inferenceConfig');
    expect(adjustments).toEqual(['temperature: refused_while_reasoning', 'max_tokens: refused_while_reasoning']);
  });

  it('asks a model without a field for it for no thoughts, and notes what it has no field for', () => {
    const fields = withMessagesFields(
      { reasoning: { effort: 'high' }, top_k: 5, service_tier: 'gold' },
      { betas: 'x' },
    );
    const { body, adjustments } = encoded({}, fields);
    expect(body).toEqual({ messages: [{ role: 'user', content: [{ text: 'Hi' }] }] });
    expect(adjustments).toEqual([
      'reasoning: no_counterpart',
      'top_k: no_counterpart',
      'betas: no_counterpart',
      'service_tier: no_counterpart',
    ]);
  });

  it.each([
    ['top_k', { top_k: 5 }],
    ['inferenceConfig', { inferenceConfig: { topK: 5 } }],
  ] as const)('has top_k in the field %s of the model', (field, expected) => {
    const { body } = encoded({ model_fields: { top_k: field } }, { top_k: 5, temperature: 1.5, top_p: 0.5 });
    expect(body).toMatchObject({
      additionalModelRequestFields: expected,
      inferenceConfig: { temperature: 1, topP: 0.5 },
    });
  });

  it('sends no thoughts without a signature, and none of another model', () => {
    const details = (format: string) => [
      { type: 'reasoning.text', format, index: 0, text: 'a', signature: 's' },
      { type: 'reasoning.text', format, index: 1, text: 'b' },
    ];
    const said = (format: string) => [
      QUESTION,
      { role: 'assistant', content: 'c', reasoning_details: details(format) },
      { role: 'user', content: 'd' },
    ];
    const thought = { reasoningContent: { reasoningText: { text: 'a', signature: 's' } } };
    const messagesOf = (format: string, known: object): unknown =>
      (sentMessages(known, said(format)) as { content: unknown }[])[1]!.content;
    expect(messagesOf('anthropic-claude-v1', CLAUDE)).toEqual([thought, { text: 'c' }]);
    expect(messagesOf('amazon-converse-v1', {})).toEqual([thought, { text: 'c' }]);
    expect(messagesOf('anthropic-claude-v1', {})).toEqual([{ text: 'c' }]);
    expect(messagesOf('google-gemini-v1', CLAUDE)).toEqual([{ text: 'c' }]);
  });

  it('has the schema of an answer as that of a tool where the model takes no other', () => {
    const known = { schema_as_tool: true, response_formats: ['text'] } as const;
    const { body } = encoded(known, { response_format: SCHEMA });
    const answer = {
      toolSpec: {
        name: 'answer_in_json',
        description: 'Answers with JSON.',
        inputSchema: { json: { type: 'object' } },
      },
    };
    expect(body).not.toHaveProperty('outputConfig');
    expect(body['toolConfig']).toEqual({ tools: [answer], toolChoice: { tool: { name: 'answer_in_json' } } });
    expect(encoded(known, { response_format: SCHEMA, tools: [WEATHER] }).body['toolConfig']).toMatchObject({
      tools: [{ toolSpec: { name: 'weather' } }, answer],
      toolChoice: { any: {} },
    });
  });

  it('only offers the tool of an answer to a model that thinks, which cannot be made to call one', () => {
    const known = { ...CLAUDE, schema_as_tool: true };
    const fields = { response_format: SCHEMA, reasoning: { max_tokens: 2_000 }, max_tokens: 4_000 };
    expect(encoded(known, fields).body['toolConfig']).toMatchObject({ toolChoice: { auto: {} } });
  });

  it('keeps how a guardrail treats a stream from a request for a whole answer', () => {
    const guardrailConfig = { guardrailIdentifier: 'g', guardrailVersion: '1', streamProcessingMode: 'sync' };
    const { body } = encoded({}, { guardrailConfig });
    expect(body['guardrailConfig']).toEqual({ guardrailIdentifier: 'g', guardrailVersion: '1' });
  });

  it('leaves out tools that only the Messages form describes', () => {
    const bash = withMessagesFields({ type: 'bash_20250124' }, { type: 'bash_20250124', name: 'bash' });
    const { body, adjustments } = encoded({}, { tools: [bash] });
    expect(body).not.toHaveProperty('toolConfig');
    expect(adjustments).toEqual(['tools: tool_of_provider']);
  });

  it('is not written into the request', () => {
    const request = requestFor(CLAUDE);
    expect(messagesFieldsOf(request)).toEqual({});
    expect(Object.keys(request)).toEqual(['model', 'messages']);
  });
});
