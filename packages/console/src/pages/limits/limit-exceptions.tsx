import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { ApiError, answered, api } from '../../api/client';
import { CreateLimitExceptionRequest } from '../../api/descriptions';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { FormDialog } from '../../components/dialog';
import { Failure } from '../../components/failure';
import { NumberField, requestFields, SelectField, TextField } from '../../components/fields';
import { fromLocalInput } from '../../components/filters';
import { setterOf, useKeptForm } from '../../components/kept-form';
import { nameOfKey, suggestionsOf, useChoices } from '../../components/limit-values';
import { pageQuery, SearchedTable, useOwnFilters } from '../../components/lists';
import { Section } from '../../components/page';
import { SEARCHED, SuggestField, type Suggestions, together } from '../../components/suggestions';
import { Badge, Time } from '../../components/values';
import { amountOf, Combination, combinationText, type Limit } from './limit-words';

type Exception = Schema<'LimitException'>;

const LIMIT = 50;

/** What is asked of the person: nothing, a new exception, or whether one is to go. */
type Asked = 'new' | Exception | undefined;

/** The exceptions of a limit: other amounts for some combinations, also for a time. */
export function LimitExceptions({ limit }: { readonly limit: Limit }): ReactNode {
  const may = useMay();
  const [asked, setAsked] = useState<Asked>();
  // The address has the place in the list of what was used.
  const filters = useOwnFilters();
  const { id, measure } = limit;
  const query = pageQuery(filters, LIMIT, '-created_at');
  const exceptions = useQuery({
    queryKey: ['limits', id, 'exceptions', query],
    queryFn: ({ signal }) =>
      answered(api.GET('/api/v1/limits/{id}/exceptions', { params: { path: { id }, query }, signal })),
    placeholderData: keepPreviousData,
  });
  const close = (): void => setAsked(undefined);
  return (
    <Section
      title="Exceptions"
      actions={
        may('limits_write') && (
          <button type="button" onClick={() => setAsked('new')}>
            Create an exception
          </button>
        )
      }
    >
      <Failure error={exceptions.error} />
      <SearchedTable
        caption="Exceptions"
        filters={filters}
        query={query}
        list={exceptions}
        keyOf={(exception) => exception.id}
        empty="The amount is the same for all."
        columns={[
          { name: 'For', cell: ({ values }) => <Combination limit={limit} values={values} /> },
          { name: 'Amount', sortAs: 'amount', cell: ({ amount }) => amountOf(measure, amount), isNumber: true },
          { name: 'Until', sortAs: 'until', cell: ({ until }) => <Until at={until} /> },
          { name: 'Created', sortAs: 'created_at', cell: ({ created_at: at }) => <Time at={at} /> },
          {
            name: 'Action',
            cell: (exception) =>
              may('limits_write') && (
                <button
                  type="button"
                  aria-label={`Delete the exception for ${combinationText({ limit, values: exception.values })}`}
                  onClick={() => setAsked(exception)}
                >
                  Delete
                </button>
              ),
          },
        ]}
      />
      {asked === 'new' && <CreateException limit={limit} onClose={close} />}
      {typeof asked === 'object' && <DeleteException limit={limit} exception={asked} onClose={close} />}
    </Section>
  );
}

function Until({ at }: { readonly at: string | null }): ReactNode {
  if (at === null) return <span className="quiet">for good</span>;
  return (
    <>
      <Time at={at} /> {Date.parse(at) <= Date.now() && <Badge>over</Badge>}
    </>
  );
}

interface ExceptionDialogProps {
  readonly limit: Limit;
  readonly onClose: () => void;
}

/** What stands in the form of an exception. */
interface ExceptionDraft {
  /** By the keys of the limit. */
  readonly values: Readonly<Record<string, string>>;
  readonly amount: number | null;
  /** As the input of a time has it. */
  readonly until: string;
}

const NEW_EXCEPTION: ExceptionDraft = { values: {}, amount: null, until: '' };

