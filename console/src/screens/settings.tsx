import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Form } from 'react-aria-components';
import { useLocation } from 'wouter';
import { api, type Schema } from '../api/client';
import { PlaceHead } from '../frame/place-head';
import { useDataset, useMe } from '../frame/queries';
import { ownTenant, Refused } from '../frame/refused';
import { t } from '../texts/i18n';
import { nameFault } from '../texts/refused-words';
import { Confirm } from '../ui/confirm';
import { Button, Field, LongField } from '../ui/controls';
import { ErrorNote, ErrorPage, Loading } from '../ui/states';
import styles from './choice.module.css';
import { Access, accessInWords } from './settings-access';
import { OwnSearch } from './settings-search';
import { keptOf, SaveLine, useChange, type Kept } from './settings-change';

type Dataset = Schema<'Dataset'>;
type Patch = Schema<'UpdateDatasetRequest'>;

const SAME_NAME = ['keep_both', 'new_revision'] as const satisfies readonly Dataset['on_same_name'][];

/** Name, instructions and access of a dataset. */
export default function Settings({ datasetId }: { readonly datasetId: string }): ReactElement {
  const shown = useDataset(datasetId);
  const me = useMe();
  if (shown.data === undefined || me.data === undefined) {
    const error = shown.error ?? me.error;
    if (error !== null) return <ErrorPage error={error} onRetry={() => void shown.refetch()} />;
    return (
      <main className="body">
        <Loading />
      </main>
    );
  }
  const mayWrite = shown.data.effective_permissions.includes('datasets:write');
  return (
    <>
      <PlaceHead dataset={shown.data} tab="settings" />
      <main className="body">
        {mayWrite ? (
          <Editable datasetId={datasetId} me={me.data} />
        ) : (
          <>
            <Refused who={t('settings.who')} />
            <div className="section-line">
              <h2>{t('access.now')}</h2>
            </div>
            <p>{accessInWords(shown.data, me.data.account.id)}</p>
          </>
        )}
      </main>
    </>
  );
}

function Editable({
  datasetId: id,
  me,
}: {
  readonly datasetId: string;
  readonly me: Schema<'MeResponse'>;
}): ReactElement {
  const kept = useQuery({
    queryKey: ['settings', id],
    queryFn: async ({ signal }): Promise<Kept> =>
      keptOf(await api.GET('/api/v1/datasets/{id}', { params: { path: { id } }, signal })),
    // What somebody types is compared to it.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (kept.data === undefined) {
    return kept.error === null ? <Loading /> : <ErrorNote error={kept.error} onRetry={() => void kept.refetch()} />;
  }
  const { dataset } = kept.data;
  const role = ownTenant(me)?.role;
  const mayShare = dataset.owner_id === me.account.id || role === 'admin' || role === 'owner';
  const onReload = (): void => void kept.refetch();
  return (
    <div className={styles['narrow']}>
      <General kept={kept.data} onReload={onReload} />
      <Access kept={kept.data} me={me} mayShare={mayShare} onReload={onReload} />
      <OwnSearch dataset={dataset} />
      {mayShare && <Delete dataset={dataset} />}
    </div>
  );
}

interface PartProps {
  readonly kept: Kept;
  /** Reads the settings again, as somebody else has changed them. */
  readonly onReload: () => void;
}

function General({ kept, onReload }: PartProps): ReactElement {
  const { dataset } = kept;
  const [typed, type] = useState<Partial<Pick<Dataset, 'name' | 'description' | 'instructions' | 'on_same_name'>>>({});
  const changing = useChange(kept);
  const text = (field: 'description' | 'instructions'): string => typed[field] ?? dataset[field] ?? '';
  const name = typed.name ?? dataset.name;
  const patch = patchOf(dataset, { ...typed, name: name.trim() });
  const isChanged = Object.keys(patch).length > 0;
  const wrongName = nameFault(changing.error);
  return (
    <Form
      className={styles['part']}
      onSubmit={(event) => {
        event.preventDefault();
        changing.mutate(patch, { onSuccess: () => type({}) });
      }}
    >
      <h2>{t('settings.general')}</h2>
      <Field
        label={t('dataset.name')}
        value={name}
        onChange={(value) => type({ ...typed, name: value })}
        error={wrongName}
        isRequired
      />
      <LongField
        label={t('settings.description')}
        rows={2}
        maxLength={4096}
        value={text('description')}
        onChange={(description) => type({ ...typed, description })}
      />
      <LongField
        label={t('settings.instructions')}
        hint={t('settings.instructionsWhy')}
        rows={5}
        maxLength={8000}
        value={text('instructions')}
        onChange={(instructions) => type({ ...typed, instructions })}
      />
      <fieldset className={`choices ${styles['explained']}`}>
        <legend>{t('settings.sameName')}</legend>
        {SAME_NAME.map((choice) => (
          <label key={choice}>
            <input
              type="radio"
              name="same-name"
              checked={(typed.on_same_name ?? dataset.on_same_name) === choice}
              onChange={() => type({ ...typed, on_same_name: choice })}
            />
            <span>{t(`sameName.${choice}`)}</span>
          </label>
        ))}
      </fieldset>
      <SaveLine
        changing={changing}
        isChanged={isChanged && name.trim() !== ''}
        isSaid={wrongName !== undefined}
        onReload={onReload}
      />
    </Form>
  );
}

/** Only what differs from what is kept; an empty text removes it. */
function patchOf(dataset: Dataset, typed: Partial<Dataset>): Patch {
  const patch: Patch = {};
  if (typed.name !== undefined && typed.name !== dataset.name) patch.name = typed.name;
  for (const field of ['description', 'instructions'] as const) {
    const text = typed[field];
    if (text !== undefined && (text ?? '') !== (dataset[field] ?? '')) patch[field] = text === '' ? null : text;
  }
  if (typed.on_same_name !== undefined && typed.on_same_name !== dataset.on_same_name) {
    patch.on_same_name = typed.on_same_name;
  }
  return patch;
}

function Delete({ dataset }: { readonly dataset: Dataset }): ReactElement {
  const [isAsking, ask] = useState(false);
  const [, go] = useLocation();
  const queries = useQueryClient();
  // What is kept beside what somebody types is as old as the page.
  const shown = useDataset(dataset.id);
  const count = (shown.data ?? dataset).document_counts.total;
  const deleting = useMutation({
    mutationFn: () => api.DELETE('/api/v1/datasets/{id}', { params: { path: { id: dataset.id } } }),
    onSuccess: async () => {
      go('/', { replace: true });
      queries.removeQueries({ queryKey: ['datasets', dataset.id] });
      await queries.invalidateQueries({ queryKey: ['datasets'] });
    },
  });
  return (
    <section className={styles['part']}>
      <h2>{t('settings.delete')}</h2>
      <p>{t('settings.deleteWhy', { count })}</p>
      <p className="tools">
        <Button look="danger" onPress={() => ask(true)}>
          {t('settings.deleteConfirm')}
        </Button>
      </p>
      {isAsking && (
        <Confirm
          title={t('settings.deleteQuestion', { name: dataset.name })}
          submitLabel={t('settings.deleteConfirm')}
          typed={dataset.name}
          isPending={deleting.isPending}
          error={deleting.error}
          onSubmit={() => deleting.mutate()}
          onClose={() => ask(false)}
        >
          <p>{t('settings.deleteWhy', { count })}</p>
        </Confirm>
      )}
    </section>
  );
}
