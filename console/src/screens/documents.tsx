import { useRef, useState, type DragEvent, type ReactElement } from 'react';
import { useSearchParams } from 'wouter';
import { PlaceHead } from '../frame/place-head';
import { useDataset } from '../frame/queries';
import { WhoSees } from '../frame/who-sees';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';
import { Empty, ErrorPage, Loading, faultOf } from '../ui/states';
import { chosenFiles, filesOf, type DroppedFile } from '../uploads/dropped-files';
import { UnsentFilesNote } from '../uploads/unsent-files-note';
import { enqueue } from '../uploads/queue';
import {
  queryOf,
  readFilter,
  readOrder,
  withCondition,
  withStanding,
  withOrder,
  type FacetName,
  type Order,
} from './document-filter';
import { conditionsOf, DocumentFilters } from './document-filters';
import { DocumentTable } from './document-table';
import { useLiveDocuments } from './live-documents';
import styles from './documents.module.css';

/** What a dataset holds, and where files are dropped. */
export default function Documents({ datasetId }: { readonly datasetId: string }): ReactElement {
  const dataset = useDataset(datasetId);
  const [search, setSearch] = useSearchParams();
  const filter = readFilter(search);
  const query = queryOf(datasetId, filter);
  const order = readOrder(search);
  const isLive = useLiveDocuments(datasetId);
  if (faultOf(dataset) !== null) return <ErrorPage error={dataset.error} onRetry={() => void dataset.refetch()} />;
  if (dataset.data === undefined)
    return (
      <main className="body">
        <Loading lines={8} />
      </main>
    );
  const change = (name: FacetName | 'q', value: string): void =>
    setSearch((before) => withCondition(before, name, value), { replace: true });
  const sort = (next: Order): void => setSearch((before) => withOrder(before, next), { replace: true });
  const isWriter = dataset.data.effective_permissions.includes('documents:write');
  const { document_counts: counts } = dataset.data;
  return (
    <DropArea isOpen={isWriter} datasetId={datasetId}>
      <PlaceHead dataset={dataset.data} tab="documents">
        {isWriter && counts.total > 0 && <UploadButtons datasetId={datasetId} />}
      </PlaceHead>
      <main className="body">
        {isWriter && <UnsentFilesNote datasetId={datasetId} />}
        {isWriter && <WhoSees datasetId={datasetId} />}
        {counts.total === 0 ? (
          <Nothing>{isWriter && <UploadButtons datasetId={datasetId} />}</Nothing>
        ) : (
          <>
            <DocumentFilters
              datasetId={datasetId}
              counts={counts}
              filter={filter}
              order={order}
              onChange={change}
              onStand={(standing) => setSearch((before) => withStanding(before, standing), { replace: true })}
              onSort={sort}
            />
            <DocumentTable
              key={JSON.stringify(query)}
              query={{ ...query, order_by: order }}
              onSort={sort}
              isWriter={isWriter}
              isBusy={!isLive && counts.pending + counts.processing > 0}
              conditions={conditionsOf(filter)}
              all={counts.total}
              onClearFilter={() => setSearch(withOrder(new URLSearchParams(), order))}
            />
          </>
        )}
      </main>
    </DropArea>
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
      {depth > 0 && (
        <div className={styles['drop-note']} role="status">
          <b>{t('documents.drop')}</b>
          <WhoSees datasetId={datasetId} />
        </div>
      )}
    </div>
  );
}

/** Where the first files are dropped, or chosen by the buttons within, which who only reads has not. */
function Nothing({ children }: { readonly children: ReactElement | false }): ReactElement {
  const isWriter = children !== false;
  return (
    <div className={isWriter ? styles['first-files'] : undefined}>
      <Empty title={t('documents.none')}>
        <p>{t(isWriter ? 'documents.noneWriter' : 'documents.noneReader')}</p>
        {isWriter && <p className="tools">{children}</p>}
      </Empty>
    </div>
  );
}
