import type { ReactElement } from 'react';
import type { Schema } from '../api/client';
import { wordsOfRows } from '../search/labelled-rows';
import { currentLanguage, formatNumber, t } from '../texts/i18n';
import { Details } from '../ui/details';
import { PlaceLink } from './place-link';
import styles from './ask.module.css';

type Table = Schema<'ChatTableReading'>;
type Query = Schema<'ChatTableQuery'>;
type Condition = Schema<'ChatTableCondition'>;

interface TableReadingProps {
  readonly table: Table;
  readonly sources: readonly Schema<'ChatAnswerSource'>[];
  /** Under which the sources are shown, by their markers. */
  readonly numbers: ReadonlyMap<string, number>;
}

/** How a table was asked, in words: which table, which of its rows, what was made of them; the statement on demand. */
export function TableReading({ table, sources, numbers }: TableReadingProps): ReactElement {
  const rows = sources.filter(({ dataset_id: dataset }) => dataset === table.dataset_id);
  const names = [...new Set(rows.map(({ document_name: name }) => name))];
  const { reading } = table;
  return (
    <section className={styles['reading']} aria-label={t('table.title', { name: table.table })}>
      <h3>{t('table.title', { name: names.length > 0 ? names.join(', ') : table.table })}</h3>
      {reading === undefined || reading === null ? (
        <p>{table.explanation}</p>
      ) : (
        <>
          <p>{taskWords(reading)}</p>
          <p>{conditionsWords(reading)}</p>
          {reading.order !== null && <p>{orderWords(reading.order, reading.limit)}</p>}
        </>
      )}
      {table.assumptions.length > 0 && (
        <p className="quiet">{t('table.assumptions', { count: table.assumptions.length })}</p>
      )}
      <details>
        <summary>{t('table.rows', { count: table.row_count })}</summary>
        <ul>
          {rows.map((row) => (
            <li key={row.marker}>
              <span className="cite">{numbers.get(row.marker)}</span>
              <PlaceLink
                to={{ ...row, source_char_start: row.char_start, source_char_end: row.char_end }}
                className="link"
              >
                {wordsOfRows(row.text, row)}
              </PlaceLink>
            </li>
          ))}
        </ul>
        {table.row_count > rows.length && <p className="quiet">{t('table.some', { count: rows.length })}</p>}
      </details>
      <Details label={t('table.statement')}>
        <p>{table.explanation}</p>
        {table.assumptions.map((one) => (
          <p key={one} className="quiet">
            {t('table.assumed', { what: one })}
          </p>
        ))}
        <p className="mono">{table.table}</p>
        <pre className="mono">{table.sql}</pre>
      </Details>
    </section>
  );
}

/** What was made of the rows: "Average of “Price”". */
function taskWords({ task, measure, columns }: Query): string {
  const names = columns.map(quoted).join(', ');
  if (measure === null) return task === 'exists' ? t('reads.exists') : t('reads.rows', { columns: names });
  const column = measure.column === null ? '' : quoted(measure.column);
  const what = t(`measure.${measure.function}`, { column });
  return task === 'groups' ? t('reads.groups', { what, columns: names }) : what;
}

/** Which of them: "Only the one with the greatest “Berths”". */
function orderWords({ column, descending }: Schema<'ChatTableOrder'>, limit: number | null): string {
  const by = column === null ? t('reads.value') : quoted(column);
  if (limit === null) return t(descending ? 'reads.falling' : 'reads.rising', { by });
  return t(descending ? 'reads.greatest' : 'reads.least', { count: limit, by });
}

/** Of which rows. */
function conditionsWords({ conditions }: Query): string {
  if (conditions.length === 0) return t('reads.all');
  const words = new Intl.ListFormat(currentLanguage()).format(conditions.map(conditionWords));
  return t('reads.where', { conditions: words });
}

function conditionWords({ column, operator, values }: Condition): string {
  const [first = '', second = ''] = values.map(valueWords);
  const value =
    operator === 'between' ? t('cond.range', { from: first, to: second }) : values.map(valueWords).join(', ');
  const field = quoted(column);
  switch (operator) {
    case 'between':
      return t('cond.between', { field, value });
    case 'contains_not':
      return t('cond.containsNot', { field, value });
    case 'empty':
      return t('cond.absent', { field });
    case 'not_empty':
      return t('cond.exists', { field });
    case 'in':
      return t(values.length === 1 ? 'cond.eq' : 'cond.in', { field, value });
    default:
      return t(`cond.${operator}`, { field, value });
  }
}

const quoted = (text: string): string => t('quoted', { text });

function valueWords(value: Condition['values'][number]): string {
  if (typeof value === 'number') return formatNumber(value);
  return typeof value === 'boolean' ? t(value ? 'cond.yes' : 'cond.no') : quoted(value);
}
