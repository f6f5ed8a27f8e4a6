import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Schema } from '../../api/types';
import { GuardrailLinks } from '../../components/guardrail-links';
import { observedStep } from '../../components/observed';
import type { Step } from '../../components/steps';
import { Badge, duration, Time, usd } from '../../components/values';
import { refusalStep } from './refusal';
import { pageOfServer } from './refusing-objects';

type Record = Schema<'Generation'>;
type GuardrailAction = Schema<'GuardrailAction'>;
type InspectorAction = Schema<'InspectorAction'>;

const DONE = { block: 'blocked', redact: 'redacted', flag: 'noted' } as const;

/** The parts of an answer that filters look through. */
const ANSWER_PLACES = { response: 'what was said', tool_call: 'tool calls' } as const;

/** How a request was decided, in the order in which it was: only what its record says. */
export function stepsOf(record: Record): readonly Step[] {
  const {
    attempts,
    guardrail_actions: actions,
    inspector_actions: inspectors = [],
    answer_filtering: filtering,
  } = record;
  const isRefused = record.refusal != null;
  const ofRequest = actions.filter((action) => !isOfAnswer(action));
  const ofAnswer = actions.filter(isOfAnswer);
  return [
    { title: 'It came', tone: 'good', body: <Arrival record={record} /> },
    ...(ofRequest.length > 0 ? [requestFiltersStep(ofRequest)] : []),
    ...inspectorSteps('Inspectors', inspectors.filter(isOfRequest)),
    ...(record.observed === undefined ? [] : [observedStep(record.observed)]),
    // Refused before a provider was asked.
    ...(isRefused && attempts.length === 0 ? [refusalStep(record)] : []),
    ...(attempts.length > 0 ? [attemptsStep(attempts)] : []),
    ...(ofAnswer.length > 0 || filtering !== undefined ? [answerFiltersStep(ofAnswer, filtering)] : []),
    ...inspectorSteps(
      'Inspectors of the answer',
      inspectors.filter((action) => !isOfRequest(action)),
    ),
    ...(record.provider_filters === undefined ? [] : [providerFiltersStep(record.provider_filters)]),
    ...(record.adjustments.length > 0 ? [adjustmentsStep(record.adjustments)] : []),
    ...(isRefused && attempts.length > 0 ? [refusalStep(record)] : []),
    ...(isRefused ? [] : [answerStep(record)]),
    chargeStep(record),
  ];
}

function Arrival({ record }: { readonly record: Record }): ReactNode {
  return (
    <p>
      <Time at={record.created_at} />, {record.api_type ?? 'a request'} for <code>{record.requested_model}</code>
      {record.streamed === true && ', as a stream'}
      {record.preset_id != null && `, with the preset ${record.preset_id}`}
      {record.mcp !== undefined && (
        <>
          , of the server <Link href={pageOfServer(record.mcp)}>{record.mcp.server}</Link>
        </>
      )}
    </p>
  );
}

function isOfAnswer({ place }: GuardrailAction): boolean {
  return place !== undefined;
}

function toneOf(actions: readonly GuardrailAction[]): Step['tone'] {
  if (actions.length === 0) return 'good';
  return actions.some(({ action }) => action === 'block') ? 'bad' : 'warning';
}

function requestFiltersStep(actions: readonly GuardrailAction[]): Step {
  return { title: 'Content filters', tone: toneOf(actions), body: <FilterActions actions={actions} /> };
}

/** What filters did with the answer, how long they took, and how much of it waited for them. */
function answerFiltersStep(
  actions: readonly GuardrailAction[],
  filtering: Schema<'AnswerFiltering'> | undefined,
): Step {
  return {
    title: 'Content filters of the answer',
    tone: toneOf(actions),
    body: (
      <>
        {actions.length === 0 ? <p>They found nothing</p> : <FilterActions actions={actions} />}
        {filtering !== undefined && (
          <p className="quiet">
            They took {duration(filtering.milliseconds)}, and held {filtering.held_characters} characters at most
          </p>
        )}
      </>
    ),
  };
}

/** What inspectors judge, and what they say of it. */
const JUDGED = {
  request: 'the request',
  tool_result: 'results of tools',
  response: 'what was said',
  tool_call: 'tool calls',
} as const;
const SAID = { passed: 'let pass', blocked: 'blocked', changed: 'changed', failed: 'failed on' } as const;

function isOfRequest({ place }: InspectorAction): boolean {
  return place === 'request' || place === 'tool_result';
}

/** What inspectors said, if any was asked. */
function inspectorSteps(title: string, actions: readonly InspectorAction[]): readonly Step[] {
  if (actions.length === 0) return [];
  const isBlocked = actions.some(({ outcome, observed }) => outcome === 'blocked' && observed !== true);
  const isPassed = actions.every(({ outcome }) => outcome === 'passed');
  const body = (
    <ul>
      {actions.map(({ inspector_id: id, name, place, outcome, observed, count, milliseconds }) => (
        <li key={`${id} ${place} ${outcome}`}>
          <Link href={`/inspectors/${id}`}>{name}</Link> {SAID[outcome]} {JUDGED[place]}
          {observed === true && ', and only observed'}: asked {count === 1 ? 'once' : `${count} times`}, in{' '}
          {duration(milliseconds)}
        </li>
      ))}
    </ul>
  );
  return [{ title, tone: isBlocked ? 'bad' : isPassed ? 'good' : 'warning', body }];
}

