import type { FlatRecord } from '../tabular/record-table.js';
import { plainValue, valueParts, type ContentLine } from './content-line.js';

/** How a property reads, and under which name. */
interface Property {
  readonly label: string;
  readonly read: (line: ContentLine) => string;
}

const text = (label: string): Property => ({ label, read: ({ value }) => plainValue(value) });
const parts = (label: string, between = ', '): Property => ({
  label,
  read: ({ value }) => valueParts(value).join(between),
});
const time = (label: string): Property => ({ label, read: ({ value }) => readableTime(value) });
const times = (label: string): Property => ({
  label,
  read: ({ value }) => value.split(',').map(readableTime).join(', '),
});
const person = (label: string): Property => ({
  label,
  read: ({ value, parameters }) => {
    const address = value.replace(/^mailto:/i, '').trim();
    const name = parameters.get('CN') ?? '';
    return name === '' || name === address ? address : `${name} <${address}>`;
  },
});

/** What people read of calendars and contacts; keys, pictures and what programs note for each other is left out. */
const PROPERTIES: Readonly<Record<string, Property>> = {
  SUMMARY: text('Summary'),
  DTSTART: time('Start'),
  DTEND: { label: 'End', read: lastDay },
  DUE: time('Due'),
  DURATION: text('Duration'),
  LOCATION: text('Location'),
  DESCRIPTION: text('Description'),
  RRULE: text('Repeats'),
  RDATE: times('Also on'),
  EXDATE: times('Not on'),
  'RECURRENCE-ID': time('Instead of'),
  STATUS: text('Status'),
  ORGANIZER: person('Organizer'),
  ATTENDEE: person('Attendees'),
  COMMENT: text('Comment'),
  FN: text('Name'),
  NICKNAME: text('Nickname'),
  ORG: parts('Organization'),
  TITLE: text('Title'),
  ROLE: text('Role'),
  TEL: { label: 'Phone', read: ({ value }) => plainValue(value.replace(/^tel:/i, '')) },
  EMAIL: text('Email'),
  ADR: parts('Address'),
  BDAY: time('Birthday'),
  ANNIVERSARY: time('Anniversary'),
  CATEGORIES: text('Categories'),
  URL: text('Address on the web'),
  NOTE: text('Note'),
};

/** What is one record. */
const RECORDS: ReadonlySet<string> = new Set(['VEVENT', 'VTODO', 'VJOURNAL', 'VCARD']);
const NAME_PARTS_LABEL = 'Name';
/** What a person calls the address or number of the same group. */
const OWN_LABEL = 'X-ABLABEL';
const ZONE_LABEL = 'Time zone';
/** Values of one property. */
const MOST_VALUES = 200;

/** A value, and the group that may have a label of its own. */
interface GroupedValue {
  readonly text: string;
  readonly group?: string | undefined;
}

/** Collects properties into records: events, tasks and journals of calendars, and contacts. What is inside of them (alarms) is left out. */
export class ComponentReader {
  records = 0;
  private readonly tell: (record: FlatRecord, kind: string) => void;
  private readonly open: string[] = [];
  private values = new Map<string, GroupedValue[]>();
  /** Labels by group. */
  private ownLabels = new Map<string, string>();
  private fullName: string | undefined;

  constructor(tell: (record: FlatRecord, kind: string) => void) {
    this.tell = tell;
  }

  take(line: ContentLine): void {
    if (line.name === 'BEGIN') this.begin(line.value.trim().toUpperCase());
    else if (line.name === 'END') this.end();
    else if (RECORDS.has(this.open.at(-1) ?? '')) this.takeProperty(line);
  }

  /** Ends a record that the file cuts off. */
  finish(): void {
    while (this.open.length > 0) this.end();
  }

  private begin(kind: string): void {
    this.open.push(kind);
    if (!RECORDS.has(kind)) return;
    this.values = new Map();
    this.ownLabels = new Map();
    this.fullName = undefined;
  }

  private end(): void {
    const kind = this.open.pop();
    if (kind === undefined || !RECORDS.has(kind)) return;
    if (this.fullName !== undefined && !this.values.has(NAME_PARTS_LABEL)) {
      this.values = new Map([[NAME_PARTS_LABEL, [{ text: this.fullName }]], ...this.values]);
    }
    if (this.values.size === 0) return;
    this.records += 1;
    this.tell(
      new Map(
        [...this.values].map(([label, values]) => [label, values.map((value) => this.labelled(value)).join(', ')]),
      ),
      kind,
    );
    this.values = new Map();
  }

  private takeProperty(line: ContentLine): void {
    if (line.name === OWN_LABEL) this.takeOwnLabel(line);
    if (line.name === 'N') this.fullName = nameOf(line.value);
    const property = Object.hasOwn(PROPERTIES, line.name) ? PROPERTIES[line.name]! : undefined;
    if (property === undefined) return;
    this.add(property.label, property.read(line), line.group);
    if (line.name === 'DTSTART') this.add(ZONE_LABEL, zoneOf(line));
  }

  private add(label: string, words: string, group?: string): void {
    const values = this.values.get(label) ?? [];
    if (words === '' || values.length >= MOST_VALUES) return;
    this.values.set(label, [...values, { text: words, group }]);
  }

  /** `_$!<Work>!$_` is a label that the program knows in every language. */
  private takeOwnLabel({ group, value }: ContentLine): void {
    const label = plainValue(value).replace(/^_\$!<(.*)>!\$_$/, '$1');
    if (group !== undefined && label !== '' && this.ownLabels.size < MOST_VALUES) this.ownLabels.set(group, label);
  }

  private labelled({ text: words, group }: GroupedValue): string {
    const label = group === undefined ? undefined : this.ownLabels.get(group);
    return label === undefined ? words : `${words} (${label})`;
  }
}

/** `Quist;Zoë;M.;;` as it is spoken. */
function nameOf(value: string): string | undefined {
  const [family = '', given = '', ...others] = value.split(/(?<!\\);/).map(plainValue);
  const name = [given, others[0] ?? '', family].filter((part) => part !== '').join(' ');
  return name === '' ? undefined : name;
}

function zoneOf({ value, parameters }: ContentLine): string {
  return parameters.get('TZID') ?? (/Z\s*$/.test(value) ? 'UTC' : '');
}

/** `20250612T093000` as `2025-06-12 09:30`; anything else as it is. */
function readableTime(value: string): string {
  const found = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?Z?)?$/.exec(value.trim());
  if (found === null) return plainValue(value);
  const [, year, month, day, hours, minutes] = found;
  return `${year}-${month}-${day}${hours === undefined ? '' : ` ${hours}:${minutes}`}`;
}

/** A day that ends an event is the first one behind it (RFC 5545, 3.6.1): people say the last one. */
function lastDay({ value }: ContentLine): string {
  const found = /^(\d{4})(\d{2})(\d{2})$/.exec(value.trim());
  if (found === null) return readableTime(value);
  const [, year, month, day] = found;
  const before = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day) - 1));
  return Number.isNaN(before.getTime()) ? readableTime(value) : before.toISOString().slice(0, 10);
}
