import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import type { Schema } from '../api/client';
import { useDataset } from '../frame/queries';
import { t } from '../texts/i18n';
import { refusedWords } from '../texts/refused-words';
import { Button } from '../ui/controls';
import { ErrorNote } from '../ui/states';
import { sendBatch } from './document-batches';
import type { BatchAction } from './batch-actions';
import { documentQuery } from './document-query';
import { TagSheet } from './document-sheets';
import styles from './document.module.css';

/** What lists documents, or counts them by tag. */
const LISTS = ['documents', 'facets'] as const;

/** The tags of a document, and for who may the way to others. */
export function Tags({ detail }: { readonly detail: Schema<'DocumentDetail'> }): ReactElement | null {
  const { id, dataset_id: datasetId, tags } = detail;
  const dataset = useDataset(datasetId);
  const queries = useQueryClient();
  const [isOpen, open] = useState(false);
  const tagging = useMutation({
    mutationFn: (action: BatchAction) => sendBatch(action, [id]),
    onSettled: async () => {
      await queries.invalidateQueries(documentQuery(id));
      for (const name of LISTS) void queries.invalidateQueries({ queryKey: [name] });
    },
  });
  const mayTag = dataset.data?.effective_permissions.includes('documents:write') === true;
  if (tags.length === 0 && !mayTag) return null;
  const [refused] = tagging.data?.rejected ?? [];
  return (
    <section>
      <h2>{t('document.tags')}</h2>
      <p className="tools">
        {tags.map((tag) => (
          <span key={tag} className={`chip ${styles['tag']}`} title={tag}>
            {tag}
          </span>
        ))}
        {mayTag && (
          <Button isDisabled={tagging.isPending} onPress={() => open(true)}>
            {t('document.changeTags')}
          </Button>
        )}
      </p>
      {tagging.error !== null && <ErrorNote error={tagging.error} />}
      {refused !== undefined && <p className="small">{refusedWords(refused.code, refused.detail)}</p>}
      {isOpen && (
        <TagSheet
          datasetId={datasetId}
          ids={[id]}
          present={tags}
          onAction={(action) => {
            open(false);
            tagging.mutate(action);
          }}
          onClose={() => open(false)}
        />
      )}
    </section>
  );
}
