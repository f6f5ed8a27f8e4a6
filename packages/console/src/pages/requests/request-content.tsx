import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, ApiError, answered } from '../../api/client';
import { Failure } from '../../components/failure';
import { Section } from '../../components/page';

/** The most that is shown of a text, in characters: more would make the page slow. */
const SHOWN = 65_536;

/** What was asked and answered, where it is kept. It is read on demand, because each read stands in the audit trail. */
export function RequestContent({ id }: { readonly id: string }): ReactNode {
  const [isWanted, setWanted] = useState(false);
  const found = useQuery({
    queryKey: ['request-content', id],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/generation/content', { params: { query: { id } }, signal })),
    enabled: isWanted,
    // Each read is recorded: none is made without being asked for.
    staleTime: Infinity,
  });
  const content = found.data?.data;
  const isAbsent = found.error instanceof ApiError && found.error.status === 404;
  return (
    <Section title="Content">
      {!isWanted && (
        <>
          <p className="quiet">That you read it is recorded in the audit trail.</p>
          <button type="button" onClick={() => setWanted(true)}>
            Show what was asked and answered
          </button>
        </>
      )}
      {isWanted && found.isPending && <p role="status">Loading …</p>}
      {isAbsent ? <p className="empty">The content of this request was not kept.</p> : <Failure error={found.error} />}
      {content !== undefined && (
        <>
          <h3>Asked</h3>
          <Text
            text={'prompt' in content.input ? content.input.prompt : JSON.stringify(content.input.messages, null, 2)}
          />
          <h3>Answered</h3>
          {content.output.reasoning != null && (
            <details>
              <summary>Reasoning</summary>
              <Text text={content.output.reasoning} />
            </details>
          )}
          <Text text={content.output.completion ?? ''} />
        </>
      )}
    </Section>
  );
}

/** A text of a request, cut where it is long, with the whole of it to save. */
function Text({ text }: { readonly text: string }): ReactNode {
  if (text === '') return <p className="quiet">Nothing.</p>;
  const save = (): void => {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = 'content.txt';
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <>
      <pre tabIndex={0}>{text.slice(0, SHOWN)}</pre>
      {text.length > SHOWN && (
        <p>
          The rest is not shown.{' '}
          <button type="button" className="plain" onClick={save}>
            Save all of it as a text file
          </button>
        </p>
      )}
    </>
  );
}
