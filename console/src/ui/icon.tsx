import type { ReactElement } from 'react';

/** Lines on a field of sixteen, as in docs/console-design. */
const LINES = {
  ask: ['M2.5 3.5h11v8h-6l-3 2.5v-2.5h-2z'],
  plus: ['M8 3v10M3 8h10'],
  search: ['M2.75 7a4.25 4.25 0 1 0 8.5 0a4.25 4.25 0 1 0 -8.5 0', 'm10.5 10.5 3 3'],
  check: ['m3.5 8.5 3 3 6-7'],
  dash: ['M4 8h8'],
  cross: ['m4 4 8 8M12 4l-8 8'],
  down: ['m4 6 4 4 4-4'],
  right: ['m6 4 4 4-4 4'],
  left: ['m10 4-4 4 4 4'],
  away: ['M6.5 3.5h-3v9h9v-3M9 2.5h4.5V7M13.5 2.5 7.5 8.5'],
  menu: ['M2.5 4.5h11M2.5 8h11M2.5 11.5h11'],
  up: ['M8 13V3M4 7l4-4 4 4'],
  order: ['M5 3v10M2.5 10.5 5 13l2.5-2.5M9.5 4h4M9.5 8h3M9.5 12h2'],
  upload: ['M8 10.5V2.5M5 5.5l3-3 3 3M2.5 10v3.5h11V10'],
  folder: ['M2 4.5h4l1.5 1.5H14v6.5H2z'],
  warn: ['M8 2.5 14 13H2z', 'M8 6.5v3M8 11.25v.25'],
  info: ['M2.25 8a5.75 5.75 0 1 0 11.5 0a5.75 5.75 0 1 0 -11.5 0', 'M8 7.5v3.25M8 5.25v.25'],
  retry: ['M13 8a5 5 0 1 1-1.5-3.6M13 2.5V5h-2.5'],
  tag: ['M2.5 2.5h5l6 6-5 5-6-6z', 'M5.25 5.25h.01'],
  trash: ['M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.5 9h7l.5-9'],
  copy: ['M5.5 5.5h8v8h-8z', 'M3.5 10.5h-1v-8h8v1'],
  link: [
    'M6.5 9.5a2.5 2.5 0 0 0 3.6 0l2.4-2.4a2.5 2.5 0 0 0-3.6-3.6l-.9.9M9.5 6.5a2.5 2.5 0 0 0-3.6 0L3.5 8.9a2.5 2.5 0 0 0 3.6 3.6l.9-.9',
  ],
  good: ['M5 13.5V7l2.5-4.5c1 0 1.6.7 1.4 1.7L8.5 6.5h4L12 13.5zM2.5 7v6.5'],
  poor: ['M5 2.5V9l2.5 4.5c1 0 1.6-.7 1.4-1.7L8.5 9.5h4L12 2.5zM2.5 9V2.5'],
  stop: ['M4.5 4.5h7v7h-7z'],
  pause: ['M5.5 4v8M10.5 4v8'],
  more: ['M3.5 8h.01M8 8h.01M12.5 8h.01'],
  clock: ['M2.25 8a5.75 5.75 0 1 0 11.5 0a5.75 5.75 0 1 0 -11.5 0', 'M8 4.75V8l2.25 1.5'],
  people: [
    'M3.25 5.25a2.25 2.25 0 1 0 4.5 0a2.25 2.25 0 1 0 -4.5 0',
    'M1.75 13c.3-2.2 1.8-3.5 3.75-3.5s3.45 1.3 3.75 3.5',
    'M10.5 3.2a2.25 2.25 0 0 1 0 4.1M11.25 9.7c1.6.3 2.7 1.5 3 3.3',
  ],
  key: ['M2.5 10.5a2.75 2.75 0 1 0 5.5 0a2.75 2.75 0 1 0 -5.5 0', 'm7.2 8.5 6-6M10.75 5l2 2'],
  globe: [
    'M2.25 8a5.75 5.75 0 1 0 11.5 0a5.75 5.75 0 1 0 -11.5 0',
    'M2.5 8h11M8 2.25c2 1.6 2.75 3.5 2.75 5.75S10 12.15 8 13.75M8 2.25C6 3.85 5.25 5.75 5.25 8S6 12.15 8 13.75',
  ],
  theme: ['M2.5 8a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0', 'M8 2.5a5.5 5.5 0 0 1 0 11z'],
} as const;

export type IconName = keyof typeof LINES;

/** A sign beside a word; alone it needs a label on what holds it. */
export function Icon({ name }: { readonly name: IconName }): ReactElement {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      {LINES[name].map((line) => (
        <path key={line} d={line} />
      ))}
    </svg>
  );
}

/** The product's mark: lines of a text, one of them marked. */
export function Wordmark(): ReactElement {
  return (
    <span className="word">
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path className="pen" d="M2 9.75h12.5" />
        <path d="M3.5 5h13M3.5 9.75h9.5M3.5 14.5h13" />
      </svg>
      Knowledge base
    </span>
  );
}
