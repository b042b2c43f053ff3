import type { House } from './house.js';
import {
  chosenMembers,
  code,
  adviceAction,
  caseSet,
  deletion,
  endedKey,
  evaluating,
  expired,
  filters,
  found,
  invite,
  keptCase,
  link,
  losingFiles,
  madeKey,
  mended,
  newDataset,
  newKey,
  ownShare,
  removal,
  remark,
  rename,
  revoking,
  role,
  searchFilters,
  selection,
  sharing,
  sideBySide,
  tags,
  tray,
  undo,
  wrongPassword,
  type Opening,
} from './openings.js';

/** A screen of the console: what every proof of test/browser/console-*.spec.ts needs to know of it. */
export interface ConsoleScreen {
  readonly name: string;
  /** Its route in console/src as it is there; none where it is at every address. */
  readonly route: string | undefined;
  readonly address: (house: House) => string;
  /** Selector of what must be visible. */
  readonly shows: string;
  /** The least role that is shown it; others read that they are not. Who is not signed in is at the door. */
  readonly role: 'nobody' | 'viewer' | 'editor' | 'admin';
  readonly opens?: readonly Opening[];
}

const query = (values: Readonly<Record<string, string>>): string => new URLSearchParams(values).toString();
const inDataset =
  (tab: string) =>
  ({ datasetId }: House): string =>
    `/d/${datasetId}/${tab}`;

/** Every screen, in the order of a first visit. A new one is a line more: the browser tests go through all of it. */
export const SCREENS: readonly ConsoleScreen[] = [
  {
    name: 'sign-in',
    route: undefined,
    address: () => '/',
    shows: 'main input[type=password]',
    role: 'nobody',
    opens: [wrongPassword],
  },
  {
    name: 'invitation',
    route: '/invitation',
    address: ({ invitation }) => `/invitation#${invitation}`,
    shows: 'main input[type=password]',
    role: 'nobody',
  },
  { name: 'start', route: '/', address: () => '/', shows: 'main textarea', role: 'viewer', opens: [newDataset] },
  {
    name: 'ask everything',
    route: '/ask',
    address: ({ question }) => `/ask?${query({ q: question })}`,
    shows: 'main .actions',
    role: 'viewer',
  },
  {
    name: 'ask',
    route: '/d/:id/ask',
    address: (house) => `${inDataset('ask')(house)}?${query({ q: house.question })}`,
    shows: 'main .actions',
    role: 'viewer',
    opens: [remark, sharing],
  },
  {
    name: 'conversations',
    route: '/conversations',
    address: () => '/conversations',
    shows: 'main li, main .empty',
    role: 'viewer',
    opens: [rename],
  },
  {
    name: 'documents',
    route: '/d/:id/documents',
    address: inDataset('documents'),
    shows: '[role=rowgroup] [role=gridcell]',
    role: 'viewer',
    opens: [filters, selection, tags, undo, tray, losingFiles],
  },
  {
    name: 'documents of none',
    route: '/d/:id/documents',
    address: ({ emptyId }) => `/d/${emptyId}/documents`,
    shows: 'main .empty',
    role: 'editor',
  },
  {
    name: 'document',
    route: '/d/:id/documents/:document',
    address: ({ datasetId, hostile }) => `/d/${datasetId}/documents/${hostile[0]!.id}?from=0&to=20`,
    shows: 'main mark',
    role: 'viewer',
    opens: [found],
  },
  {
    name: 'document that is a PDF',
    route: '/d/:id/documents/:document',
    address: ({ datasetId, pdfId }) => `/d/${datasetId}/documents/${pdfId}?from=0&to=30&page=1`,
    shows: 'main [data-cited]',
    role: 'viewer',
  },
  {
    name: 'document that is a sheet',
    route: '/d/:id/documents/:document',
    address: ({ sheet }) => `/d/${sheet.datasetId}/documents/${sheet.id}?from=0&to=10`,
    shows: 'main table',
    role: 'viewer',
  },
  {
    name: 'document that failed',
    route: '/d/:id/documents/:document',
    address: ({ datasetId, failedId }) => `/d/${datasetId}/documents/${failedId}`,
    shows: 'main aside',
    role: 'viewer',
    opens: [mended],
  },
  {
    name: 'document in quarantine',
    route: '/d/:id/documents/:document',
    address: ({ sheet, heldId }) => `/d/${sheet.datasetId}/documents/${heldId}`,
    shows: 'header .note',
    role: 'viewer',
  },
  {
    name: 'search',
    route: '/d/:id/search',
    address: (house) => `${inDataset('search')(house)}?${query({ q: house.words })}`,
    shows: 'main ol mark',
    role: 'editor',
    opens: [searchFilters, code, keptCase, sideBySide, expired],
  },
  {
    name: 'why',
    route: '/d/:id/why',
    address: (house) => `${inDataset('why')(house)}?${query({ q: house.words, text: house.missing })}`,
    shows: 'main ol',
    role: 'editor',
  },
  {
    name: 'why, before anything is named',
    route: '/d/:id/why',
    address: (house) => `${inDataset('why')(house)}?${query({ q: house.words, path: 'nowhere/' })}`,
    shows: 'main ol [data-stage=filters]',
    role: 'editor',
  },
  {
    name: 'quality',
    route: '/d/:id/quality',
    address: inDataset('quality'),
    shows: 'main section h2',
    role: 'editor',
    opens: [adviceAction, keptCase, caseSet, evaluating],
  },
  {
    name: 'evaluation',
    route: '/d/:id/evaluations/:job',
    address: ({ datasetId, evaluationId }) => `/d/${datasetId}/evaluations/${evaluationId}`,
    shows: 'main table',
    role: 'editor',
  },
  {
    name: 'settings',
    route: '/d/:id/settings',
    address: inDataset('settings'),
    shows: 'main fieldset',
    role: 'editor',
    opens: [chosenMembers, deletion],
  },
  {
    name: 'people',
    route: '/people',
    address: () => '/people',
    shows: 'main li',
    role: 'admin',
    opens: [invite, link, role, removal],
  },
  {
    name: 'keys',
    route: '/keys',
    address: () => '/keys',
    shows: 'main li, main .empty',
    role: 'viewer',
    opens: [newKey, madeKey, endedKey],
  },
  {
    name: 'shared answer',
    route: '/answers/:id',
    address: ({ sharedId }) => `/answers/${sharedId}`,
    shows: 'main .actions',
    role: 'viewer',
    opens: [revoking],
  },
  {
    name: 'account',
    route: '/account',
    address: () => '/account',
    shows: 'main li',
    role: 'viewer',
    opens: [ownShare],
  },
];
