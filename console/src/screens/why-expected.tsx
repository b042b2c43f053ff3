import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { api, dataOf } from '../api/client';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';
import { ErrorNote } from '../ui/states';
import styles from './why.module.css';

const PICKED = 8;

/** What should have been found: words, a document (an archive means its files), or a chunk; words and document together, words in it. */
export interface Looked {
  readonly text: string;
  readonly document: string;
  readonly chunk: string;
}

interface ExpectedProps {
  readonly datasetId: string;
  readonly looked: Looked;
  readonly onChoose: (looked: Partial<Looked>) => void;
}

export function Expected({ datasetId, looked, onChoose }: ExpectedProps): ReactElement {
  const [words, setWords] = useState(looked.text);
  return (
    <section className={styles['expected']} aria-label={t('why.expected')}>
      <h2>{t('why.expected')}</h2>
      <form
        className="tools"
        onSubmit={(event) => {
          event.preventDefault();
          if (words.trim() !== '' || looked.document !== '') onChoose({ text: words.trim(), chunk: '' });
        }}
      >
        <label className="input">
          <input
            value={words}
            maxLength={4096}
            aria-label={t('why.words')}
            placeholder={t('why.words')}
            onChange={(event) => setWords(event.target.value)}
          />
        </label>
        <Button type="submit">{t('why.look')}</Button>
        <span className="quiet small">{t(looked.document === '' ? 'why.or' : 'why.in')}</span>
        {looked.document !== '' && <ChosenDocument id={looked.document} onForget={() => onChoose({ document: '' })} />}
        {looked.chunk !== '' && (
          <button type="button" className="chip on" onClick={() => onChoose({ chunk: '' })}>
            {t('why.chosen')}
            <Icon name="cross" />
            <span className="hidden-text">{t('search.unchange')}</span>
          </button>
        )}
        <PickDocument
          datasetId={datasetId}
          isAnother={looked.document !== ''}
          onPick={(document) => onChoose({ document, chunk: '' })}
        />
      </form>
    </section>
  );
}

function ChosenDocument({ id, onForget }: { readonly id: string; readonly onForget: () => void }): ReactElement {
  const document = useQuery({
    queryKey: ['document', id],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v1/documents/{document_id}', { params: { path: { document_id: id } }, signal })),
  });
  return (
    <button type="button" className="chip on" onClick={onForget}>
      <span className={`cut ${styles['chosen']}`}>{document.data?.name ?? id}</span>
      <Icon name="cross" />
      <span className="hidden-text">{t('search.unchange')}</span>
    </button>
  );
}

interface PickDocumentProps {
  readonly datasetId: string;
  readonly isAnother: boolean;
  readonly onPick: (document: string) => void;
}

function PickDocument({ datasetId, isAnother, onPick }: PickDocumentProps): ReactElement {
  const [name, setName] = useState('');
  const documents = useQuery({
    queryKey: ['documents', datasetId, 'pick', name],
    queryFn: ({ signal }) => {
      const query = { dataset_id: datasetId, q: name, limit: PICKED };
      return dataOf(api.GET('/api/v1/documents/', { params: { query }, signal }));
    },
    enabled: name.trim().length > 1,
  });
  const label = t(isAnother ? 'why.anotherDocument' : 'why.document');
  return (
    <>
      <label className="input">
        <Icon name="search" />
        <input value={name} aria-label={label} placeholder={label} onChange={(event) => setName(event.target.value)} />
      </label>
      {documents.error !== null && <ErrorNote error={documents.error} onRetry={() => void documents.refetch()} />}
      {documents.data !== undefined && name.trim().length > 1 && (
        <ul className={styles['picks']}>
          {documents.data.items.map((row) => (
            <li key={row.id}>
              <Button look="plain" onPress={() => onPick(row.id)}>
                {row.path ?? row.name}
              </Button>
            </li>
          ))}
          {documents.data.total === 0 && <li className="quiet small">{t('why.noDocument')}</li>}
        </ul>
      )}
    </>
  );
}
