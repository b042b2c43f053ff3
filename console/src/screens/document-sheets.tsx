import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Form } from 'react-aria-components';
import { t } from '../texts/i18n';
import { Button, Field, Sheet } from '../ui/controls';
import { FacetChips } from '../ui/facet-chips';
import { tagsOf, type Deed } from './document-deeds';
import { knownRows } from './document-pages';

const MOST_REASON = 500;

interface SheetProps {
  readonly onDeed: (deed: Deed) => void;
  readonly onClose: () => void;
}

/** Asks why documents are kept back: it stands in the timeline of each. */
export function QuarantineSheet({ count, onDeed, onClose }: SheetProps & { readonly count: number }): ReactElement {
  const [reason, setReason] = useState('');
  return (
    <Sheet label={t('pick.quarantine')} onClose={onClose}>
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          if (reason.trim() !== '') onDeed({ name: 'quarantine', reason: reason.trim() });
        }}
      >
        <h1>{t('quarantine.ask', { count })}</h1>
        <p>{t('quarantine.what')}</p>
        <Field
          label={t('quarantine.reason')}
          value={reason}
          onChange={setReason}
          maxLength={MOST_REASON}
          autoFocus
          isRequired
        />
        <p className="tools">
          <Button look="danger" type="submit" isDisabled={reason.trim() === ''}>
            {t('pick.quarantine')}
          </Button>
          <Button look="plain" onPress={onClose}>
            {t('cancel')}
          </Button>
        </p>
      </Form>
    </Sheet>
  );
}

interface TagSheetProps extends SheetProps {
  readonly datasetId: string;
  readonly ids: readonly string[];
}

/** Which tags the chosen documents get, and which of theirs they lose. */
export function TagSheet({ datasetId, ids, onDeed, onClose }: TagSheetProps): ReactElement {
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const [removed, remove] = useState<readonly string[]>([]);
  // What they had when this was opened.
  const [counts] = useState(() => countTags(ids.flatMap((id) => knownRows(queries, datasetId).get(id)?.tags ?? [])));
  const added = tagsOf(text);
  const isIdle = added.length === 0 && removed.length === 0;
  const toggle = (tag: string): void =>
    remove(removed.includes(tag) ? removed.filter((one) => one !== tag) : [...removed, tag]);
  return (
    <Sheet label={t('document.tags')} onClose={onClose}>
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isIdle) onDeed({ name: 'tag', add: added, remove: removed });
        }}
      >
        <h1>{t('tagging.title', { count: ids.length })}</h1>
        <Field label={t('tagging.add')} value={text} onChange={setText} autoFocus />
        {counts.length > 0 && (
          <div className="field">
            <span>{t('tagging.remove')}</span>
            <div className="tools" role="group" aria-label={t('tagging.remove')}>
              <FacetChips counts={counts} chosen={removed} icon="tag" onToggle={toggle} />
            </div>
          </div>
        )}
        <p className="tools">
          <Button look="first" type="submit" isDisabled={isIdle}>
            {t('tagging.save')}
          </Button>
          <Button look="plain" onPress={onClose}>
            {t('cancel')}
          </Button>
        </p>
      </Form>
    </Sheet>
  );
}

function countTags(tags: readonly string[]): readonly { readonly value: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((one, other) => other.count - one.count || one.value.localeCompare(other.value));
}
