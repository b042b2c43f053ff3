import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ParserAnswer } from '../child/protocol.js';
import type { ParsedDocument, ParseRequest } from '../document-parser.port.js';
import { BLOCKS_FILE_NAME, TEXT_FILE_NAME } from '../output/parse-output.js';
import { ParseError } from '../parse-error.js';
import type { LocateRequest } from '../places/page-places.js';
import { INCONSISTENT } from '../places/trusted-places.js';
import { isShortText } from '../read-segments.js';
import { trustedReport } from '../trusted-report.js';
import { Exchange } from '../sandbox/exchange.js';
import { INPUT_FOLDER, OUTPUT_FOLDER } from '../sandbox/mount-table.js';
import type { Isolation } from '../sandbox/sandbox.js';
import { childCommand, type ChildCommand } from './child-command.js';
import { ParserChild, type RunLimits } from './parser-child.js';
import type { ParserPoolOptions } from './pool-options.js';

const INPUT_NAME = 'input';

type OnEnd = (child: ContainedChild) => void;

/** A child process with the exchange folder through which it gets files and gives texts, in a sandbox if there is one. */
export class ContainedChild {
  readonly process: ParserChild;
  private readonly exchange: Exchange;
  /** The exchange folders as the child names them. */
  private readonly input: string;
  private readonly output: string;

  private removal: Promise<void> | undefined;

  private constructor(exchange: Exchange, command: ChildCommand, isContained: boolean, onEnd: OnEnd) {
    this.exchange = exchange;
    this.input = isContained ? INPUT_FOLDER : exchange.input;
    this.output = isContained ? OUTPUT_FOLDER : exchange.output;
    this.process = new ParserChild(command, () => {
      void this.removeFolder();
      onEnd(this);
    });
  }

  /** Starts a child; `onEnd` is called when it has ended. */
  static async start(options: ParserPoolOptions, isolation: Isolation, onEnd: OnEnd): Promise<ContainedChild> {
    const exchange = await Exchange.open(options.workFolder);
    if (isolation.kind === 'limits') return new ContainedChild(exchange, childCommand(options), false, onEnd);
    const { sandbox } = isolation;
    await sandbox.furnish(exchange);
    return new ContainedChild(exchange, childCommand(options, { sandbox, exchange }), true, onEnd);
  }

  /** Parses one file; the texts lie in the work directory of the request afterwards. Rejects like `ParserChild.run`. */
  run(request: ParseRequest, limits: RunLimits): Promise<ParserAnswer> {
    return this.withFile(request.path, async (path) => {
      const inside = { ...request, path, workDirectory: this.output };
      const answer = await this.process.run({ type: 'parse', request: inside }, limits);
      if (answer.type !== 'parsed') return answer;
      return { ...answer, document: await this.takeOver(answer.document, request.workDirectory) };
    });
  }

  /** Looks for a text on a page of one file. Rejects like `ParserChild.run`. */
  locate(request: LocateRequest, limits: RunLimits): Promise<ParserAnswer> {
    return this.withFile(request.path, (path) =>
      this.process.run({ type: 'locate', request: { ...request, path }, folder: this.output }, limits),
    );
  }

  private async withFile<T>(path: string, work: (inside: string) => Promise<T>): Promise<T> {
    try {
      await this.exchange.give(path, INPUT_NAME);
      return await work(join(this.input, INPUT_NAME));
    } finally {
      // The folder of a child that ends is removed as a whole.
      if (this.process.isAlive) await this.exchange.clear();
    }
  }

  /** Resolves when the process has gone and its folder with it. */
  async whenEnded(): Promise<void> {
    await this.process.whenEnded();
    await this.removeFolder();
  }

  private removeFolder(): Promise<void> {
    // What cannot be removed now is removed at a later start, by its age.
    this.removal ??= this.exchange.remove().catch(() => undefined);
    return this.removal;
  }

  /** The child is not trusted: its answer must name the files it was told to write, with the length it claims, and facts. */
  private async takeOver(document: ParsedDocument, workDirectory: string): Promise<ParsedDocument> {
    const textPath = join(workDirectory, TEXT_FILE_NAME);
    const blocksPath = join(workDirectory, BLOCKS_FILE_NAME);
    const isRight =
      document.textPath === join(this.output, TEXT_FILE_NAME) &&
      document.blocksPath === join(this.output, BLOCKS_FILE_NAME) &&
      (document.short === undefined
        ? (await this.exchange.take(TEXT_FILE_NAME, textPath)) &&
          (await this.exchange.take(BLOCKS_FILE_NAME, blocksPath)) &&
          (await stat(textPath)).size === document.textLength * 2
        : isShortText(document.short, document.textLength));
    if (!isRight) throw new ParseError('PARSER_CRASHED', INCONSISTENT);
    return { ...trustedReport(document), textPath, blocksPath };
  }
}
