import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { t } from '../texts/i18n';
import { Field } from '../ui/controls';
import { FacetChips } from '../ui/facet-chips';
import { FormSheet } from '../ui/form-sheet';
import { tagsOf, type BatchAction } from './batch-actions';
import { knownRows } from './document-pages';

const MOST_REASON = 500;

interface SheetProps {
  readonly onAction: (action: BatchAction) => void;
  readonly onClose: () => void;
}

/** Asks why documents are kept back: it stands in the timeline of each. */
export function QuarantineSheet({ count, onAction, onClose }: SheetProps & { readonly count: number }): ReactElement {
  const [reason, setReason] = useState('');
  return (
    <FormSheet
      title={t('quarantine.ask', { count })}
      label={t('pick.quarantine')}
      submitLabel={t('pick.quarantine')}
      look="danger"
      isReady={reason.trim() !== ''}
      onSubmit={() => onAction({ name: 'quarantine', reason: reason.trim() })}
      onClose={onClose}
    >
      <p>{t('quarantine.what', { count })}</p>
      <Field
        label={t('quarantine.reason')}
        value={reason}
        onChange={setReason}
        maxLength={MOST_REASON}
        autoFocus
        isRequired
      />
    </FormSheet>
  );
}

interface TagSheetProps extends SheetProps {
  readonly datasetId: string;
  readonly ids: readonly string[];
  /** Tags of the only document, where it is not one of a list. */
  readonly present?: readonly string[];
}

/** Which tags the chosen documents get, and which of theirs they lose. */
export function TagSheet({ datasetId, ids, present, onAction, onClose }: TagSheetProps): ReactElement {
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const [removed, remove] = useState<readonly string[]>([]);
  // What they had when this was opened.
  const [counts] = useState(() =>
    countTags(present ?? ids.flatMap((id) => knownRows(queries, datasetId).get(id)?.tags ?? [])),
  );
  const added = tagsOf(text);
  const toggle = (tag: string): void =>
    remove(removed.includes(tag) ? removed.filter((one) => one !== tag) : [...removed, tag]);
  return (
    <FormSheet
      title={t('tagging.title', { count: ids.length })}
      label={t('document.tags')}
      submitLabel={t('tagging.save')}
      isReady={added.length > 0 || removed.length > 0}
      onSubmit={() => onAction({ name: 'tag', add: added, remove: removed })}
      onClose={onClose}
    >
      <Field label={t('tagging.add')} value={text} onChange={setText} autoFocus />
      {counts.length > 0 && (
        <div className="field">
          <span>{t('tagging.remove')}</span>
          <div className="tools" role="group" aria-label={t('tagging.remove')}>
            <FacetChips counts={counts} chosen={removed} icon="tag" onToggle={toggle} />
          </div>
        </div>
      )}
    </FormSheet>
  );
}

function countTags(tags: readonly string[]): readonly { readonly value: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((one, other) => other.count - one.count || one.value.localeCompare(other.value));
}
