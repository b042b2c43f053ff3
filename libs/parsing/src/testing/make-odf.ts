import { makePackage, type Parts } from './make-ooxml.js';

const BASE = 'urn:oasis:names:tc:opendocument:xmlns:';
const NAMESPACES = [
  ...'office text table draw presentation style meta chart'
    .split(' ')
    .map((prefix) => `xmlns:${prefix}="${BASE}${prefix}:1.0"`),
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  `xmlns:svg="${BASE}svg-compatible:1.0"`,
  `xmlns:fo="${BASE}xsl-fo-compatible:1.0"`,
].join(' ');

/** A kind of OpenDocument file. */
export type OdfKind = 'text' | 'spreadsheet' | 'presentation';

/** An OpenDocument file with this body; `styles` are the automatic styles in front of it. */
export function makeOdf(kind: OdfKind, body: string, styles = '', parts: Parts = {}): Buffer {
  return makePackage({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'META-INF/manifest.xml': '<manifest:manifest xmlns:manifest="urn:x"/>',
    'content.xml': odfPart(
      'office:document-content',
      `<office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body>`,
    ),
    ...parts,
  });
}

/** The same as one XML file. */
export function makeFlatOdf(kind: OdfKind, body: string, styles = ''): string {
  return odfPart(
    'office:document',
    `<office:meta><dc:title>Flat</dc:title></office:meta><office:settings>words</office:settings><office:automatic-styles>${styles}</office:automatic-styles>` +
      `<office:master-styles><text:p>Header</text:p></office:master-styles><office:body><office:${kind}>${body}</office:${kind}></office:body>`,
  );
}

/** A part of an OpenDocument file. */
export function odfPart(name: string, content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><${name} ${NAMESPACES}>${content}</${name}>`;
}
