import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { ConversionNeeded } from '../conversion/conversion-needed.js';
import { useFormats } from '../formats/use-formats.js';
import type { ParsedDocument } from '../document-parser.port.js';
import { ParseError } from '../parse-error.js';
import { SMALL_BLOCKS_BYTES, SMALL_UNITS } from '../read-segments.js';
import { locateInFile } from '../places/locate-text.js';
import '../programs/run-program.js';
import { blockNetwork } from './block-network.js';
import { parseDocument } from './parse-document.js';
import type { ChildUsage, ParserAnswer, ParserCommand, ParserTask } from './protocol.js';

/**
 * Entry of the limited child process. Takes one command after the other over the IPC channel, answers with data, and ends
 * when its parent goes away. It has an empty environment and no network; its limits are set by the parent.
 * `run-program` is imported here so that it is loaded before programs are blocked for everybody else.
 */
blockNetwork();
process.on('disconnect', () => process.exit(0));
process.on('message', (command: ParserCommand) => {
  void answer(command).then((message) => process.send?.(message));
});

async function answer({ id, formats, ...task }: ParserCommand): Promise<ParserAnswer> {
  try {
    if (task.type === 'locate') {
      return { type: 'located', id, places: await locateInFile(task.request, task.folder), usage: usage() };
    }
    const { request } = task;
    useFormats(formats);
    return { type: 'parsed', id, document: withShortText(await parseDocument(request)), usage: usage() };
  } catch (error) {
    if (error instanceof ConversionNeeded) {
      return { type: 'conversion', id, conversion: error.conversion, error: error.toData(), usage: usage() };
    }
    return { type: 'failed', id, error: asParseError(error, task).toData(), usage: usage() };
  }
}

/** With the text of a short document in the answer: to move two files out of the sandbox takes the parent longer. */
function withShortText(document: ParsedDocument): ParsedDocument {
  const { textPath, blocksPath, textLength } = document;
  if (textLength > SMALL_UNITS || statSync(blocksPath).size > SMALL_BLOCKS_BYTES) return document;
  const short = { text: readFileSync(textPath, 'utf16le'), blocks: readFileSync(blocksPath, 'utf8') };
  for (const path of [textPath, blocksPath]) rmSync(path);
  return { ...document, short };
}

/** What a library throws for bad input is the file's fault; a failed allocation is the limit's. */
function asParseError(error: unknown, task: ParserTask): ParseError {
  if (error instanceof ParseError) return error;
  if (error instanceof RangeError && /allocation failed|Invalid string length/i.test(error.message)) {
    return new ParseError(
      'PARSER_MEMORY',
      'The document needs more memory than a parser may use; split it into smaller files.',
    );
  }
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'ENOSPC' || code === 'ENOENT' || code === 'EACCES' || code === 'EIO') {
    return new ParseError('PARSER_CRASHED', `The parser could not access its files (${code}).`, { retryable: true });
  }
  const name = task.type === 'parse' ? task.request.fileName : 'The file';
  return new ParseError('MALFORMED', `${name} is damaged and cannot be read; save it again and upload that.`);
}

function usage(): ChildUsage {
  const { user, system } = process.cpuUsage();
  return { cpuSeconds: (user + system) / 1e6, rssBytes: residentBytes() };
}

/** A sandbox may have no /proc: the peak represents what is resident now. */
function residentBytes(): number {
  return existsSync('/proc/self/stat') ? process.memoryUsage.rss() : process.resourceUsage().maxRSS * 1024;
}
