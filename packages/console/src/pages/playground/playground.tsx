import { useQuery } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useEffect, useMemo, useRef, useState } from 'react';
import { NO_ANSWER, streamChat } from '../../api/chat';
import { api, answered } from '../../api/client';
import { useSession } from '../../api/session';
import type { Schema } from '../../api/types';
import { announce } from '../../components/announcements';
import { Failure } from '../../components/failure';
import { NumberField, SelectField, TextArea } from '../../components/fields';
import { setterOf, useKeptForm } from '../../components/kept-form';
import { Page, Section } from '../../components/page';
import { Snippets } from '../../components/snippets';
import { SuggestField, type Suggestions } from '../../components/suggestions';
import { CreateKey } from '../keys/create-key';
import { KeyGuardrails } from '../keys/key-guardrails';
import { useModelsOf, usualModelOf } from '../keys/key-snippets';
import { Answer } from './answer';
import {
  EMPTY_DRAFT,
  messagesOf,
  type PlaygroundDraft,
  saidBy,
  settingsOf,
  type Side,
  type Turn,
} from './conversation';
import { PictureField } from './picture-field';

/** The most of a person's keys that are offered. */
const KEYS = 100;

/** Models are tried here with a key of the person who is signed in, under all that applies to it. */
export function PlaygroundPage(): ReactNode {
  const session = useSession();
  const userId = session?.user.id;
  const [isCreating, setCreating] = useState(false);
  const keys = useQuery({
    queryKey: ['keys', 'own', userId],
    queryFn: ({ signal }) =>
      answered(api.GET('/api/v1/keys', { params: { query: { user_id: userId!, limit: KEYS } }, signal })),
    enabled: userId !== undefined,
  });
  const own = keys.data?.data;
  return (
    <Page title="Playground">
      <Failure error={keys.error} />
      {own === undefined && keys.error === null && <p className="quiet">Loading …</p>}
      {own?.length === 0 && (
        <div className="empty">
          <p>A model is asked with a key of yours, and you have none that is in use.</p>
          <button type="button" className="primary" onClick={() => setCreating(true)}>
            Create a key
          </button>
        </div>
      )}
      {own !== undefined && own.length > 0 && <Playground keys={own} />}
      {isCreating && <CreateKey onClose={() => setCreating(false)} />}
    </Page>
  );
}

