import { collectLines } from '../output/flow.js';
import { FlowWriter } from '../output/flow-writer.js';
import type { ParseOutput } from '../output/parse-output.js';
import { reportStruckOut } from '../output/struck-out.js';
import type { HiddenPolicy } from '../sheets/hidden-cells.js';
import { HiddenSlides } from '../slides/hidden-slides.js';
import type { FormatParser, FormatResult } from './format-parser.js';
import { readDrawings, writeDrawing } from './ooxml/drawings.js';
import { OoxmlPackage, type Relation } from './ooxml/ooxml-package.js';
import { readBulletStyles, type BulletStyles } from './pptx/bullet-styles.js';
import { readAuthors, readComments } from './pptx/slide-comments.js';
import { SlideReader } from './pptx/slide-reader.js';

/**
 * PPTX and its variants: slides in the order of the presentation, each a page, hidden ones as the policy says; title, shapes, tables and values of charts,
 * then notes and comments. Texts of masters and layouts stay out; a footer is written where it first appears.
 */
export const parsePptx: FormatParser = async (input, output) => {
  const parts = await OoxmlPackage.open(input.path, input.sizeBytes);
  try {
    return await new Presentation(parts, output, input.options.hidden).read();
  } finally {
    parts.close();
  }
};

class Presentation {
  private readonly parts: OoxmlPackage;
  private readonly flow: FlowWriter;
  private readonly styles = new Map<string, BulletStyles>();
  private readonly footers = new Set<string>();
  private struckCharacters = 0;
  private readonly counts = { images: 0, slides_missing: 0, notes_and_comments: 0 };
  private authors: ReadonlyMap<string, string> = new Map();

  private readonly hidden: HiddenSlides;

  constructor(parts: OoxmlPackage, output: ParseOutput, hidden?: HiddenPolicy) {
    this.parts = parts;
    this.hidden = new HiddenSlides(output, hidden);
    this.flow = new FlowWriter(output);
  }

  async read(): Promise<FormatResult> {
    const main = await this.parts.mainPart('ppt/presentation.xml');
    const relations = await this.parts.relations(main);
    this.authors = await readAuthors(this.parts, relations);
    const slides: (string | undefined)[] = [];
    await this.parts.read(main, {
      open: (name, attributes) => {
        if (name === 'p:sldId') slides.push(relations.get(attributes['r:id'] ?? '')?.target);
      },
    });
    for (const [index, slide] of slides.entries()) {
      this.flow.beginPage(index + 1);
      if (slide === undefined) this.counts.slides_missing += 1;
      else await this.readSlide(slide);
      this.flow.finish();
      this.hidden.end();
    }
    const warnings = this.hidden.warnings();
    const struck = reportStruckOut(this.struckCharacters);
    const { slides_missing: missing } = this.counts;
    if (missing > 0) warnings.push({ code: 'PARTIAL_CONTENT', detail: `${missing} slides are missing in the file.` });
    return {
      pageCount: slides.length,
      title: this.flow.firstHeading ?? (await this.parts.title()),
      warnings: [...warnings, ...struck.warnings],
      fidelity: {
        slides: slides.length,
        tables: this.flow.tables,
        rows: this.flow.rows,
        hidden_slides: this.hidden.count,
        hidden_shapes: this.hidden.shapes,
        ...this.counts,
        ...struck.fidelity,
      },
    };
  }

  private async readSlide(name: string): Promise<void> {
    const relations = await this.parts.relations(name);
    const drawings = await readDrawings(this.parts, relations);
    const slide = new SlideReader(
      await this.stylesOf(relations),
      (id, flow) => {
        const drawing = drawings.get(id);
        if (drawing !== undefined) writeDrawing(flow, drawing);
      },
      this.hidden.policy === 'exclude',
    );
    await this.parts.read(name, slide);
    if (slide.isHidden && !this.hidden.begin()) return;
    if (!slide.isHidden) this.hidden.noteShapes(slide.hiddenTexts);
    if (slide.titles.length > 0) this.flow.paragraph({ kind: 'heading', level: 1 }, slide.titles.join(' '));
    slide.body.replay(this.flow);
    this.counts.images += slide.images;
    this.struckCharacters += slide.struckCharacters;
    this.writeFooters(slide.footers);
    await this.writeNotes(targetOf(relations, 'notesSlide'));
    for (const { type, target } of relations.values()) {
      if (type !== 'comments') continue;
      for (const text of await readComments(this.parts, target, this.authors)) this.writeRemark(text);
    }
  }

  private writeFooters(footers: readonly string[]): void {
    for (const footer of footers) {
      if (this.footers.has(footer)) continue;
      this.footers.add(footer);
      this.flow.paragraph({ kind: 'paragraph' }, footer);
    }
  }

  private async writeNotes(name: string | undefined): Promise<void> {
    if (name === undefined) return;
    const notes = new SlideReader(undefined, () => undefined);
    await this.parts.read(name, notes);
    const lines: string[] = [];
    notes.body.replay(collectLines(lines));
    if (lines.length > 0) this.writeRemark(`Notes: ${lines.join('\n')}`);
  }

  private writeRemark(text: string): void {
    this.counts.notes_and_comments += 1;
    this.flow.paragraph({ kind: 'paragraph' }, text);
  }

  /** Layouts are shared by many slides. */
  private async stylesOf(relations: ReadonlyMap<string, Relation>): Promise<BulletStyles | undefined> {
    const layout = targetOf(relations, 'slideLayout');
    if (layout === undefined) return undefined;
    let styles = this.styles.get(layout);
    if (styles === undefined) {
      const master = targetOf(await this.parts.relations(layout), 'slideMaster');
      const outer = master === undefined ? undefined : await this.masterStyles(master);
      styles = await readBulletStyles(this.parts, layout, outer);
      this.styles.set(layout, styles);
    }
    return styles;
  }

  private async masterStyles(master: string): Promise<BulletStyles> {
    const styles = this.styles.get(master) ?? (await readBulletStyles(this.parts, master));
    this.styles.set(master, styles);
    return styles;
  }
}

function targetOf(relations: ReadonlyMap<string, Relation>, type: string): string | undefined {
  for (const relation of relations.values()) if (relation.type === type) return relation.target;
  return undefined;
}