/** What a provider's own filters look at. */
const SOURCES = { prompt: 'the request', answer: 'the answer' } as const;

function providerFiltersStep(filters: readonly Schema<'ProviderFilterResult'>[]): Step {
  return {
    title: 'Filters of the provider',
    tone: filters.some(({ filtered }) => filtered) ? 'warning' : 'good',
    body: (
      <ul>
        {filters.map(({ source, category, filtered, severity, detected }) => (
          <li key={`${source} ${category}`}>
            <code>{category}</code> in {SOURCES[source]}:{' '}
            {[
              filtered ? 'filtered' : 'let through',
              ...(severity === undefined ? [] : [severity]),
              ...(detected === true ? ['detected'] : []),
            ].join(', ')}
          </li>
        ))}
      </ul>
    ),
  };
}

function FilterActions({ actions }: { readonly actions: readonly GuardrailAction[] }): ReactNode {
  return (
    <ul>
      {actions.map(({ filter, action, place, count, guardrail_ids: ids }) => (
        <li key={`${filter} ${action} ${place}`}>
          <code>{filter}</code> {DONE[action]} {count} {count === 1 ? 'place' : 'places'}
          {place !== undefined && ` in ${ANSWER_PLACES[place]}`}, by <GuardrailLinks ids={ids} />
        </li>
      ))}
    </ul>
  );
}

function attemptsStep(attempts: readonly Schema<'GenerationAttempt'>[]): Step {
  return {
    title: 'Providers',
    tone: attempts.some(isAnswered) ? 'good' : 'bad',
    body: (
      <ol>
        {attempts.map((attempt, index) => (
          // An endpoint may be asked twice, so that no id of it can be the key.
          <li key={index}>
            {attempt.provider_name} with <code>{attempt.model}</code> (<code>{attempt.endpoint}</code>
            {attempt.is_byok && ', with a provider key of your own'}):{' '}
            <Badge tone={isAnswered(attempt) ? 'good' : 'bad'}>{attempt.status ?? 'no answer'}</Badge> after{' '}
            {duration(attempt.latency)}
            {attempt.started !== null && `, begun at ${duration(attempt.started)}`}
            {attempt.error !== null && <p className="quiet">{attempt.error}</p>}
          </li>
        ))}
      </ol>
    ),
  };
}

function isAnswered({ status }: Schema<'GenerationAttempt'>): boolean {
  return status !== null && status < 400;
}

function adjustmentsStep(adjustments: readonly Schema<'GenerationAdjustment'>[]): Step {
  return {
    title: 'What the provider got otherwise',
    tone: 'warning',
    body: (
      <ul>
        {adjustments.map(({ path, action, reason }) => (
          <li key={`${path} ${reason}`}>
            <code>{path}</code> was {action === 'left_out' ? 'left out' : 'changed'} ({reason})
          </li>
        ))}
      </ul>
    ),
  };
}

function answerStep(record: Record): Step {
  const isWhole = record.status < 400 && record.cancelled !== true;
  return {
    title: isWhole ? 'It was answered' : 'It was not answered to the end',
    tone: isWhole ? 'good' : 'bad',
    body: (
      <p>
        With {record.status}
        {record.finish_reason != null && `, the answer ended with ${record.finish_reason}`}
        {record.cancelled === true && ', the client left before'}
      </p>
    ),
  };
}

function chargeStep({ total_cost, charges, overrun, inspector_actions: judges = [] }: Record): Step {
  const nameOf = (id: string): string => judges.find((one) => one.inspector_id === id)?.name ?? 'a judge model';
  return {
    title: 'It was charged',
    tone: 'neutral',
    body: (
      <>
        <p>
          {usd(total_cost)}
          {overrun > 0 && `, which is ${usd(overrun)} more than was reserved`}
        </p>
        {charges.length > 0 && (
          <ul>
            {charges.map((charge, index) => (
              // An endpoint that was asked twice is charged twice.
              <li key={index}>
                {usd(charge.cost)} for <code>{charge.endpoint}</code>
                {charge.inspector_id !== undefined && (
                  <>
                    , which <Link href={`/inspectors/${charge.inspector_id}`}>{nameOf(charge.inspector_id)}</Link> had
                    judge texts
                  </>
                )}
                {charge.is_byok && ', at the provider, with a key of your own'}
                {charge.is_usage_estimated && ', estimated, because the provider had not counted its tokens'}
                {charge.is_usage_capped && ', less than the provider counted, which cannot be'}
              </li>
            ))}
          </ul>
        )}
      </>
    ),
  };
}
