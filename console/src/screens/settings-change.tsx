import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api, type Schema } from '../api/client';
import { Problem } from '../api/problem';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { ErrorNote, Note } from '../ui/states';

type Dataset = Schema<'Dataset'>;
type Patch = Schema<'UpdateDatasetRequest'>;

/** The settings as they are kept, with the version that a change is made to. */
export interface Kept {
  readonly dataset: Dataset;
  readonly version: string;
}

type Changing = UseMutationResult<Kept, Error, Patch>;

export function keptOf({ data, response }: { readonly data?: Dataset; readonly response: Response }): Kept {
  return { dataset: data as Dataset, version: response.headers.get('ETag') ?? '*' };
}

/** Changes a dataset as it was when this page read it. */
export function useChange({ dataset: { id }, version }: Kept): Changing {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: Patch) =>
      keptOf(
        await api.PATCH('/api/v1/datasets/{id}', {
          params: { path: { id }, header: { 'If-Match': version } },
          body,
        }),
      ),
    onSuccess: async (kept) => {
      queries.setQueryData(['settings', id], kept);
      await queries.invalidateQueries({ queryKey: ['datasets'] });
    },
  });
}

interface SaveLineProps {
  readonly changing: Changing;
  readonly isChanged: boolean;
  /** Whether the error stands at its field. */
  readonly isSaid?: boolean;
  readonly onReload: () => void;
}

/** The button that saves, and what became of it. */
export function SaveLine({ changing, isChanged, isSaid = false, onReload }: SaveLineProps): ReactElement {
  const isLate = changing.error instanceof Problem && changing.error.status === 412;
  const reload = (): void => {
    changing.reset();
    onReload();
  };
  return (
    <>
      {isLate && (
        <Note kind="warn" icon="warn" title={t('settings.late')}>
          <p>{t('settings.lateWhy')}</p>
          <p className="note-actions">
            <Button onPress={reload}>{t('settings.lateRead')}</Button>
          </p>
        </Note>
      )}
      {changing.error !== null && !isLate && !isSaid && <ErrorNote error={changing.error} />}
      <p className="tools">
        <Button look="first" type="submit" isDisabled={!isChanged || changing.isPending}>
          {t('save')}
        </Button>
        <span className="small quiet" role="status">
          {changing.isSuccess && !isChanged ? t('saved') : ''}
        </span>
      </p>
    </>
  );
}
