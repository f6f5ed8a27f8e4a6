import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { answered, api } from '../../api/client';
import { Failure } from '../../components/failure';
import { Facts } from '../../components/facts';
import { TextField } from '../../components/fields';
import { Section } from '../../components/page';
import { Badge, count, Time } from '../../components/values';

/** A head as `gatehouse audit verify` prints and expects it: the position and the hash of an event. */
const HEAD = /^(?<sequence>[1-9]\d{0,15}):(?<hash>[0-9a-f]{64})$/;

/** The end of the chain, to be kept elsewhere, and whether the trail still has one that was kept. */
export function ChainHead(): ReactNode {
  const [kept, setKept] = useState('');
  const head = useQuery({
    queryKey: ['audit', 'head'],
    queryFn: async ({ signal }) => (await answered(api.GET('/api/v1/audit-events/head', { signal }))).data,
  });
  const comparison = useMutation({ mutationFn: isStillThere });
  const compare = (event: SubmitEvent): void => {
    event.preventDefault();
    comparison.mutate(kept.trim());
  };
  const isMalformed = comparison.data === undefined && comparison.error instanceof SyntaxError;
  return (
    <Section title="Verification">
      <Failure error={head.error} />
      {head.data !== undefined && (
        <Facts
          facts={[
            ['Events', count(head.data.sequence)],
            ['Last recorded', <Time key="time" at={head.data.recorded_at} />],
            ['Head of the chain', head.data.hash && <code>{`${head.data.sequence}:${head.data.hash}`}</code>],
          ]}
        />
      )}
      <p className="quiet">
        The hash of an event stands for all events before it. Keep the head elsewhere: whoever rewrites the trail cannot
        bring it back. <code>gatehouse audit verify</code> also recomputes every event.
      </p>
      <form className="narrow" onSubmit={compare}>
        <TextField
          label="A head that was kept"
          hint="The position and the hash, with a colon between them."
          value={kept}
          issue={isMalformed ? 'It is no position and hash.' : undefined}
          onChange={setKept}
        />
        <div className="actions">
          <button type="submit">Compare</button>
        </div>
      </form>
      <p role="status">
        {comparison.data !== undefined && (
          <Badge tone={comparison.data ? 'good' : 'bad'}>
            {comparison.data ? 'The trail still has it' : 'The trail does not have it: it was rewritten or cut off'}
          </Badge>
        )}
      </p>
      <Failure error={isMalformed ? null : comparison.error} />
    </Section>
  );
}

/** Whether the chain has a hash at its position. @throws SyntaxError for what is no head */
async function isStillThere(kept: string): Promise<boolean> {
  const { sequence, hash } = HEAD.exec(kept)?.groups ?? {};
  if (sequence === undefined) throw new SyntaxError(kept);
  const query = { offset: Number(sequence) - 1, limit: 1 };
  const { data } = await answered(api.GET('/api/v1/audit-events', { params: { query } }));
  return data[0]?.hash === hash;
}
