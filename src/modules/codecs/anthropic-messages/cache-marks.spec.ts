import { RequestAdjustments } from '../chat/request-adjustments.js';
import { withPossibleMarks } from './request-encoder.js';

const MARK = { cache_control: { type: 'ephemeral' } };
const text = (name: string, mark: object = MARK): object => ({ type: 'text', text: name, ...mark });

const marksOf = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"(?:text|name)":"(\w+)","cache_control"/g)].map(([, name]) => name!);

const marked = (body: object): { marks: string[]; reasons: string[] } => {
  const adjustments = new RequestAdjustments();
  const sent = withPossibleMarks(body as never, adjustments);
  return { marks: marksOf(sent), reasons: adjustments.list.map(({ reason }) => reason) };
};

describe('Marks for the cache', () => {
  const messagesWith = (mark?: object): object[] =>
    ['a', 'b', 'c', 'd'].map((name) => ({ role: 'user', content: [text(name, mark)] }));
  const messages = messagesWith();

  it('stay if they are four', () => {
    expect(marked({ messages })).toEqual({ marks: ['a', 'b', 'c', 'd'], reasons: [] });
  });

  it('are left out from the earliest message on if there are more', () => {
    expect(marked({ tools: [{ name: 'tool', ...MARK }], system: [text('one')], messages })).toEqual({
      marks: ['tool', 'one', 'c', 'd'],
      reasons: ['above_maximum'],
    });
  });

  it('are left out of tools and instructions once only two are left in the messages', () => {
    const tools = ['t1', 't2'].map((name) => ({ name, ...MARK }));
    expect(marked({ tools, system: [text('one')], messages })).toEqual({
      marks: ['t2', 'one', 'c', 'd'],
      reasons: ['above_maximum'],
    });
  });

  it('count that of the request, and those within results', () => {
    const result = { type: 'tool_result', tool_use_id: 't', content: [text('inner')] };
    const sent = marked({ ...MARK, messages: [{ role: 'user', content: [result] }, ...messages.slice(1)] });
    expect(sent.marks).toEqual(['b', 'c', 'd']);
  });

  it('are all that is changed of a body', () => {
    const unmarked = { role: 'user', content: [text('z', {})] };
    const body = { model: 'up', messages: [...messagesWith(), unmarked, ...messages] };
    const sent = withPossibleMarks(body, new RequestAdjustments());
    expect(sent).toEqual({
      model: 'up',
      messages: [...messagesWith({}), unmarked, ...messages],
    });
  });
});
