import { useQuery } from '@tanstack/react-query';
import { useId, useState, type ReactElement } from 'react';
import { modelsQuery } from '../frame/models';
import { useOwnOptions } from '../search/own-options';
import { USUAL } from '../search/usual-options';
import { METHODS, SURROUNDINGS, wordsOf, withOptions, type SearchOptions } from '../search/search-options';
import { formatNumber, t, type TextKey } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';
import styles from './search.module.css';

interface SearchSettingsProps {
  readonly datasetId: string;
  readonly options: SearchOptions;
  readonly onChange: (options: SearchOptions) => void;
  /** The method that the search was done with, where the options name none. */
  readonly used?: string | undefined;
  /** Of one of two sides: all settings are open. */
  readonly isSide?: boolean;
}

/** How the search is done: the method in sight, the rest on demand. What is left alone is as the dataset has it. */
export function SearchSettings(props: SearchSettingsProps): ReactElement {
  const { datasetId, options, onChange, used, isSide = false } = props;
  const { filters, search_method: chosen, ...rest } = options;
  const own = useOwnOptions(datasetId);
  const method = chosen ?? used ?? (own === undefined ? undefined : (own.search_method ?? USUAL.search_method));
  const others = Object.keys(rest).length;
  const [isOpen, open] = useState(others > 0);
  const id = useId();
  return (
    <div className={styles['settings']}>
      <div className="tools" role="group" aria-label={t('search.method')}>
        {METHODS.map((name) => (
          <button
            key={name}
            type="button"
            className={name === method ? 'chip on' : 'chip'}
            aria-pressed={name === method}
            onClick={() => onChange(without(options, 'search_method', name))}
          >
            {t(`method.${name}`)}
          </button>
        ))}
        {!isSide && (
          <Button look="plain" aria-expanded={isOpen} aria-controls={id} onPress={() => open(!isOpen)}>
            <Icon name={isOpen ? 'down' : 'right'} />
            {t('setting.all')}
            {others > 0 && <small className={styles['badge']}>{formatNumber(others)}</small>}
          </Button>
        )}
        {(others > 0 || chosen !== undefined) && (
          <Button look="plain" onPress={() => onChange(filters === undefined ? {} : { filters })}>
            <Icon name="cross" />
            {t('setting.reset')}
          </Button>
        )}
      </div>
      <div id={id} hidden={!isSide && !isOpen}>
        <Choices own={own ?? {}} options={options} onChange={onChange} method={method} />
      </div>
    </div>
  );
}

type Name = keyof SearchOptions;

/** The options with another value of one; undefined leaves it to the dataset. */
function without(options: SearchOptions, name: Name, value: unknown): SearchOptions {
  const { [name]: _former, ...rest } = options;
  return value === undefined ? rest : { ...rest, [name]: value };
}

/** Numbers of results to choose from. */
export const TOP_KS = [5, 10, 20, 50, 100];
const TENTHS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const WEIGHTS = [0, 0.1, 0.25, 0.35, 0.5, 0.75, 1];
const VARIETIES = [0.3, 0.5, 0.7, 0.9];

interface ChoicesProps extends Pick<SearchSettingsProps, 'options' | 'onChange'> {
  /** What the dataset has. */
  readonly own: SearchOptions;
  readonly method: string | undefined;
}

