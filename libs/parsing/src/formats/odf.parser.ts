import { readFileChunks } from '../charset/file-chunks.js';
import { readXml } from '../xml/xml-reader.js';
import type { FormatParser } from './format-parser.js';
import type { Drawing } from './ooxml/drawings.js';
import { OdfChart } from './odf/odf-chart.js';
import { OdfContent } from './odf/odf-content.js';
import { ODF_NAMESPACES, OdfPackage } from './odf/odf-package.js';

/** More are left out. */
const MOST_CHARTS = 500;

/** OpenDocument texts, spreadsheets and presentations: one stream over content.xml; what it holds decides how it is read. */
export const parseOpenDocument: FormatParser = async (input, output) => {
  const parts = await OdfPackage.open(input.path, input.sizeBytes);
  try {
    const content = new OdfContent(output, await readCharts(parts), input.options.hidden);
    const { styles, margins } = content;
    await parts.read('styles.xml', {
      open: (name, attributes) => {
        styles.open(name, attributes);
        margins.open(name, attributes);
      },
      close: (name) => {
        styles.close(name);
        margins.close(name);
      },
      text: (text) => margins.text(text),
    });
    await parts.read('content.xml', content);
    const result = content.finish();
    return { ...result, title: (await parts.title()) ?? result.title };
  } finally {
    parts.close();
  }
};

/** The same as one XML file (`.fodt`, `.fods`, `.fodp`). Throws `MALFORMED`. */
export const parseFlatOpenDocument: FormatParser = async (input, output) => {
  const content = new OdfContent(output, new Map(), input.options.hidden);
  await readXml(readFileChunks(input.path), content, { namespaces: ODF_NAMESPACES, what: 'The file' });
  return content.finish();
};

/** Charts are objects of their own, each in a folder. */
async function readCharts(parts: OdfPackage): Promise<Map<string, Drawing>> {
  const charts = new Map<string, Drawing>();
  for (const folder of parts.objects()) {
    if (charts.size >= MOST_CHARTS) break;
    const chart = new OdfChart();
    await parts.read(`${folder}/content.xml`, chart);
    const drawing = chart.finish();
    if (drawing !== undefined) charts.set(folder, drawing);
  }
  return charts;
}
