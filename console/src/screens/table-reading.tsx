import type { ReactElement } from 'react';
import type { Schema } from '../api/client';
import { t } from '../texts/i18n';
import { PlaceLink } from './place-link';
import styles from './ask.module.css';

interface TableReadingProps {
  readonly table: Schema<'ChatTableReading'>;
  readonly sources: readonly Schema<'ChatAnswerSource'>[];
}

/** How a table was asked: what was counted, the rows, and the statement. */
export function TableReading({ table, sources }: TableReadingProps): ReactElement {
  const rows = sources.filter(({ dataset_id: dataset }) => dataset === table.dataset_id);
  return (
    <section className={styles['reading']} aria-label={t('table.title', { name: table.table })}>
      <h3>{t('table.title', { name: table.table })}</h3>
      <p>{table.explanation}</p>
      {table.assumptions.map((one) => (
        <p key={one} className="quiet">
          {t('table.assumed', { what: one })}
        </p>
      ))}
      <details>
        <summary>{t('table.rows', { count: table.row_count })}</summary>
        <ul>
          {rows.map((row) => (
            <li key={row.marker}>
              <span className="cite">{row.marker.slice(1, -1)}</span>
              <PlaceLink
                to={{ ...row, source_char_start: row.char_start, source_char_end: row.char_end }}
                className="link"
              >
                {row.text}
              </PlaceLink>
            </li>
          ))}
        </ul>
        {table.row_count > rows.length && <p className="quiet">{t('table.some', { count: rows.length })}</p>}
      </details>
      <details>
        <summary>{t('table.statement')}</summary>
        <pre className="mono">{table.sql}</pre>
      </details>
    </section>
  );
}