function Choices({ own, options, onChange, method }: ChoicesProps): ReactElement {
  const hasReranker = useHasReranker();
  const set = (name: Name, value: unknown): void => onChange(without(options, name, value));
  const flag = (
    label: TextKey,
    present: boolean | undefined,
    inDataset: boolean | undefined,
    take: (on?: boolean) => void,
  ): ReactElement => (
    <Choice
      label={t(label)}
      own={inDataset === undefined ? undefined : t(inDataset ? 'setting.on' : 'setting.off')}
      value={present === undefined ? '' : present ? 'on' : 'off'}
      values={[
        ['on', t('setting.on')],
        ['off', t('setting.off')],
      ]}
      onChange={(value) => take(value === '' ? undefined : value === 'on')}
    />
  );
  return (
    <div className={styles['choices']}>
      <NumberChoice
        label={t('setting.top_k')}
        own={own.top_k ?? USUAL.top_k}
        present={options.top_k}
        from={TOP_KS}
        onChange={(value) => set('top_k', value)}
      />
      <NumberChoice
        label={t('setting.score_threshold')}
        own={own.score_threshold}
        present={options.score_threshold}
        from={TENTHS}
        onChange={(value) => set('score_threshold', value)}
      />
      <NumberChoice
        label={t('setting.vector_weight')}
        own={own.fusion?.vector_weight}
        present={options.fusion?.vector_weight}
        from={WEIGHTS}
        isDisabled={(method ?? USUAL.search_method) !== 'hybrid'}
        onChange={(value) =>
          set('fusion', value === undefined ? undefined : { ...options.fusion, vector_weight: value })
        }
      />
      <NumberChoice
        label={t('setting.mmr')}
        own={own.mmr?.lambda}
        present={options.mmr?.lambda}
        from={VARIETIES}
        onChange={(value) => set('mmr', value === undefined ? undefined : { lambda: value })}
      />
      {(hasReranker || options.rerank !== undefined) &&
        flag('setting.rerank', options.rerank?.enabled, own.rerank && (own.rerank.enabled ?? true), (value) =>
          set('rerank', value === undefined ? undefined : { ...options.rerank, enabled: value }),
        )}
      {flag('setting.use_kg', options.use_kg, own.use_kg, (value) => set('use_kg', value))}
      <Choice
        label={t('setting.expand')}
        own={own.expand && t(`around.${own.expand}`)}
        value={options.expand ?? ''}
        values={SURROUNDINGS.map((name) => [name, t(`around.${name}`)])}
        onChange={(value) =>
          set(
            'expand',
            SURROUNDINGS.find((name) => name === value),
          )
        }
      />
      <Rest options={options} onChange={onChange} />
    </div>
  );
}

/** Options that the page has no control for, such as a suggestion brings: shown as the interface calls them, each can be taken away. */
function Rest({ options, onChange }: Pick<SearchSettingsProps, 'options' | 'onChange'>): ReactElement {
  const rest = Object.keys(restOf(options)) as Name[];
  return (
    <>
      {rest.map((name) => (
        <button
          key={name}
          type="button"
          className="chip on"
          onClick={() => onChange(without(options, name, undefined))}
        >
          <span className="mono">{wordsOf({ [name]: options[name] })}</span>
          <Icon name="cross" />
          <span className="hidden-text">{t('search.unchange')}</span>
        </button>
      ))}
    </>
  );
}

/** What an address can say of the options only as `change`. */
function restOf(options: SearchOptions): Readonly<Record<string, unknown>> {
  const { filters: _filters, ...rest } = options;
  const address = withOptions(new URLSearchParams(), rest);
  const change: unknown = JSON.parse(address.get('change') ?? '{}');
  return change as Readonly<Record<string, unknown>>;
}

function useHasReranker(): boolean {
  const models = useQuery(modelsQuery);
  return models.data?.data.some(({ port }) => port === 'rerank') === true;
}

interface NumberChoiceProps {
  readonly label: string;
  /** What the dataset has, if it is known. */
  readonly own: number | undefined;
  readonly present: number | undefined;
  /** The usual values; the present one joins them. */
  readonly from: readonly number[];
  /** Of no effect with the other settings. */
  readonly isDisabled?: boolean;
  readonly onChange: (value: number | undefined) => void;
}

function NumberChoice({ label, own, present, from, isDisabled = false, onChange }: NumberChoiceProps): ReactElement {
  const numbers = [...new Set([...from, ...(present === undefined ? [] : [present])])].toSorted((a, b) => a - b);
  return (
    <Choice
      label={label}
      own={own === undefined ? undefined : formatNumber(own)}
      value={present === undefined ? '' : String(present)}
      values={numbers.map((value) => [String(value), formatNumber(value)])}
      isDisabled={isDisabled}
      onChange={(value) => onChange(value === '' ? undefined : Number(value))}
    />
  );
}

interface ChoiceProps {
  readonly label: string;
  /** What the dataset has, in words, if it is known. */
  readonly own: string | undefined;
  readonly value: string;
  readonly values: readonly (readonly [string, string])[];
  readonly isDisabled?: boolean;
  readonly onChange: (value: string) => void;
}

function Choice({ label, own, value, values, isDisabled = false, onChange }: ChoiceProps): ReactElement {
  return (
    <label className={styles['choice']}>
      <span>{label}</span>
      <select
        className={value === '' ? 'input' : `input ${styles['chosen']}`}
        value={value}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.value)}
      >
        <option value="">{own === undefined ? t('setting.asSet') : t('setting.asSetTo', { value: own })}</option>
        {values.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
