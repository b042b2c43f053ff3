/** Families of names with the path that their URIs have in the transitional and in the strict variant of the standard. */
const FAMILIES: readonly (readonly [prefix: string, path: string])[] = [
  ['w', 'wordprocessingml/main'],
  ['', 'spreadsheetml/main'],
  ['p', 'presentationml/main'],
  ['a', 'drawingml/main'],
  ['c', 'drawingml/chart'],
  ['dgm', 'drawingml/diagram'],
  ['wp', 'drawingml/wordprocessingDrawing'],
  ['xdr', 'drawingml/spreadsheetDrawing'],
  ['pic', 'drawingml/picture'],
  ['m', 'officeDocument/math'],
  ['r', 'officeDocument/relationships'],
];

const OTHERS: Readonly<Record<string, string>> = {
  'http://schemas.openxmlformats.org/package/2006/relationships': '',
  'http://schemas.openxmlformats.org/markup-compatibility/2006': 'mc',
  'http://purl.org/dc/elements/1.1/': 'dc',
  'http://schemas.microsoft.com/office/powerpoint/2018/8/main': 'p188',
  'http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments': '',
  'http://schemas.microsoft.com/office/drawing/2014/chartex': 'cx',
  'http://schemas.microsoft.com/office/drawing/2017/decorative': 'adec',
  'urn:schemas-microsoft-com:vml': 'v',
};

/** The prefixes under which readers of Office Open XML know their names; spreadsheets and relations have none. */
export const OOXML_NAMESPACES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    FAMILIES.flatMap(([prefix, path]) => [
      [`http://schemas.openxmlformats.org/${transitional(path)}`, prefix],
      [`http://purl.oclc.org/ooxml/${path}`, prefix],
    ]),
  ),
  ...OTHERS,
};

/** `drawingml/chart` is `drawingml/2006/chart` in the older variant. */
function transitional(path: string): string {
  return path.replace('/', '/2006/');
}
