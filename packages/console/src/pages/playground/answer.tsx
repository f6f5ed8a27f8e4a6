import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { api, ApiError, answered } from '../../api/client';
import { Failure } from '../../components/failure';
import { TextArea } from '../../components/fields';
import { Steps } from '../../components/steps';
import { count, duration, usd } from '../../components/values';
import { stepsOf } from '../requests/decision';
import type { Side } from './conversation';

interface AnswerProps {
  readonly side: Side;
  /** Whether what tools gave can still be said: the next message sends it. */
  readonly isLast: boolean;
  readonly onResults: (results: Side['results']) => void;
}

/** What one model has answered, as it comes; then what it cost, how it was decided, and the way to its record. */
export function Answer({ side, isLast, onResults }: AnswerProps): ReactNode {
  const { model, answer, error, isOpen, results } = side;
  return (
    <article className="answer" aria-busy={isOpen} aria-label={`Answer of ${model}`}>
      <h3>
        <code>{model}</code>
      </h3>
      {answer.reasoning !== '' && (
        <details>
          <summary>Its thoughts</summary>
          <p className="said quiet">{answer.reasoning}</p>
        </details>
      )}
      {answer.text !== '' && <p className="said">{answer.text}</p>}
      {answer.calls.map(({ id, name, arguments: text }, index) => (
        <div key={index}>
          <p>
            It calls <code>{name}</code> with
          </p>
          <pre tabIndex={0} aria-label={`Arguments of ${name}`}>
            {text}
          </pre>
          {isLast && !isOpen && (
            <TextArea
              label={`What ${name} gives`}
              hint="It is sent with your next message."
              rows={2}
              value={results[id] ?? ''}
              onChange={(result) => onResults({ ...results, [id]: result })}
            />
          )}
        </div>
      ))}
      {isOpen && answer.text === '' && <p className="quiet">Waiting for the answer …</p>}
      <Failure error={error} />
      {!isOpen && answer.generationId !== null && <AnswerRecord id={answer.generationId} />}
    </article>
  );
}

/** What the record of an answer says, also of one that was refused. */
function AnswerRecord({ id }: { readonly id: string }): ReactNode {
  const found = useQuery({
    queryKey: ['request', id],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/generation', { params: { query: { id } }, signal })),
    staleTime: Infinity,
    // One that was stopped has its record when the service has seen that nobody listens.
    retry: (failures, error) => failures < 5 && error instanceof ApiError && error.status === 404,
    retryDelay: 500,
  });
  const record = found.data?.data;
  return (
    <>
      <Failure error={found.error} />
      {record !== undefined && (
        <>
          <p className="quiet">
            {[
              usd(record.total_cost),
              `${count(record.tokens_prompt ?? 0)} + ${count(record.tokens_completion ?? 0)} tokens`,
              ...(record.generation_time == null ? [] : [duration(record.generation_time)]),
              ...(record.provider_name == null ? [] : [record.provider_name]),
            ].join(' · ')}
            {' · '}
            <Link href={`/requests/${encodeURIComponent(id)}`}>Its record</Link>
          </p>
          <details>
            <summary>How it was decided</summary>
            <Steps steps={stepsOf(record)} />
          </details>
        </>
      )}
    </>
  );
}
