import { useEffect, useRef, useState, type DragEvent, type ReactElement } from 'react';
import { useSearchParams } from 'wouter';
import type { Schema } from '../api/client';
import { PlaceHead } from '../frame/place-head';
import { useDataset } from '../frame/queries';
import { formatNumber, t, type TextKey } from '../texts/i18n';
import { Dot, type Look } from '../ui/counts';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';
import { Empty, ErrorPage, Loading } from '../ui/states';
import { chosenFiles, filesOf, type DroppedFile } from '../uploads/dropped-files';
import { enqueue } from '../uploads/queue';
import { DocumentTable } from './document-table';
import { isState, MORE_FILTERS, moreFiltersOf, type Filter } from './document-pages';
import { useLiveDocuments } from './live-documents';
import styles from './documents.module.css';

type Counts = Schema<'DocumentCountsDto'>;

const CHIPS: readonly (readonly [keyof Counts, TextKey, Look | undefined])[] = [
  ['total', 'documents.all', undefined],
  ['completed', 'state.completed', 'ready'],
  ['processing', 'state.processing', 'working'],
  ['pending', 'state.pending', 'waiting'],
  ['failed', 'state.failed', 'failed'],
  ['quarantined', 'state.quarantined', 'held'],
  ['cancelled', 'state.cancelled', 'stopped'],
];
const TYPING_MS = 250;

/** What a dataset holds, and where files are dropped. */
export default function Documents({ datasetId }: { readonly datasetId: string }): ReactElement {
  const dataset = useDataset(datasetId);
  const [search, setSearch] = useSearchParams();
  const state = search.get('state') ?? '';
  const more = moreFiltersOf(search);
  const filter: Filter = { datasetId, state: isState(state) ? state : undefined, q: search.get('q') ?? '', more };
  const isLive = useLiveDocuments(datasetId);
  if (dataset.error !== null) return <ErrorPage error={dataset.error} onRetry={() => void dataset.refetch()} />;
  if (dataset.data === undefined)
    return (
      <main className="body">
        <Loading lines={8} />
      </main>
    );
  const change = (name: string, value: string): void =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const isWriter = dataset.data.effective_permissions.includes('documents:write');
  const { document_counts: counts } = dataset.data;
  return (
    <DropArea isOpen={isWriter} datasetId={datasetId}>
      <PlaceHead dataset={dataset.data} tab="documents">
        {isWriter && <UploadButtons datasetId={datasetId} />}
      </PlaceHead>
      <main className="body">
        {counts.total === 0 ? (
          <Nothing dataset={dataset.data} isWriter={isWriter} />
        ) : (
          <>
            <div className={styles['sift']}>
              <div className={`tools ${styles['filters']}`} role="group" aria-label={t('documents.filters')}>
                {CHIPS.filter(([name]) => name === 'total' || counts[name] > 0 || name === filter.state).map(
                  ([name, key, look]) => {
                    const isOn = (filter.state ?? 'total') === name;
                    return (
                      <button
                        key={name}
                        type="button"
                        className={isOn ? 'chip on' : 'chip'}
                        aria-pressed={isOn}
                        onClick={() => change('state', name === 'total' ? '' : name)}
                      >
                        {look !== undefined && look !== 'ready' && <Dot look={look} />}
                        {t(key)} <b>{formatNumber(counts[name])}</b>
                      </button>
                    );
                  },
                )}
              </div>
              {MORE_FILTERS.filter((name) => more[name] !== undefined).map((name) => (
                <button key={name} type="button" className="chip on" onClick={() => change(name, '')}>
                  <span className="mono">
                    {name} {more[name]}
                  </span>
                  <Icon name="cross" />
                  <span className="hidden-text">{t('search.unchange')}</span>
                </button>
              ))}
              <NameFilter value={filter.q} onChange={(value) => change('q', value)} />
            </div>
            <DocumentTable
              key={`${filter.state} ${filter.q} ${JSON.stringify(more)}`}
              filter={filter}
              isWriter={isWriter}
              isBusy={!isLive && counts.pending + counts.processing > 0}
              onClearFilter={() => setSearch({})}
            />
          </>
        )}
      </main>
    </DropArea>
  );
}

function NameFilter({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactElement {
  const [text, setText] = useState(value);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onChange(text.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  });
  return (
    <label className="input">
      <Icon name="search" />
      <input
        type="search"
        value={text}
        aria-label={t('documents.name')}
        placeholder={t('documents.name')}
        onChange={(event) => setText(event.target.value)}
      />
    </label>
  );
}

function UploadButtons({ datasetId }: { readonly datasetId: string }): ReactElement {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = (input: HTMLInputElement): void => {
    enqueue(datasetId, chosenFiles(input.files!));
    // The same file may be chosen once more.
    input.value = '';
  };
  return (
    <>
      <input ref={files} type="file" multiple hidden onChange={(event) => take(event.target)} />
      <input
        ref={(element) => {
          folder.current = element;
          if (element !== null) element.webkitdirectory = true;
        }}
        type="file"
        hidden
        onChange={(event) => take(event.target)}
      />
      <Button onPress={() => folder.current?.click()}>
        <Icon name="folder" />
        {t('documents.folder')}
      </Button>
      <Button look="first" onPress={() => files.current?.click()}>
        <Icon name="upload" />
        {t('documents.upload')}
      </Button>
    </>
  );
}

interface DropAreaProps {
  readonly isOpen: boolean;
  readonly datasetId: string;
  readonly children: React.ReactNode;
}

/** The whole page takes files and folders. */
function DropArea({ isOpen, datasetId, children }: DropAreaProps): ReactElement {
  const [depth, setDepth] = useState(0);
  if (!isOpen) return <>{children}</>;
  const enter = (event: DragEvent): void => {
    if (event.dataTransfer.types.includes('Files')) setDepth(depth + 1);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setDepth(0);
    void filesOf(event.dataTransfer).then((files: readonly DroppedFile[]) => enqueue(datasetId, files));
  };
  return (
    <div
      className={depth > 0 ? styles['dropping'] : styles['drop']}
      onDragEnter={enter}
      onDragLeave={() => setDepth(Math.max(0, depth - 1))}
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      {children}
    </div>
  );
}

function Nothing({
  dataset,
  isWriter,
}: {
  readonly dataset: Schema<'Dataset'>;
  readonly isWriter: boolean;
}): ReactElement {
  return (
    <Empty title={t('documents.none')}>
      <p>{t(isWriter ? 'documents.noneWriter' : 'documents.noneReader')}</p>
      <p className="small quiet">{t(`sees.${dataset.acl}`, { count: dataset.partial_member_list.length })}</p>
    </Empty>
  );
}
