import type { SheetWriter } from '../../sheets/sheet-writer.js';
import { readDrawings } from '../ooxml/drawings.js';
import type { OoxmlPackage } from '../ooxml/ooxml-package.js';
import { ShapeDescription } from '../ooxml/shape-description.js';

/** Writes the text of shapes and charts, and the alternative texts of drawings, that lie over a sheet; answers the number of images. */
export async function writeSheetDrawing(parts: OoxmlPackage, name: string, writer: SheetWriter): Promise<number> {
  const drawings = await readDrawings(parts, await parts.relations(name));
  const description = new ShapeDescription();
  const descriptions: string[] = [];
  const texts: string[] = [];
  let images = 0;
  let isText = false;
  await parts.read(name, {
    open: (element, attributes) => {
      description.open(element, attributes);
      isText = element === 'a:t';
      if (element === 'xdr:pic') images += 1;
      else if (element === 'xdr:txBody') texts.push('');
    },
    close: (element) => {
      isText = false;
      const words = description.close(element);
      if (words !== '') descriptions.push(words);
      if (element === 'a:p' && texts.length > 0) texts[texts.length - 1] += ' ';
    },
    text: (text) => {
      if (isText && texts.length > 0) texts[texts.length - 1] += text;
    },
  });
  for (const text of texts) writer.paragraph(text);
  for (const words of descriptions) writer.paragraph(words, 'caption');
  for (const { titles, rows, items } of drawings.values()) {
    for (const text of [...titles, ...items.map((item) => item.text)]) writer.paragraph(text);
    writer.freeTable(rows);
  }
  return images;
}
