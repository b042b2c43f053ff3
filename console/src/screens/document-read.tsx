import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { Schema } from '../api/client';
import { formatNumber, t } from '../texts/i18n';
import { Details } from '../ui/details';
import { Icon } from '../ui/icon';
import { strayEnding } from '../ui/kind-names';
import { kindName } from '../ui/kinds';
import { hiddenWords, isSaid, remarkWords } from './code-words';
import styles from './document.module.css';

type Detail = Schema<'DocumentDetail'>;
type Warning = Detail['warnings'][number];

/** Counts of what was read. */
const READ = [
  'characters',
  'headings',
  'sheets',
  'tables',
  'table_rows',
  'records',
  'notes_and_comments',
  'pages_recognised',
  'images_extracted',
  'attachments_extracted',
] as const;
/** Counts of what is not in the text, or not as it was meant; said where they are more than none. */
const LOST = [
  'replaced_characters',
  'characters_left_out',
  'pages_failed',
  'pages_without_text',
  'images_unread',
  'attachments_unread',
  'hidden_sheets',
  'hidden_rows',
  'hidden_columns',
  'hidden_cells',
  'hidden_slides',
  'hidden_shapes',
  'hidden_units',
  'hidden_elements_left_out',
  'cells_with_errors',
  'formulas_without_value',
  'comments_left_out',
  'hidden_characters_left_out',
  'headers_and_footers_left_out',
  'repeated_rows_left_out',
  'embedded_files_left_out',
] as const;

/** Counts that few ask for. */
const FURTHER = [
  'pages',
  'chapters',
  'messages',
  'blocks_paragraph',
  'blocks_list_item',
  'blocks_code',
  'blocks_quote',
  'blocks_caption',
  'blocks_footnote',
  'images_seen',
  'attachments_seen',
  'attachments_of_other_form',
  'fields_and_comments',
  'pages_scanned',
  'pages_compared',
  'pages_read_as_plain_text',
  'pages_read_in_columns',
  'boilerplate_units',
  'running_lines_left_out',
  'struck_out_characters_left_out',
] as const;

/** How well the document was read, in words: what was read, what was not, and every remark. */
export function HowRead({ detail }: { readonly detail: Detail }): ReactElement {
  const counts = countsOf(detail);
  const said = <Name extends string>(names: readonly Name[]): readonly Name[] =>
    names.filter((name) => (counts[name] ?? 0) > 0);
  const lost = said(LOST);
  const stray = detail.searchable ? strayEnding(detail.name, detail.media_type) : undefined;
  const isWell = detail.warnings.length === 0 && lost.length === 0 && stray === undefined;
  return (
    <section>
      <h2>{t('document.howRead')}</h2>
      <ul>
        {isWell && (
          <li>
            <Icon name={detail.searchable ? 'check' : 'info'} />
            {t(detail.searchable ? 'document.readWell' : 'document.notRead')}
          </li>
        )}
        {stray !== undefined && (
          <li className={styles['warned']}>
            <Icon name="warn" />
            {t('document.otherKind', { ending: stray, kind: kindName(detail.media_type) })}
          </li>
        )}
        {detail.warnings.map((warning) => (
          <li key={`${warning.document_id ?? ''}${warning.code}${warning.detail}`} className={styles['warned']}>
            <Icon name="warn" />
            <WarningWords warning={warning} datasetId={detail.dataset_id} />
          </li>
        ))}
        {lost.map((name) => (
          <li key={name}>
            <Icon name="info" />
            {t(`fidelity.${name}`, { count: counts[name]! })}
          </li>
        ))}
      </ul>
      <p className={styles['read']}>
        {[...said(READ).map((name) => t(`fidelity.${name}`, { count: counts[name]! })), ...charsetOf(detail)].join(
          ', ',
        )}
      </p>
      <Further
        detail={detail}
        sentences={said(FURTHER).map((name) => t(`fidelity.${name}`, { count: counts[name]! }))}
      />
    </section>
  );
}

/** In words of the page; the service's own sentence beside them where a person who reads English is helped by it, else for support. */
function WarningWords({ warning, datasetId }: { readonly warning: Warning; readonly datasetId: string }): ReactElement {
  const { code, detail, document_id: other } = warning;
  const words = remarkWords(code);
  const isShown = words === undefined || isSaid(detail);
  return (
    <span>
      {words !== undefined && <b>{words} </b>}
      {hiddenWords(code, detail)}
      {isShown && <span lang="en">{detail}</span>} {code === 'SAME_NAME' && t('document.sameName')}{' '}
      {other !== undefined && (
        <Link className="link" href={`/d/${datasetId}/documents/${other}`}>
          {t('document.other')}
        </Link>
      )}
      {!isShown && (
        <Details>
          <p lang="en">{detail}</p>
        </Details>
      )}
    </span>
  );
}

interface FurtherProps {
  readonly detail: Detail;
  readonly sentences: readonly string[];
}

/** What else was counted in words, and everything under the names of the interface for who is asked to look. */
function Further({ detail: { fidelity }, sentences }: FurtherProps): ReactElement | null {
  const figures = Object.entries(fidelity);
  if (figures.length === 0) return null;
  return (
    <>
      {sentences.length > 0 && (
        <details className={styles['figures']}>
          <summary>{t('fidelity.all')}</summary>
          <p>{sentences.join(', ')}</p>
        </details>
      )}
      <Details>
        <dl className={styles['metadata']} lang="en">
          {figures.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{typeof value === 'number' ? formatNumber(value) : String(value)}</dd>
            </div>
          ))}
        </dl>
      </Details>
    </>
  );
}

/** Counts by name; of images and attachments those, too, that were seen and not read. */
function countsOf({ fidelity }: Detail): Readonly<Record<string, number>> {
  const counts = Object.fromEntries(
    Object.entries(fidelity).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
  const unread = (what: string): number => (counts[`${what}_seen`] ?? 0) - (counts[`${what}_extracted`] ?? 0);
  return { ...counts, images_unread: unread('images'), attachments_unread: unread('attachments') };
}

function charsetOf({ charset, fidelity }: Detail): readonly string[] {
  const share = fidelity['charset_confidence'];
  if (charset === null || typeof share !== 'number') return [];
  return [t('fidelity.charset', { charset, share: formatNumber(Math.round(share * 100)) })];
}
