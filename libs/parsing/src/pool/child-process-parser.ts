import { statSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DEFAULT_ARCHIVE_LIMITS } from '../archive/preflight.js';
import type { ParseAnswer } from '../child/protocol.js';
import { withConverted } from '../conversion/convert-office.js';
import { findOffice } from '../conversion/find-office.js';
import { DocumentParser, type ParsedDocument, type ParseRequest } from '../document-parser.port.js';
import { BLOCKS_FILE_NAME, TEXT_FILE_NAME } from '../output/parse-output.js';
import { ParseError } from '../parse-error.js';
import { childCommand } from './child-command.js';
import { ParserChild } from './parser-child.js';
import { DEFAULT_POOL_OPTIONS, deadlineOf, type ParserPoolOptions } from './pool-options.js';
import { Slots } from './slots.js';

/** A child is replaced when it has used this part of its processor time, so that the rest suffices for any one file. */
const CPU_SHARE_BEFORE_REPLACEMENT = 0.5;

/** Parses in a pool of limited child processes; children start at need and end when idle. */
export class ChildProcessParser extends DocumentParser {
  private readonly options: ParserPoolOptions;
  private readonly slots: Slots;
  private readonly children = new Set<ParserChild>();
  private idle: { child: ParserChild; timer: NodeJS.Timeout }[] = [];
  private isClosed = false;

  constructor(options: Partial<ParserPoolOptions> = {}) {
    super();
    this.options = { ...DEFAULT_POOL_OPTIONS, ...options };
    this.slots = new Slots(this.options.poolSize);
  }

  /** Process ids of the living children, busy and idle. */
  get childPids(): number[] {
    return [...this.children].flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  override async parse(given: ParseRequest, { signal }: { signal?: AbortSignal } = {}): Promise<ParsedDocument> {
    this.refuseWhenClosed();
    // The child has another working directory.
    const request = { ...given, path: resolve(given.path), workDirectory: resolve(given.workDirectory) };
    await this.slots.acquire(signal);
    try {
      this.refuseWhenClosed();
      return await this.parseInChild(request, signal);
    } catch (error) {
      await removeOutput(request.workDirectory);
      throw error;
    } finally {
      this.slots.release();
    }
  }

  override async close(): Promise<void> {
    this.isClosed = true;
    this.slots.failAll(stopping());
    for (const { timer } of this.idle.splice(0)) clearTimeout(timer);
    const children = [...this.children];
    for (const child of children) child.kill();
    await Promise.all(children.map((child) => child.whenEnded()));
  }

  private async parseInChild(request: ParseRequest, signal: AbortSignal | undefined): Promise<ParsedDocument> {
    const { size } = await stat(request.path);
    const deadlineMs = deadlineOf(size, this.options);
    const answer = await this.ask(request, deadlineMs, signal);
    if (answer.type === 'failed') throw ParseError.fromData(answer.error);
    if (answer.type === 'conversion') return this.parseConverted(request, answer, deadlineMs, signal);
    checkOutput(answer.document, request.workDirectory);
    return answer.document;
  }

  private async ask(request: ParseRequest, deadlineMs: number, signal: AbortSignal | undefined): Promise<ParseAnswer> {
    signal?.throwIfAborted();
    const child = this.takeChild();
    try {
      return await child.run(request, { deadlineMs, memoryBytes: this.options.memoryBytes, signal });
    } finally {
      this.putBack(child);
    }
  }

  /** Has a file converted that no parser of ours reads, and parses what comes out; no second conversion follows. */
  private async parseConverted(
    request: ParseRequest,
    { conversion, error }: Extract<ParseAnswer, { type: 'conversion' }>,
    deadlineMs: number,
    signal: AbortSignal | undefined,
  ): Promise<ParsedDocument> {
    const program = this.options.officeProgram === undefined ? findOffice() : this.options.officeProgram;
    if (program === null) throw ParseError.fromData(error);
    const { path, workDirectory } = request;
    const limits = {
      memoryBytes: this.options.converterMemoryBytes,
      cpuSeconds: Math.ceil(deadlineMs / 1000),
      fileBytes: DEFAULT_ARCHIVE_LIMITS.maxInflatedBytes,
    };
    const order = { program, path, conversion, workDirectory, deadlineMs, limits, signal };
    return withConverted(order, async (converted) => {
      const fileName = `converted.${conversion.to}`;
      const again = { ...request, path: converted, fileName, declaredMediaType: undefined };
      const answer = await this.ask(again, deadlineMs, signal);
      if (answer.type !== 'parsed') throw ParseError.fromData(answer.error);
      checkOutput(answer.document, workDirectory);
      const fidelity = { ...answer.document.fidelity, converted_by: 'libreoffice' };
      return { ...answer.document, mediaType: conversion.mediaType, fidelity };
    });
  }

  private takeChild(): ParserChild {
    for (let entry = this.idle.pop(); entry !== undefined; entry = this.idle.pop()) {
      clearTimeout(entry.timer);
      if (entry.child.isAlive) return entry.child;
    }
    const child = new ParserChild(childCommand(this.options), (ended) => this.children.delete(ended));
    this.children.add(child);
    return child;
  }

  private putBack(child: ParserChild): void {
    if (!child.isAlive) return;
    if (this.isClosed || this.isWornOut(child)) return child.kill();
    const timer = setTimeout(() => {
      this.idle = this.idle.filter((entry) => entry.child !== child);
      child.kill();
    }, this.options.idleMs);
    timer.unref();
    this.idle.push({ child, timer });
  }

  private isWornOut({ documents, usage }: ParserChild): boolean {
    return (
      documents >= this.options.maxDocumentsPerChild ||
      usage.cpuSeconds >= this.options.cpuSeconds * CPU_SHARE_BEFORE_REPLACEMENT ||
      usage.rssBytes >= this.options.maxIdleRssBytes
    );
  }

  private refuseWhenClosed(): void {
    if (this.isClosed) throw stopping();
  }
}

function stopping(): ParseError {
  return new ParseError('PARSER_CRASHED', 'The service is stopping; try again later.');
}

/** The child is not trusted: its answer must name the files it was told to write, with the length it claims. */
function checkOutput(document: ParsedDocument, workDirectory: string): void {
  const textPath = join(workDirectory, TEXT_FILE_NAME);
  const { size } = statSync(textPath);
  const isRight =
    document.textPath === textPath &&
    document.blocksPath === join(workDirectory, BLOCKS_FILE_NAME) &&
    size === document.textLength * 2;
  if (!isRight) throw new ParseError('PARSER_CRASHED', 'The parser gave an inconsistent answer; try again.');
}

async function removeOutput(workDirectory: string): Promise<void> {
  await rm(join(workDirectory, TEXT_FILE_NAME), { force: true });
  await rm(join(workDirectory, BLOCKS_FILE_NAME), { force: true });
}
