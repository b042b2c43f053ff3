import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Link, useSearchParams } from 'wouter';
import { api, dataOf, type Schema } from '../api/client';
import { writePolicy } from '../frame/policy';
import { changesOf, type Change } from '../search/option-changes';
import type { Purpose } from '../search/usual-options';
import { merged, optionsOf, withOptions, type SearchOptions } from '../search/search-options';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { ErrorNote, Note } from '../ui/states';
import { Changes } from './search-applied';

/** A change that holds for every search of the dataset, with what brings back what was before it. */
export interface Applied {
  readonly changes: readonly Change[];
  /** Version of the policy before. */
  readonly former: number;
  /** The options that the search of the page had by itself. */
  readonly options: SearchOptions;
  readonly purpose: Purpose;
}

interface ForAllProps {
  readonly datasetId: string;
  /** What the dataset has at present. */
  readonly own: SearchOptions;
  readonly patch: Readonly<Record<string, unknown>>;
  readonly purpose: Purpose;
  readonly onApplied: (applied: Applied) => void;
}

/** Makes the change what the dataset has for every search and answer that says nothing else; asks first, with the old and the new value. */
export function ForAll({ datasetId, own, patch, purpose, onApplied }: ForAllProps): ReactElement {
  const queries = useQueryClient();
  const [address, setAddress] = useSearchParams();
  const [isAsking, ask] = useState(false);
  const changes = changesOf(own, merged(own, patch));
  const applying = useMutation({
    mutationFn: () =>
      writePolicy(datasetId, t('why.comment'), ({ retrieval_defaults: former = {}, ...policy }) => ({
        ...policy,
        retrieval_defaults: merged(former as SearchOptions, patch),
      })),
    onSuccess: ({ former }) => {
      const options = optionsOf(address);
      ask(false);
      onApplied({ changes, former, options, purpose });
      // From now on the dataset says it: what the search says by itself would hide that.
      setAddress((before) => withOptions(before, scopeOf(options)), { replace: true });
      return lookAgain(queries);
    },
  });
  if (!isAsking) return <Button onPress={() => ask(true)}>{t('why.forAll')}</Button>;
  return (
    <Note icon="info" title={t('why.forAllAsk')}>
      <Changes changes={changes} isOfDataset purpose={purpose} />
      <p>{t('why.forAllWhat')}</p>
      <p className="note-actions tools">
        <Button look="first" autoFocus onPress={() => applying.mutate()} isDisabled={applying.isPending}>
          {t('why.forAll')}
        </Button>
        <Button onPress={() => ask(false)}>{t('cancel')}</Button>
      </p>
      {applying.error !== null && <ErrorNote error={applying.error} />}
    </Note>
  );
}

/** Where is searched: no dataset says that for its searches. */
function scopeOf({ filters, dataset_ids: ids }: SearchOptions): SearchOptions {
  return { ...(filters === undefined ? {} : { filters }), ...(ids === undefined ? {} : { dataset_ids: ids }) };
}

async function lookAgain(queries: ReturnType<typeof useQueryClient>): Promise<void> {
  await Promise.all(['search', 'explain'].map((name) => queries.invalidateQueries({ queryKey: [name] })));
}

interface HoldsProps {
  readonly datasetId: string;
  readonly applied: Applied;
  /** Of the search as it is since; undefined until it is known. */
  readonly explanation: Schema<'ExplainResponse'> | undefined;
  readonly onUndone: () => void;
}

/** What holds for every search since, whether it has helped here, and the way back. */
export function HoldsForAll({ datasetId, applied, explanation, onUndone }: HoldsProps): ReactElement {
  const queries = useQueryClient();
  const [, setAddress] = useSearchParams();
  const undoing = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/api/v1/datasets/{id}/ingestion-policy/rollback', {
          params: { path: { id: datasetId } },
          body: { version: applied.former },
        }),
      ),
    onSuccess: () => {
      onUndone();
      setAddress((present) => withOptions(present, applied.options), { replace: true });
      return lookAgain(queries);
    },
  });
  return (
    <Note icon="check" title={t('why.isForAll')}>
      <Changes changes={applied.changes} isOfDataset purpose={applied.purpose} />
      <p>
        {t(outcomeOf(explanation))} {t('why.backLater')}{' '}
        <Link className="link" href={`/d/${datasetId}/settings`}>
          {t('tab.settings')}
        </Link>
      </p>
      <p className="note-actions tools">
        <Button onPress={() => undoing.mutate()} isDisabled={undoing.isPending}>
          {t('deferred.undo')}
        </Button>
      </p>
      {undoing.error !== null && <ErrorNote error={undoing.error} />}
    </Note>
  );
}

function outcomeOf(explanation: HoldsProps['explanation']) {
  if (explanation === undefined) return 'why.tryingAgain';
  if (explanation.answer?.is_refused === true)
    return explanation.verdict === 'retrieved' || explanation.code === 'REFUSED' ? 'why.helpsRefused' : 'why.helpsNot';
  return explanation.verdict === 'retrieved' ? 'why.helps' : 'why.helpsNot';
}
