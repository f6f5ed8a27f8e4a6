import { useQuery } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { api, answered } from '../../api/client';
import type { Schema } from '../../api/types';
import { Failure } from '../../components/failure';
import { CheckField, TextArea, TextField } from '../../components/fields';
import { Section } from '../../components/page';
import { EvaluationResult } from './evaluation';

type ChatRequest = Schema<'ChatCompletionRequest'>;

interface TryRequestProps {
  readonly id: string;
  /** Changes with the guardrail, so that the request is tried again. */
  readonly version: number;
}

/** What the guardrail would do to a request: nothing is sent, charged or recorded. */
export function TryRequest({ id, version }: TryRequestProps): ReactNode {
  const [model, setModel] = useState('');
  const [text, setText] = useState('');
  const [isJson, setJson] = useState(false);
  const [issue, setIssue] = useState<string>();
  const [tried, setTried] = useState<ChatRequest>();
  const evaluation = useQuery({
    queryKey: ['evaluation', id, tried, version],
    queryFn: ({ signal }) =>
      answered(
        api.POST('/api/v1/guardrails/{id}/evaluate', {
          params: { path: { id } },
          body: { request: tried! },
          signal,
        }),
      ),
    enabled: tried !== undefined,
    staleTime: Infinity,
    placeholderData: (before) => before,
  });
  const tryIt = (event: SubmitEvent): void => {
    event.preventDefault();
    setIssue(undefined);
    try {
      setTried(
        isJson ? requestIn(text) : { ...(model !== '' && { model }), messages: [{ role: 'user', content: text }] },
      );
    } catch (error) {
      setIssue(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Section title="What would this do?">
      <form onSubmit={tryIt}>
        {!isJson && (
          <TextField label="Model" hint="Empty: the default of the workspace." value={model} onChange={setModel} />
        )}
        <TextArea
          label={isJson ? 'Request as JSON' : 'Message'}
          value={text}
          issue={issue}
          rows={isJson ? 10 : 4}
          onChange={setText}
        />
        <CheckField label="It is the whole body of a chat completion, as JSON" value={isJson} onChange={setJson} />
        <button type="submit" className="primary">
          Try it
        </button>
      </form>
      <p className="quiet">Nothing is sent to a provider, charged or recorded.</p>
      <div aria-busy={evaluation.isFetching}>
        <Failure error={evaluation.error} />
        {evaluation.data !== undefined && evaluation.error === null && (
          <EvaluationResult evaluation={evaluation.data.data} />
        )}
      </div>
    </Section>
  );
}

/** A request that was pasted. @throws Error that says why it is none */
function requestIn(text: string): ChatRequest {
  const request: unknown = JSON.parse(text);
  if (typeof request !== 'object' || request === null || Array.isArray(request))
    throw new Error('It is no JSON object.');
  // Whatever else is wrong with it, the service says in its answer.
  return request as ChatRequest;
}
