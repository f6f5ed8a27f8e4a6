import { completionOf } from './answer-decoder.js';
import { ChunkDecoder } from './stream-decoder.js';

const A = 'https://a.example/1';
const B = 'https://b.example/2';

function citation(url: string, title = url, content?: string): object {
  const cited = { url, title, start_index: 0, end_index: 0, ...(content !== undefined && { content }) };
  return { type: 'url_citation', url_citation: cited };
}

const RESULTS = [
  { title: 'On B', url: B, date: '2026-01-01', snippet: 'B is…' },
  { title: 'On A', url: A },
];

/** The annotations of each chunk of one stream. */
function annotationsOf(...chunks: readonly object[]): unknown[] {
  const reader = new ChunkDecoder();
  return chunks.map((chunk) =>
    reader.read({ ...chunk }).choices.map(({ index, delta }) => [index, delta['annotations'] ?? null]),
  );
}

const said = (content: string, finish: string | null = null): object => ({
  choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: finish }],
});

describe('The sources that an answer of OpenAI’s form names beside its choices', () => {
  it.each([
    [{ citations: [A, B] }, [citation(A), citation(B)]],
    [{ citations: [{ url: A, title: 'A' }, null, 7, {}] }, [citation(A, 'A')]],
    [{ search_results: RESULTS }, [citation(B, 'On B', 'B is…'), citation(A, 'On A')]],
    [{ citations: [A, B], search_results: RESULTS }, [citation(A, 'On A'), citation(B, 'On B', 'B is…')]],
    [{ citations: [], search_results: null }, undefined],
    [{ citations: 'none' }, undefined],
    [{ citations: [A, `${B}${'x'.repeat(8_192)}`] }, [citation(A)]],
    [{ search_results: [{ url: A, title: 'x'.repeat(1_025), snippet: 'x'.repeat(16_385) }] }, [citation(A)]],
  ])('are annotations of its first choice: %#', (fields, annotations) => {
    const choices = ['One', 'Two'].map((content, index) => ({ index, message: { content }, finish_reason: 'stop' }));
    const [first, second] = completionOf({ choices, ...fields }).choices;
    expect(first!.message['annotations']).toEqual(annotations);
    expect(second!.message).not.toHaveProperty('annotations');
  });

  it('are left out where the choice has annotations of its own', () => {
    const own = [citation(B)];
    const message = { content: 'One', annotations: own };
    expect(completionOf({ choices: [{ message }], citations: [A] }).choices[0]!.message['annotations']).toEqual(own);
    const annotated = { choices: [{ index: 0, delta: { content: 'One', annotations: own } }] };
    expect(annotationsOf(annotated, { ...said('Two'), citations: [A] })).toEqual([[[0, own]], [[0, null]]]);
  });

  it('come once in a stream that repeats them, with the first chunk that says something', () => {
    expect(
      annotationsOf(
        { ...said(''), citations: [A] },
        { ...said('One'), citations: [A] },
        { ...said('Two'), citations: [A, B] },
        { ...said('', 'stop'), citations: [A, B] },
      ),
    ).toEqual([[[0, null]], [[0, [citation(A)]]], [[0, [citation(B)]]], [[0, null]]]);
  });

  it('come in a chunk of their own where their stream names them behind its end', () => {
    expect(
      annotationsOf({ choices: [], citations: [A] }, said('One', 'stop'), { choices: [], citations: [A, B] }),
    ).toEqual([[], [[0, [citation(A)]]], [[0, [citation(B)]]]]);
  });

  it('are the first 200', () => {
    const citations = Array.from({ length: 400 }, (_, place) => `https://a.example/${place}`);
    const { choices } = completionOf({ choices: [{ message: { content: 'One' } }], citations });
    expect(choices[0]!.message['annotations']).toHaveLength(200);
    const [first, second] = annotationsOf({ ...said('One'), citations }, { ...said('Two'), citations });
    expect([(first as [number, object[]][])[0]![1].length, second]).toEqual([200, [[0, null]]]);
  });
});