function Playground({ keys }: { readonly keys: readonly Schema<'Key'>[] }): ReactNode {
  const { draft, change } = useKeptForm<PlaygroundDraft>('playground', () => EMPTY_DRAFT, false);
  const { draft: turns, change: setTurns } = useKeptForm<readonly Turn[]>('playground conversation', () => [], false);
  const [issue, setIssue] = useState<string>();
  const open = useRef(new Set<AbortController>());
  useEffect(() => {
    const controllers = open.current;
    // Who leaves the page reads no more of it.
    return () => controllers.forEach((controller) => controller.abort());
  }, []);
  const key = keys.find(({ hash }) => hash === draft.keyHash) ?? keys[0]!;
  const available = useModelsOf(key.hash);
  const suggestions = useMemo(() => suggestionsOf(key.hash), [key.hash]);
  const usual = usualModelOf(available ?? []);
  const models = draft.models.map((model) => model.trim() || usual);
  const set = setterOf({ draft, change });
  const isOpen = turns.some(({ sides }) => sides.some((side) => side.isOpen));
  /** Whether nothing can be sent now: an answer is on its way, or nobody knows yet which model is meant. */
  const isBusy = isOpen || (available === undefined && models.includes(''));

  const update = (turn: number, side: number, changed: Partial<Side>): void =>
    setTurns((before) =>
      before.map((one, index) =>
        index === turn
          ? { ...one, sides: one.sides.map((other, place) => (place === side ? { ...other, ...changed } : other)) }
          : one,
      ),
    );

  const ask = async (turn: number, side: number, request: Schema<'ChatCompletionRequest'>): Promise<void> => {
    const controller = new AbortController();
    open.current.add(controller);
    const { signal } = controller;
    let error: Error | null = null;
    try {
      await streamChat({ keyHash: key.hash, request, signal, came: (answer) => update(turn, side, { answer }) });
    } catch (cause) {
      // What was stopped stays as far as it has come.
      if (!signal.aborted) error = cause as Error;
    }
    open.current.delete(controller);
    update(turn, side, { isOpen: false, error });
    announce(error === null ? `${request.model} has answered.` : `${request.model} has not answered.`);
  };

  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isBusy) return;
    try {
      const settings = settingsOf(draft);
      setIssue(undefined);
      const said = { text: draft.text, pictures: draft.pictures };
      const requests = models.map((model, side) => ({
        model,
        messages: [...messagesOf(draft.system, turns, side), saidBy(said)],
        ...settings,
      }));
      const sides = models.map((model) => ({ model, answer: NO_ANSWER, error: null, isOpen: true, results: {} }));
      setTurns([...turns, { ...said, sides }]);
      set({ text: '', pictures: [] });
      requests.forEach((request, side) => void ask(turns.length, side, request));
    } catch (cause) {
      setIssue((cause as Error).message);
    }
  };

  return (
    <div className="playground">
      <div>
        <SelectField
          label="Key"
          hint="One of yours: its limits, guardrails and budgets hold."
          value={key.hash}
          options={keys.map(({ hash, name }) => [hash, name] as const)}
          onChange={(keyHash) => set({ keyHash })}
        />
        {models.map((model, side) => (
          <SuggestField
            key={side}
            label={side === 0 ? 'Model' : 'Beside it'}
            suggestions={suggestions}
            value={draft.models[side]!}
            {...(draft.models[side] === '' && { hint: `Empty: \`${model}\`.` })}
            onChange={(chosen) =>
              set({ models: draft.models.map((other, place) => (place === side ? chosen : other)) })
            }
          />
        ))}
        <button
          type="button"
          onClick={() => set({ models: models.length === 1 ? [draft.models[0]!, ''] : [draft.models[0]!] })}
        >
          {models.length === 1 ? 'Compare with another model' : 'Only one model'}
        </button>
        <TextArea label="System prompt" rows={3} value={draft.system} onChange={(system) => set({ system })} />
        <div className="pairs">
          <NumberField
            label="Temperature"
            min={0}
            max={2}
            step="any"
            value={draft.temperature}
            onChange={(temperature) => set({ temperature })}
          />
          <NumberField
            label="Most tokens of the answer"
            min={1}
            value={draft.maxTokens}
            onChange={(maxTokens) => set({ maxTokens })}
          />
        </div>
        <details open={issue !== undefined}>
          <summary>Tools</summary>
          <TextArea
            label="Tools as JSON"
            hint="A list of functions, as the field `tools` of a chat completion has it."
            issue={issue}
            rows={6}
            value={draft.tools}
            onChange={(tools) => set({ tools })}
          />
        </details>
        <KeyGuardrails hash={key.hash} />
      </div>
      <div>
        <ol className="turns">
          {turns.map(({ text, pictures, sides }, turn) => (
            <li key={turn}>
              <p className="prompt said">
                {text}
                {pictures.length > 0 && <span className="quiet"> ({pictures.map(({ name }) => name).join(', ')})</span>}
              </p>
              <div className="answers">
                {sides.map((side, place) => (
                  <Answer
                    key={place}
                    side={side}
                    isLast={turn === turns.length - 1}
                    onResults={(results) => update(turn, place, { results })}
                  />
                ))}
              </div>
            </li>
          ))}
        </ol>
        <form onSubmit={send}>
          <TextArea label="Your message" rows={4} value={draft.text} onChange={(text) => set({ text })} />
          <PictureField value={draft.pictures} onChange={(pictures) => set({ pictures })} />
          <div className="actions">
            <button type="submit" className="primary" aria-disabled={isBusy}>
              Send
            </button>
            {isOpen && (
              <button type="button" onClick={() => open.current.forEach((controller) => controller.abort())}>
                Stop
              </button>
            )}
            {turns.length > 0 && !isOpen && (
              <button type="button" onClick={() => setTurns([])}>
                Begin anew
              </button>
            )}
          </div>
        </form>
        <Section title="As code">
          <Code draft={draft} turns={turns} model={models[0]!} />
        </Section>
      </div>
    </div>
  );
}

/** What the form says, as a program would send it. */
function Code({
  draft,
  turns,
  model,
}: {
  readonly draft: PlaygroundDraft;
  readonly turns: readonly Turn[];
  readonly model: string;
}): ReactNode {
  const isEmpty = draft.text === '' && draft.pictures.length === 0;
  const said = isEmpty ? (turns.length === 0 ? [{ text: 'Hello', pictures: [] }] : []) : [draft];
  // The last turn, which was sent, stands for the next message where none is written yet.
  const before = isEmpty
    ? turns.map((turn, index) => (index === turns.length - 1 ? { ...turn, sides: [] } : turn))
    : turns;
  return (
    <Snippets
      chat={{
        model,
        messages: [...messagesOf(draft.system, before, 0), ...said.map(saidBy)],
        ...shownSettingsOf(draft),
      }}
    />
  );
}

/** Tools that are not yet JSON are left out until they are. */
function shownSettingsOf(draft: PlaygroundDraft): Omit<ReturnType<typeof settingsOf>, 'tools'> & {
  readonly tools?: readonly Schema<'ChatFunctionTool'>[];
} {
  try {
    const { tools, ...settings } = settingsOf(draft);
    return { ...settings, ...(tools != null && { tools }) };
  } catch {
    return settingsOf({ ...draft, tools: '' }) as Omit<ReturnType<typeof settingsOf>, 'tools'>;
  }
}

/** The models that a key can reach. */
function suggestionsOf(hash: string): Suggestions {
  return {
    name: `models of ${hash}`,
    ask: async (_, signal) => {
      const query = { key_hash: hash };
      const { data } = await answered(api.GET('/api/v1/guardrails/effective', { params: { query }, signal }));
      return data.available_models.map((model) => [model, ''] as const);
    },
  };
}