function CreateException({ limit, onClose }: ExceptionDialogProps): ReactNode {
  const kept = useKeptForm(`new exception of limit ${limit.id}`, () => NEW_EXCEPTION);
  const { values, amount, until } = kept.draft;
  const set = setterOf(kept);
  const create = useChange({
    run: () =>
      answered(
        api.POST('/api/v1/limits/{id}/exceptions', {
          params: { path: { id: limit.id } },
          body: { values, amount: amount!, until: fromLocalInput(until) },
        }),
      ),
    invalidates: ['limits'],
    says: 'The exception was created.',
    then: onClose,
  });
  const of = requestFields(CreateLimitExceptionRequest, create.error);
  const issueOf = (path: string): string | undefined =>
    create.error instanceof ApiError ? create.error.issueOf(path) : undefined;
  return (
    <FormDialog title="Create an exception" submit="Create the exception" change={create} kept={kept} onClose={onClose}>
      {limit.group_by.map((key) => (
        <ValueField
          key={key}
          limit={limit}
          of={key}
          value={values[key] ?? ''}
          issue={issueOf(`values.${key}`)}
          onChange={(value) => set({ values: { ...values, [key]: value } })}
        />
      ))}
      <NumberField
        label={limit.measure === 'usd' ? 'Amount in US dollars' : 'Amount'}
        {...of('amount')}
        min={0}
        step={limit.measure === 'usd' ? 'any' : 1}
        isRequired
        value={amount}
        onChange={(amount) => set({ amount })}
      />
      <TextField
        label="Until"
        type="datetime-local"
        {...of('until')}
        value={until}
        onChange={(until) => set({ until })}
      />
    </FormDialog>
  );
}

interface ValueFieldProps {
  readonly limit: Limit;
  readonly of: string;
  readonly value: string;
  readonly issue: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A value of one key: chosen where it is the id of something, and typed otherwise, with those suggested first that the limit counts by. */
function ValueField({ limit, of, ...field }: ValueFieldProps): ReactNode {
  const choices = useChoices(of);
  const label = nameOfKey(of);
  const suggestions = useMemo(() => {
    const known = suggestionsOf(of);
    return together(valuesCounted(limit.id, of), ...(known === undefined ? [] : [known]));
  }, [limit.id, of]);
  if (choices === undefined)
    return <SuggestField label={label} isRequired maxLength={256} suggestions={suggestions} {...field} />;
  return <SelectField label={label} isRequired options={[['', 'Choose …'], ...choices]} {...field} />;
}

/** The values of a key that a limit counts by in the present window, those of combinations that have used most first. */
function valuesCounted(id: string, key: string): Suggestions {
  return {
    name: `values of ${key} of limit ${id}`,
    isSearched: true,
    ask: async (search, signal) => {
      const query = { limit: SEARCHED, sort: '-used' as const, ...(search !== '' && { search }) };
      const list = await answered(api.GET('/api/v1/limits/{id}/usage', { params: { path: { id }, query }, signal }));
      return list.data.flatMap(({ values }) => {
        const value: unknown = values[key];
        return typeof value === 'string' ? [[value, value] as const] : [];
      });
    },
  };
}

function DeleteException({
  limit,
  exception,
  onClose,
}: ExceptionDialogProps & { readonly exception: Exception }): ReactNode {
  const remove = useChange({
    run: () =>
      answered(
        api.DELETE('/api/v1/limits/{id}/exceptions/{exception_id}', {
          params: { path: { id: limit.id, exception_id: exception.id } },
        }),
      ),
    invalidates: ['limits'],
    says: 'The exception was deleted.',
    then: onClose,
  });
  return (
    <FormDialog
      title={`Delete the exception for ${combinationText({ limit, values: exception.values })}?`}
      submit="Delete the exception"
      isDangerous
      change={remove}
      onClose={onClose}
    >
      <p>The amount of the limit holds again: {amountOf(limit.measure, limit.amount)}.</p>
    </FormDialog>
  );
}
