import { useState, type ReactElement, type ReactNode } from 'react';
import { Icon } from './icon';
import styles from './search-field.module.css';

/** As many characters as a query may have. */
const MOST_CHARACTERS = 4096;

interface SearchFieldProps {
  /** What is typed here, said to all. */
  readonly label: string;
  readonly value: string;
  readonly isFirst?: boolean;
  readonly onChange: (value: string) => void;
}

/** A field for words that something is looked for by. */
export function SearchField({ label, value, isFirst = false, onChange }: SearchFieldProps): ReactElement {
  return (
    <label className="input">
      <Icon name="search" />
      <input
        type="search"
        value={value}
        maxLength={MOST_CHARACTERS}
        autoFocus={isFirst}
        aria-label={label}
        placeholder={label}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}

interface SearchFormProps {
  readonly label: string;
  /** What is looked for now. */
  readonly q: string;
  readonly isFirst?: boolean;
  /** The button, if there is to be one. */
  readonly button: (isChanged: boolean) => ReactNode;
  readonly onSearch: (q: string) => void;
}

/** A search that begins with Enter or its button. */
export function SearchForm({ label, q, isFirst = false, button, onSearch }: SearchFormProps): ReactElement {
  const [text, setText] = useState(q);
  return (
    <form
      role="search"
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') onSearch(text.trim());
      }}
    >
      <SearchField label={label} value={text} isFirst={isFirst} onChange={setText} />
      {button(text.trim() !== q)}
    </form>
  );
}
