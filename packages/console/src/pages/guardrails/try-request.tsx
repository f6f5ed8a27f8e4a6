import { useQuery } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useEffect, useState } from 'react';
import { api, answered } from '../../api/client';
import type { Schema } from '../../api/types';
import { Failure } from '../../components/failure';
import { CheckField, TextArea } from '../../components/fields';
import { MODELS, SuggestField } from '../../components/suggestions';
import { Section } from '../../components/page';
import { EvaluationResult } from './evaluation';

type ChatRequest = Schema<'ChatCompletionRequest'>;
type Answer = Schema<'AnswerToEvaluate'>;

interface TryRequestProps {
  /** The guardrail as the form has it; without an id it does not exist yet. */
  readonly guardrail:
    | { readonly id: string; readonly changes: Schema<'UpdateGuardrailRequest'> }
    | { readonly id?: undefined; readonly draft: Schema<'CreateGuardrailRequest'> };
}

/** What was tried last. The same once more is another attempt, for limits are used up meanwhile. */
interface Attempt {
  readonly guardrail: TryRequestProps['guardrail'];
  readonly request: ChatRequest;
  /** Undefined where none is tried. */
  readonly answer: Answer | undefined;
  readonly number: number;
}

/** How long a form has to be left alone before its new state is tried, in milliseconds. */
const PAUSE_MS = 400;

/** What the guardrail in the form would do to a request, saved or not: nothing is sent, charged or recorded. */
export function TryRequest({ guardrail }: TryRequestProps): ReactNode {
  const [model, setModel] = useState('');
  const [text, setText] = useState('');
  const [isJson, setJson] = useState(false);
  const [said, setSaid] = useState('');
  const [called, setCalled] = useState('');
  const [issue, setIssue] = useState<string>();
  const [attempt, setAttempt] = useState<Attempt>();
  useEffect(() => {
    const timer = setTimeout(() => setAttempt((before) => before && { ...before, guardrail }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [guardrail]);
  const evaluation = useQuery({
    queryKey: ['evaluation', attempt],
    queryFn: ({ signal }) => evaluated(attempt!, signal),
    enabled: attempt !== undefined,
    staleTime: Infinity,
    gcTime: 0,
    placeholderData: (before) => before,
  });
  const tryIt = (event: SubmitEvent): void => {
    event.preventDefault();
    setIssue(undefined);
    try {
      const request = isJson
        ? requestIn(text)
        : { ...(model !== '' && { model }), messages: [{ role: 'user' as const, content: text }] };
      const answer = answerOf(said, called);
      setAttempt((before) => ({ guardrail, request, answer, number: (before?.number ?? 0) + 1 }));
    } catch (error) {
      setIssue(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Section title="What would this do?">
      <form onSubmit={tryIt}>
        {!isJson && (
          <SuggestField
            label="Model"
            suggestions={MODELS}
            hint="Empty: the default of the workspace."
            value={model}
            onChange={setModel}
          />
        )}
        <TextArea
          label={isJson ? 'Request as JSON' : 'Message'}
          value={text}
          issue={issue}
          rows={isJson ? 10 : 4}
          onChange={setText}
        />
        <details>
          <summary>Try an answer too</summary>
          <TextArea label="Answer of the model" rows={3} value={said} onChange={setSaid} />
          <TextArea label="Arguments of a tool that it calls" rows={3} value={called} onChange={setCalled} />
        </details>
        <CheckField label="It is the whole body of a chat completion, as JSON" value={isJson} onChange={setJson} />
        <button type="submit" className="primary">
          Try it
        </button>
      </form>
      <p className="quiet">
        It is tried as the form is now, saved or not. Nothing is sent to a provider, charged or recorded.
      </p>
      <div aria-busy={evaluation.isFetching}>
        <Failure error={evaluation.error} />
        {evaluation.data !== undefined && evaluation.error === null && (
          <EvaluationResult evaluation={evaluation.data.data} />
        )}
      </div>
    </Section>
  );
}

function evaluated(
  { guardrail, request, answer }: Attempt,
  signal: AbortSignal,
): Promise<{ readonly data: Schema<'GuardrailEvaluation'> }> {
  const tried = { request, ...(answer && { answer }) };
  if (guardrail.id === undefined) {
    return answered(
      api.POST('/api/v1/guardrails/evaluate', { body: { guardrail: guardrail.draft, ...tried }, signal }),
    );
  }
  const { id, changes } = guardrail;
  return answered(
    api.POST('/api/v1/guardrails/{id}/evaluate', {
      params: { path: { id } },
      body: { guardrail: changes, ...tried },
      signal,
    }),
  );
}

/** An answer of the model; undefined where nothing was filled in. */
function answerOf(said: string, called: string): Answer | undefined {
  if (said === '' && called === '') return undefined;
  return {
    ...(said !== '' && { content: said }),
    ...(called !== '' && { tool_calls: [{ name: 'tool', arguments: called }] }),
  };
}

/** A request that was pasted. @throws Error that says why it is none */
function requestIn(text: string): ChatRequest {
  const request: unknown = JSON.parse(text);
  if (typeof request !== 'object' || request === null || Array.isArray(request))
    throw new Error('It is no JSON object.');
  // Whatever else is wrong with it, the service says in its answer.
  return request as ChatRequest;
}
