import { type ReactNode, type SubmitEvent, useState } from 'react';
import { answered, api } from '../../api/client';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { Failure } from '../../components/failure';
import { SelectField, TextArea } from '../../components/fields';
import { FILTER_PLACES, type FilterPlace } from '../../components/filter-places';
import { Section } from '../../components/page';
import { Badge, duration, type Tone } from '../../components/values';

/** The most texts of a test. */
const MOST_TEXTS = 16;

const OUTCOMES: Readonly<Record<Schema<'InspectorTestResult'>['outcome'], readonly [Tone, string]>> = {
  passed: ['good', 'The texts pass'],
  blocked: ['bad', 'The texts are blocked'],
  changed: ['warning', 'The texts are changed'],
  failed: ['bad', 'The inspector failed'],
};

/** Asks an inspector about texts, and shows its verdict. */
export function InspectorTrial({ id }: { readonly id: string }): ReactNode {
  const [texts, setTexts] = useState<readonly string[]>(['']);
  const [place, setPlace] = useState<FilterPlace>('request');
  const test = useChange({
    run: () =>
      answered(
        api.POST('/api/v1/inspectors/{id}/test', { params: { path: { id } }, body: { place, texts: [...texts] } }),
      ),
    invalidates: [],
    says: ({ data }) => OUTCOMES[data.outcome][1],
  });
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!test.isPending) test.mutate();
  };
  return (
    <Section title="Test">
      <form onSubmit={send}>
        <SelectField
          label="What the texts are"
          value={place}
          options={FILTER_PLACES}
          onChange={(value) => setPlace(value as FilterPlace)}
        />
        {texts.map((text, index) => (
          // A text has no name of its own: it is the one at its place.
          <TextArea
            key={index}
            label={`Text ${index + 1}`}
            rows={3}
            value={text}
            onChange={(changed) => setTexts(texts.map((other, at) => (at === index ? changed : other)))}
          />
        ))}
        <div className="actions">
          <button type="submit" className="primary" aria-disabled={test.isPending}>
            {test.isPending ? 'Asking …' : 'Test it'}
          </button>
          {texts.length < MOST_TEXTS && (
            <button type="button" onClick={() => setTexts([...texts, ''])}>
              Add a text
            </button>
          )}
          {texts.length > 1 && (
            <button type="button" onClick={() => setTexts(texts.slice(0, -1))}>
              Remove text {texts.length}
            </button>
          )}
        </div>
      </form>
      <p className="quiet">It is asked as it is saved, and nothing is recorded.</p>
      <Failure error={test.error} />
      {test.data !== undefined && <Verdict result={test.data.data} />}
    </Section>
  );
}

function Verdict({ result }: { readonly result: Schema<'InspectorTestResult'> }): ReactNode {
  const { outcome, reason, failure, lets_pass: letsPass, texts, milliseconds } = result;
  const [tone, says] = OUTCOMES[outcome];
  return (
    <>
      <p>
        <Badge tone={tone}>{says}</Badge> {reason ?? failure} ({duration(milliseconds)})
      </p>
      {outcome === 'failed' && <p>{letsPass ? 'Texts would pass.' : 'Texts would be blocked.'}</p>}
      {texts?.map((text, index) => (
        <div key={index}>
          <p className="quiet">Text {index + 1} would be:</p>
          <pre tabIndex={0}>{text}</pre>
        </div>
      ))}
    </>
  );
}
