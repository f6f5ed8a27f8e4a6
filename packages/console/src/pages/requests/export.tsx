import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answered, api } from '../../api/client';
import { announce } from '../../components/announcements';
import { Failure } from '../../components/failure';

/** Saves the whole filtered list as a table. @param filters as they are sent */
export function useExport(filters: Readonly<Record<string, string>>): {
  readonly button: ReactNode;
  readonly failure: ReactNode;
} {
  const save = useMutation({
    mutationFn: async () => {
      const request = api.GET('/api/v1/generations', {
        params: { query: filters },
        headers: { Accept: 'text/csv' },
        parseAs: 'blob',
      });
      return answered(request);
    },
    onSuccess: (table) => {
      const url = URL.createObjectURL(table);
      const link = document.createElement('a');
      link.href = url;
      link.download = 'requests.csv';
      link.click();
      URL.revokeObjectURL(url);
      announce('The table is saved.');
    },
  });
  const start = (): void => {
    if (!save.isPending) save.mutate();
  };
  return {
    button: (
      <button type="button" aria-disabled={save.isPending} onClick={start}>
        Export as CSV
      </button>
    ),
    failure: <Failure error={save.error} />,
  };
}
