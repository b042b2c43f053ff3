import type { ParseWarning } from '../document-parser.port.js';
import type { ParseOutput } from '../output/parse-output.js';
import { reportStruckOut } from '../output/struck-out.js';
import { HiddenReport, type HiddenPolicy } from '../sheets/hidden-cells.js';
import type {} from '../sheets/sheet-cell.js';
import { SheetWriter } from '../sheets/sheet-writer.js';
import type { FormatParser, FormatResult } from './format-parser.js';
import { OoxmlPackage, type Relation } from './ooxml/ooxml-package.js';
import { CellFormats } from './xlsx/cell-formats.js';
import { findMergedRanges } from './xlsx/merged-ranges.js';
import { SharedStrings } from './xlsx/shared-strings.js';
import { writeSheetDrawing } from './xlsx/sheet-drawings.js';
import { SheetReader } from './xlsx/sheet-reader.js';
import { readPersons, readRemarks } from './xlsx/sheet-remarks.js';

/**
 * XLSX and its variants: sheets in the order of the workbook, hidden ones included, as streams; numbers as they are shown,
 * results of formulas, then shapes, values of charts and comments. Memory grows with the distinct strings only.
 */
export const parseXlsx: FormatParser = async (input, output) => {
  const parts = await OoxmlPackage.open(input.path, input.sizeBytes);
  try {
    return await new Workbook(parts, output, input.options.hidden).read();
  } finally {
    parts.close();
  }
};

interface Sheet {
  name: string;
  part?: string;
  type?: string;
  isHidden: boolean;
}

class Workbook {
  private readonly parts: OoxmlPackage;
  private readonly output: ParseOutput;
  private readonly sheets: Sheet[] = [];
  private readonly counts = {
    sheets: 0,
    hidden_sheets: 0,
    tables: 0,
    rows: 0,
    cells: 0,
    images: 0,
    notes_and_comments: 0,
    formulas_without_value: 0,
    cells_with_errors: 0,
  };
  private date1904 = false;
  private struckCharacters = 0;

  private readonly hidden: HiddenReport;

  constructor(parts: OoxmlPackage, output: ParseOutput, hidden?: HiddenPolicy) {
    this.hidden = new HiddenReport(hidden);
    this.parts = parts;
    this.output = output;
  }

  async read(): Promise<FormatResult> {
    const main = await this.parts.mainPart('xl/workbook.xml');
    const relations = await this.parts.relations(main);
    await this.readSheetList(main, relations);
    const partOf = (type: string): string | undefined =>
      [...relations.values()].find((relation) => relation.type === type)?.target;
    const strings = await SharedStrings.read(this.parts, partOf('sharedStrings'));
    const formats = await CellFormats.read(this.parts, partOf('styles'), this.date1904);
    formats.takeLanguage(await this.parts.language(), strings.sample());
    const persons = await readPersons(this.parts, partOf('person'));
    for (const sheet of this.sheets) {
      if (sheet.part !== undefined) await this.readSheet(sheet, sheet.part, strings, formats, persons);
    }
    const struck = reportStruckOut(this.struckCharacters + strings.struckCharacters);
    return {
      title: await this.parts.title(),
      warnings: [...this.warnings(), ...struck.warnings],
      fidelity: { ...this.counts, ...this.hidden.counts, ...struck.fidelity },
    };
  }

  private async readSheetList(main: string, relations: ReadonlyMap<string, Relation>): Promise<void> {
    await this.parts.read(main, {
      open: (element, attributes) => {
        if (element === 'workbookPr') this.date1904 = /^(?:1|true)$/.test(attributes['date1904'] ?? '');
        if (element !== 'sheet') return;
        const relation = relations.get(attributes['r:id'] ?? '');
        const isHidden = (attributes['state'] ?? 'visible') !== 'visible';
        this.sheets.push({ name: attributes['name'] ?? '', part: relation?.target, type: relation?.type, isHidden });
        if (isHidden) this.counts.hidden_sheets += 1;
      },
    });
    this.counts.sheets = this.sheets.length;
  }

  private async readSheet(
    { name, type, isHidden }: Sheet,
    part: string,
    strings: SharedStrings,
    formats: CellFormats,
    persons: ReadonlyMap<string, string>,
  ): Promise<void> {
    const isGrid = type === 'worksheet';
    const merges = isGrid ? await findMergedRanges(this.parts.stream(part)) : [];
    const hidden = this.hidden.sheet(isHidden);
    const writer = new SheetWriter(this.output, name, merges, hidden);
    if (isGrid) {
      const reader = new SheetReader(writer, strings, formats, hidden);
      await this.parts.read(part, reader);
      this.counts.formulas_without_value += reader.counts.formulas_without_value;
      this.struckCharacters += reader.counts.struck_characters;
      this.counts.cells_with_errors += reader.counts.cells_with_errors;
    }
    if (isHidden && hidden.excludes) return this.finish(writer);
    const relations = await this.parts.relations(part);
    for (const relation of relations.values()) {
      if (relation.type !== 'drawing' || relation.target === undefined) continue;
      this.counts.images += await writeSheetDrawing(this.parts, relation.target, writer);
    }
    const remarks = await readRemarks(this.parts, relations, persons);
    for (const text of remarks) writer.paragraph(text);
    this.counts.notes_and_comments += remarks.length;
    this.finish(writer);
  }

  private finish(writer: SheetWriter): void {
    writer.finish();
    this.counts.tables += writer.counts.tables;
    this.counts.rows += writer.counts.rows;
    this.counts.cells += writer.counts.cells;
  }

  private warnings(): ParseWarning[] {
    const missing = this.sheets.filter(({ part }) => part === undefined).length;
    const warnings = this.hidden.warnings();
    if (missing > 0) warnings.push({ code: 'PARTIAL_CONTENT', detail: `${missing} sheets are missing in the file.` });
    const { formulas_without_value: formulas } = this.counts;
    if (formulas > 0) {
      const detail = `${formulas} formulas were saved without a result; open the file in a spreadsheet program and save it.`;
      warnings.push({ code: 'FORMULAS_NOT_CALCULATED', detail });
    }
    return warnings;
  }
}
