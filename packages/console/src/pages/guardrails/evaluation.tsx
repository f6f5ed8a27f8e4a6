import { type ReactNode, useId } from 'react';
import { Link } from 'wouter';
import type { Schema } from '../../api/types';
import { ForValues } from '../../components/limit-values';
import { observedStep } from '../../components/observed';
import { Steps, type Step } from '../../components/steps';
import { Badge, Meter, usd } from '../../components/values';
import { amountOf } from '../limits/limit-words';

type Evaluation = Schema<'GuardrailEvaluation'>;

const DONE = { block: 'blocks', redact: 'redacts', flag: 'notes' } as const;

/** What would become of a request: whether it would be sent, and each step that leads to that. */
export function EvaluationResult({ evaluation }: { readonly evaluation: Evaluation }): ReactNode {
  const { outcome, status, message, reason } = evaluation;
  return (
    <>
      <p role="status">
        <Badge tone={outcome === 'admitted' ? 'good' : 'bad'}>
          {outcome === 'admitted' ? 'It would be sent' : `It would be refused with ${status}`}
        </Badge>{' '}
        {message}
        {reason !== null && (
          <>
            {' '}
            (<code>{reason}</code>)
          </>
        )}
      </p>
      <Steps steps={stepsOf(evaluation)} />
    </>
  );
}

function stepsOf(evaluation: Evaluation): readonly Step[] {
  const {
    refused_at: refusedAt,
    guardrails,
    models,
    content,
    candidates,
    excluded_endpoints: excluded,
    observed,
    admission,
    answer,
  } = evaluation;
  const toneAt = (...names: readonly NonNullable<typeof refusedAt>[]): 'good' | 'bad' =>
    refusedAt !== null && names.includes(refusedAt) ? 'bad' : 'good';
  return [
    {
      title: 'Guardrails that apply together',
      tone: toneAt('policy'),
      body: <p>{guardrails.map(({ name }) => name).join(', ')}</p>,
    },
    {
      title: 'Models',
      tone: toneAt('preset', 'models'),
      body: <p>{models.map(({ model }) => model).join(', ') || 'None'}</p>,
    },
    ...(content === null
      ? []
      : [{ title: 'Content filters', tone: contentTone(content), body: <Content content={content} /> }]),
    // What is refused before is looked for nowhere.
    ...(candidates.length + excluded.length === 0 && refusedAt !== 'candidates'
      ? []
      : [
          {
            title: 'Endpoints that would be tried',
            tone: toneAt('candidates'),
            body: <Endpoints candidates={candidates} excluded={excluded} />,
          },
        ]),
    ...(admission === null
      ? []
      : [{ title: 'Limits', tone: toneAt('limits', 'admission'), body: <Admission admission={admission} /> }]),
    ...(observed.length === 0 ? [] : [observedStep(observed)]),
    ...(answer === undefined
      ? []
      : [{ title: 'The answer', tone: ANSWER_TONES[answer.outcome], body: <EvaluatedAnswer answer={answer} /> }]),
  ];
}

function contentTone({ filters }: Schema<'EvaluatedContent'>): Step['tone'] {
  if (filters.some(({ action }) => action === 'block')) return 'bad';
  return filters.length > 0 ? 'warning' : 'good';
}

const ANSWER_TONES = { passed: 'good', redacted: 'warning', blocked: 'bad' } as const;

/** What becomes of an answer, in words. */
const ANSWER_OUTCOMES = {
  passed: 'It would reach the client as it is.',
  redacted: 'It would reach the client without what is redacted.',
  blocked: 'It would not reach the client.',
} as const;

/** The parts of an answer that filters look through. */
const ANSWER_PLACES = { response: 'what is said', tool_call: 'tool calls' } as const;

