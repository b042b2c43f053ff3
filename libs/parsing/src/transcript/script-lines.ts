/** Fields of an event when the file does not name them, as programs have written them for twenty years. */
const USUAL_FIELDS = ['layer', 'start', 'end', 'style', 'name', 'marginl', 'marginr', 'marginv', 'effect', 'text'];
const EVENT = /^Dialogue:\s?(.*)$/i;
const FORMAT = /^Format:(.*)$/i;
/** Shapes are drawn by letters and numbers, which say nothing. */
const DRAWS = /\\p[1-9]/;
const MAX_NAME_UNITS = 60;

/** Turns the lines of a subtitle script (`.ass`, `.ssa`) into those of cues. Styles, comments and drawings are left out. */
export class ScriptLines {
  private fields: readonly string[] = USUAL_FIELDS;
  private isInEvents = false;

  /** The lines of the cue that a line of the script is; none for all others. */
  cueOf(line: string): string[] {
    const section = /^\uFEFF?\[([^\]]{1,60})\]\s*$/.exec(line)?.[1];
    if (section !== undefined) this.isInEvents = section.toLowerCase() === 'events';
    if (!this.isInEvents) return [];
    const format = FORMAT.exec(line)?.[1];
    if (format !== undefined) this.fields = format.split(',').map((field) => field.trim().toLowerCase());
    const event = EVENT.exec(line)?.[1];
    return event === undefined ? [] : this.readEvent(event);
  }

  /** The text is the last field, and may have commas. */
  private readEvent(event: string): string[] {
    const parts = event.split(',');
    const value = (name: string): string => parts[this.fields.indexOf(name)]?.trim() ?? '';
    const text = parts.slice(this.fields.length - 1).join(',');
    const words = text
      .replace(/\{[^{}]*\}/g, '')
      .replace(/\\[nN]/g, '\n')
      .replaceAll('\\h', ' ');
    if (DRAWS.test(text) || !/\S/.test(words)) return [];
    const speaker = value('name').replace(/[<>&]/g, ' ').trim().slice(0, MAX_NAME_UNITS);
    const lines = words.split('\n').filter((line) => /\S/.test(line));
    if (speaker !== '') lines[0] = `<v ${speaker}>${lines[0]!}`;
    return [`${value('start')} --> ${value('end')}`, ...lines, ''];
  }
}
