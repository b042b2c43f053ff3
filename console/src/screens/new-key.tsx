import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { api, dataOf, type Schema } from '../api/client';
import { fieldDetail } from '../api/problem';
import { MoreDatasets } from '../frame/find-dataset';
import { useDatasets } from '../frame/queries';
import { t } from '../texts/i18n';
import { Button, Field, Sheet } from '../ui/controls';
import { FormSheet } from '../ui/form-sheet';
import { ShownOnce } from '../ui/rows';
import styles from './choice.module.css';
import { READING, SCOPES, type Scope } from './scopes';

type Preset = 'ask' | 'upload' | 'none';

const PRESETS: Readonly<Record<Preset, readonly Scope[]>> = {
  ask: READING,
  upload: [...READING, 'datasets:write', 'documents:write'],
  none: [],
};
const PRESET_NAMES = ['ask', 'upload', 'none'] as const satisfies readonly Preset[];
/** In days; the first is the one that is set. */
const LASTS = ['90', '30', '365', 'ever'] as const;
type Lasts = (typeof LASTS)[number];
const DAY_MS = 86_400_000;

interface NewKeyProps {
  readonly me: Schema<'MeResponse'>;
  readonly onClose: () => void;
}

/** Asks what a key is for and may do, and shows its secret this once. */
export function NewKey({ me, onClose }: NewKeyProps): ReactElement {
  const own = SCOPES.filter((scope) => me.permissions.includes(scope));
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(READING.filter((scope) => own.includes(scope)));
  const [datasetIds, setDatasetIds] = useState<readonly string[]>();
  const [lasts, setLasts] = useState<Lasts>(LASTS[0]);
  const queries = useQueryClient();
  const making = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/api/v1/auth/api-keys', {
          body: {
            name: name.trim(),
            scopes: [...scopes],
            ...(datasetIds === undefined ? {} : { dataset_ids: [...datasetIds] }),
            ...(lasts === 'ever' ? {} : { expires_at: new Date(Date.now() + Number(lasts) * DAY_MS).toISOString() }),
          },
        }),
      ),
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  });
  if (making.data !== undefined) return <Secret made={making.data} onClose={onClose} />;
  const wrongName = fieldDetail(making.error, '/name');
  return (
    <FormSheet
      title={t('keys.new')}
      submitLabel={t('keys.make')}
      isReady={name.trim() !== '' && datasetIds?.length !== 0}
      isPending={making.isPending}
      error={wrongName === undefined ? making.error : null}
      onSubmit={() => making.mutate()}
      onClose={onClose}
    >
      <Field label={t('keys.name')} value={name} onChange={setName} error={wrongName} isRequired autoFocus />
      <Scopes own={own} value={scopes} onChange={setScopes} />
      <Datasets value={datasetIds} onChange={setDatasetIds} />
      <label className="field">
        {t('keys.lasts')}
        <select
          className="input"
          value={lasts}
          onChange={(event) => setLasts(LASTS.find((one) => one === event.target.value) ?? LASTS[0])}
        >
          {LASTS.map((one) => (
            <option key={one} value={one}>
              {one === 'ever' ? t('keys.ever') : t('keys.days', { count: Number(one) })}
            </option>
          ))}
        </select>
      </label>
    </FormSheet>
  );
}

interface ScopesProps {
  /** What the maker may do: a key can do no more. */
  readonly own: readonly Scope[];
  readonly value: readonly Scope[];
  readonly onChange: (scopes: readonly Scope[]) => void;
}

function Scopes({ own, value, onChange }: ScopesProps): ReactElement {
  const isPreset = (preset: Preset): boolean => {
    const wanted = PRESETS[preset].filter((scope) => own.includes(scope));
    return wanted.length === value.length && wanted.every((scope) => value.includes(scope));
  };
  const presets = PRESET_NAMES.filter((name) => name !== 'upload' || own.includes('documents:write'));
  return (
    <fieldset className={`choices ${styles['explained']}`}>
      <legend>{t('keys.may')}</legend>
      <p className="tools">
        {presets.map((preset) => (
          <button
            key={preset}
            type="button"
            className={isPreset(preset) ? 'chip on' : 'chip'}
            aria-pressed={isPreset(preset)}
            onClick={() => onChange(PRESETS[preset].filter((scope) => own.includes(scope)))}
          >
            {t(`preset.${preset}`)}
          </button>
        ))}
      </p>
      <div className={`choices panel ${styles['scroll']}`}>
        {own.map((scope) => (
          <label key={scope}>
            <input
              type="checkbox"
              checked={value.includes(scope)}
              onChange={(event) =>
                onChange(event.target.checked ? [...value, scope] : value.filter((one) => one !== scope))
              }
            />
            <span>
              {t(`scope.${scope}`)}
              <small className={styles['code']}>{scope}</small>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface DatasetsProps {
  /** The only ones; undefined: all that the maker sees. */
  readonly value: readonly string[] | undefined;
  readonly onChange: (ids: readonly string[] | undefined) => void;
}

function Datasets({ value, onChange }: DatasetsProps): ReactElement {
  const datasets = useDatasets();
  return (
    <fieldset className="choices">
      <legend>{t('keys.where')}</legend>
      <label>
        <input type="radio" name="where" checked={value === undefined} onChange={() => onChange(undefined)} />
        {t('keys.allThatISee')}
      </label>
      <label>
        <input type="radio" name="where" checked={value !== undefined} onChange={() => onChange([])} />
        {t('keys.onlyThese')}
      </label>
      {value !== undefined && (
        <div className={`choices panel ${styles['scroll']}`} role="group" aria-label={t('keys.onlyThese')}>
          {datasets.data?.items.map(({ id, name }) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={value.includes(id)}
                onChange={(event) =>
                  onChange(event.target.checked ? [...value, id] : value.filter((one) => one !== id))
                }
              />
              <span className="cut">{name}</span>
            </label>
          ))}
          <MoreDatasets page={datasets.data} />
        </div>
      )}
    </fieldset>
  );
}

interface SecretProps {
  readonly made: Schema<'CreatedApiKey'>;
  readonly onClose: () => void;
}

/** Only its own button closes it: nobody sees the secret again. */
function Secret({ made, onClose }: SecretProps): ReactElement {
  return (
    <Sheet label={t('keys.secret')}>
      <div className="stack">
        <h1>{made.name}</h1>
        <ShownOnce label={t('keys.secret')} value={made.secret} />
        <p className="small quiet">{t('keys.secretWhy')}</p>
        <p className="tools">
          <Button onPress={onClose}>{t('keys.secretDone')}</Button>
        </p>
      </div>
    </Sheet>
  );
}
