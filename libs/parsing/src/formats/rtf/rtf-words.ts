/** Control words that represent a character. */
export const CHARACTERS: Readonly<Record<string, string>> = {
  tab: '\t',
  line: '\n',
  lbr: '\n',
  softline: '\n',
  bullet: '•',
  endash: '–',
  emdash: '—',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  zwj: '\u200d',
  zwnj: '\u200c',
  ltrmark: '',
  rtlmark: '',
};

/** Groups without text of the document; those that begin with the sign for the ignorable need no mention. */
export const SKIPPED_GROUPS = new Set(
  (
    'colortbl pict header headerl headerr headerf footer footerl footerr footerf filetbl revtbl listtable ' +
    'listoverridetable rsidtbl generator xe tc txe rxe bkmkstart bkmkend themedata colorschememapping datastore ' +
    'latentstyles datafield fldinst nonshppict sn sv private objdata objclass objname xmlnstbl author operator company ' +
    'manager subject keywords doccomm comment hlinkbase category creatim revtim printim buptim ftnsep ftnsepc aftnsep ' +
    'aftnsepc ftncn aftncn pgptbl mmathPr pnseclvl pn nextfile template userprops falt panose fontemb fontfile'
  ).split(' '),
);

/** Ignorable groups that hold text after all. */
export const READ_IGNORABLE = new Set(
  'shppict shpinst annotation atnauthor ud nesttableprops moMath mr pntext'.split(' '),
);

/** Frames with paragraphs of their own in the middle of a paragraph. */
export const FRAMES = new Set(['shptxt', 'dptxbxtext']);