function EvaluatedAnswer({ answer }: { readonly answer: Schema<'EvaluatedAnswer'> }): ReactNode {
  const { outcome, message, filters, redacted_texts: texts, holds_whole_text: isHeld } = answer;
  return (
    <>
      <p>
        {ANSWER_OUTCOMES[outcome]} {message}
      </p>
      {filters.length > 0 && (
        <ul>
          {filters.map(({ filter, action, count, place }) => (
            <li key={`${filter} ${action} ${place}`}>
              <code>{filter}</code> {DONE[action]} {count} {count === 1 ? 'place' : 'places'} in {ANSWER_PLACES[place]}
            </li>
          ))}
        </ul>
      )}
      <RedactedTexts texts={texts} reader="client" />
      {isHeld && <p className="quiet">A filter has to see a text to its end before any of it leaves.</p>}
    </>
  );
}

interface RedactedTextsProps {
  readonly texts: readonly Schema<'RedactedText'>[];
  /** Who gets them. */
  readonly reader: 'provider' | 'client';
}

function RedactedTexts({ texts, reader }: RedactedTextsProps): ReactNode {
  return texts.map(({ path, text }) => (
    <div key={path}>
      <p className="quiet">
        What the {reader} would get as <code>{path}</code>:
      </p>
      <pre tabIndex={0}>{text}</pre>
    </div>
  ));
}

function Content({ content }: { readonly content: Schema<'EvaluatedContent'> }): ReactNode {
  if (content.filters.length === 0) return <p>Nothing was found.</p>;
  return (
    <>
      <ul>
        {content.filters.map(({ filter, action, count }) => (
          <li key={`${filter} ${action}`}>
            <code>{filter}</code> {DONE[action]} {count} {count === 1 ? 'place' : 'places'}
          </li>
        ))}
      </ul>
      <RedactedTexts texts={content.redacted_texts} reader="provider" />
    </>
  );
}

interface EndpointsProps {
  readonly candidates: readonly Schema<'EvaluatedCandidate'>[];
  readonly excluded: readonly Schema<'EvaluatedExclusion'>[];
}

function Endpoints({ candidates, excluded }: EndpointsProps): ReactNode {
  return (
    <>
      {candidates.length === 0 ? (
        <p>None.</p>
      ) : (
        <ol>
          {candidates.map(({ model, endpoint, provider }) => (
            <li key={`${model} ${endpoint}`}>
              <code>{model}</code> at {provider}
            </li>
          ))}
        </ol>
      )}
      {excluded.length > 0 && (
        <details>
          <summary>Left out: {excluded.length}</summary>
          <ul>
            {excluded.map(({ model, endpoint, reasons }) => (
              <li key={`${model} ${endpoint}`}>
                <code>{endpoint}</code>: {reasons.join(', ')}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Admission({ admission }: { readonly admission: Schema<'EvaluatedAdmission'> }): ReactNode {
  const id = useId();
  return (
    <>
      <p id={id}>It may cost {usd(admission.worst_case.cost_usd)} at most.</p>
      <ul aria-labelledby={id}>
        {admission.limits.map((limit, index) => (
          // Two guardrails may have the same limit.
          <li key={index}>
            {limit.subject} {limit.interval}: {usd(limit.remaining_usd)} of {usd(limit.limit_usd)} left
            {limit.effect !== 'none' && ` (${limit.effect} the request)`}{' '}
            <Meter
              used={limit.limit_usd - limit.remaining_usd}
              limit={limit.limit_usd}
              label={`Used of the ${limit.interval} limit`}
            />
          </li>
        ))}
        {admission.limits_by_group?.map((limit) => (
          // One about candidates counts on a counter of each.
          <li key={`${limit.id} ${JSON.stringify(limit.values)}`}>
            <Link href={`/limits/${limit.id}`}>{limit.name}</Link>
            <ForValues values={limit.values} />: {amountOf(limit.measure, limit.remaining)} of{' '}
            {amountOf(limit.measure, limit.amount)} left
            {limit.effect !== 'none' &&
              ` (${limit.effect} ${limit.effect === 'excludes' ? 'endpoints' : 'the request'})`}
            {limit.enforcement === 'observe' && ', only observed'}{' '}
            <Meter used={limit.amount - limit.remaining} limit={limit.amount} label={`Used of ${limit.name}`} />
          </li>
        ))}
      </ul>
    </>
  );
}
