import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Schema } from '../../api/types';
import { GuardrailLink, GuardrailLinks } from '../../components/guardrail-links';
import { ForValues } from '../../components/limit-values';
import type { Step } from '../../components/steps';
import { type RefusingObject, refusingObjectsOf, whyNoObject } from './refusing-objects';

type Record = Schema<'Generation'>;

/** That a request was refused, why, and what did it: from here one goes to the rule, or is told why there is none. */
export function refusalStep(record: Record): Step {
  const { status, refusal, limited_by: limit, exclusions = [] } = record;
  const objects = refusingObjectsOf(record);
  const why = whyNoObject(record);
  // Each exclusion names its guardrails, and a limit is a link itself.
  const named = exclusions.flatMap(({ guardrail_ids: ids }) => ids);
  const others = objects.filter(({ guardrailId }) => guardrailId === undefined || !named.includes(guardrailId));
  return {
    title: 'It was refused',
    tone: 'bad',
    body: (
      <>
        <p>
          With {status}, because of <code>{refusal}</code>
          {limit !== null && (
            <>
              : <LimitName limit={limit} object={objects[0]} />
            </>
          )}
        </p>
        {exclusions.length > 0 && (
          <ul>
            {exclusions.map((exclusion) => (
              <ExclusionOf key={exclusion.reason} exclusion={exclusion} />
            ))}
          </ul>
        )}
        {limit === null && others.length > 0 && <ObjectLinks objects={others} />}
        {why !== undefined && <p className="quiet">{why}</p>}
      </>
    ),
  };
}

function ObjectLinks({ objects }: { readonly objects: readonly RefusingObject[] }): ReactNode {
  return (
    <p>
      See{' '}
      {objects.map(({ label, page, guardrailId }, index) => (
        <span key={page}>
          {index > 0 && ', '}
          {guardrailId === undefined ? <Link href={page}>{label}</Link> : <GuardrailLink id={guardrailId} />}
        </span>
      ))}
    </p>
  );
}

/** Whose a limit is. */
const LIMITED = { workspace: 'budget of the workspace', key: 'limit of the key', guardrail: 'budget of a guardrail' };

interface LimitNameProps {
  readonly limit: Schema<'GenerationLimit'>;
  /** Undefined where it is not there any more. */
  readonly object: RefusingObject | undefined;
}

/** What a limit is called, what it counted by, and where it is set. */
function LimitName({ limit, object }: LimitNameProps): ReactNode {
  if (limit.subject === 'limit') {
    return (
      <>
        the limit {object === undefined ? limit.name : <Link href={object.page}>{limit.name}</Link>}
        <ForValues values={limit.values} />
      </>
    );
  }
  const name = `the ${limit.interval} ${LIMITED[limit.subject]}`;
  return (
    <>
      {object === undefined ? name : <Link href={object.page}>{name}</Link>}
      {object?.guardrailId !== undefined && (
        <>
          {' '}
          (<GuardrailLink id={object.guardrailId} />)
        </>
      )}
    </>
  );
}

/** A reason for which endpoints were not tried, and the guardrails that it comes from. */
function ExclusionOf({ exclusion }: { readonly exclusion: Schema<'GenerationExclusion'> }): ReactNode {
  const { detail, endpoints, guardrail_ids: guardrails } = exclusion;
  return (
    <li>
      {endpoints === 1 ? '1 endpoint' : `${endpoints} endpoints`}: {detail}
      {guardrails.length > 0 && (
        <>
          {' '}
          (<GuardrailLinks ids={guardrails} />)
        </>
      )}
    </li>
  );
}
