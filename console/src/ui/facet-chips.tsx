import { useState, type ReactElement } from 'react';
import type { Schema } from '../api/client';
import { formatNumber, t } from '../texts/i18n';
import { Icon, type IconName } from './icon';
import { useMedia } from './media';
import styles from './facet-chips.module.css';

const MOST_CHIPS = 8;
/** On a phone, where they would push what they filter out of sight. */
const MOST_CHIPS_NARROW = 3;

interface FacetChipsProps {
  readonly counts: readonly Schema<'FacetCount'>[];
  readonly chosen: readonly string[];
  /** How a value is called; as it stands, where this is left out. */
  readonly nameOf?: (value: string) => string;
  readonly icon?: IconName;
  readonly onToggle: (value: string) => void;
}

/** Values of a property as chips with their counts: the most frequent, and all that are chosen. */
export function FacetChips({ counts, chosen, nameOf, icon, onToggle }: FacetChipsProps): ReactElement {
  const [isWhole, showWhole] = useState(false);
  const most = useMedia('(width < 640px)') ? MOST_CHIPS_NARROW : MOST_CHIPS;
  const known = new Map(counts.map(({ value, count }) => [value, count]));
  const values = [...new Set([...counts.map(({ value }) => value), ...chosen])];
  const shown = values.filter((value, index) => isWhole || index < most || chosen.includes(value));
  return (
    <>
      {shown.map((value) => {
        const isOn = chosen.includes(value);
        const count = known.get(value);
        return (
          <button
            key={value}
            type="button"
            className={isOn ? 'chip on' : 'chip'}
            aria-pressed={isOn}
            title={value}
            onClick={() => onToggle(value)}
          >
            {icon !== undefined && <Icon name={icon} />}
            <span className={`cut ${styles['text']}`}>{nameOf === undefined ? value : nameOf(value)}</span>
            {count !== undefined && <b>{formatNumber(count)}</b>}
          </button>
        );
      })}
      {shown.length < values.length && (
        <button type="button" className="chip" onClick={() => showWhole(true)}>
          {t('filter.others', { count: values.length - shown.length })}
        </button>
      )}
    </>
  );
}
