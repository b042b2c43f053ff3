import { rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DEFAULT_ARCHIVE_LIMITS } from '../archive/preflight.js';
import type { ParserAnswer } from '../child/protocol.js';
import { withConverted } from '../conversion/convert-office.js';
import { findOffice, officeFolder } from '../conversion/find-office.js';
import {
  DocumentParser,
  type ParsedDocument,
  type ParseRequest,
  type ParserIsolation,
} from '../document-parser.port.js';
import { BLOCKS_FILE_NAME, TEXT_FILE_NAME } from '../output/parse-output.js';
import { ParseError } from '../parse-error.js';
import type { LocateRequest, PagePlaces } from '../places/page-places.js';
import { INCONSISTENT, trustedPlaces } from '../places/trusted-places.js';
import { foldersOfFormats } from '../formats/use-formats.js';
import { Sandbox, type Isolation } from '../sandbox/sandbox.js';
import { ContainedChild } from './contained-child.js';
import type { RunLimits } from './parser-child.js';
import { DEFAULT_POOL_OPTIONS, deadlineOf, type ParserPoolOptions } from './pool-options.js';
import { Slots } from './slots.js';

/** A child is replaced when it has used this part of its processor time, so that the rest suffices for any one file. */
const CPU_SHARE_BEFORE_REPLACEMENT = 0.5;
/** Pages that are looked at together, beside the files that are parsed, and how long one may take. */
const PAGES_AT_ONCE = 2;
const PAGE_DEADLINE_MS = 10_000;

/** Parses in a pool of limited child processes; children start at need and end when idle. */
export class ChildProcessParser extends DocumentParser {
  private readonly options: ParserPoolOptions;
  private readonly slots: Slots;
  private readonly pages = new Slots(PAGES_AT_ONCE);
  private readonly office: string | null;
  private readonly children = new Set<ContainedChild>();
  private idle: { child: ContainedChild; timer: NodeJS.Timeout }[] = [];
  private isolation: Promise<Isolation> | undefined;
  private isClosed = false;

  constructor(options: Partial<ParserPoolOptions> = {}) {
    super();
    this.options = { ...DEFAULT_POOL_OPTIONS, ...options };
    this.slots = new Slots(this.options.poolSize);
    const { officeProgram } = this.options;
    this.office = officeProgram === undefined ? findOffice() : officeProgram;
  }

  /** Process ids of the living children, busy and idle. */
  get childPids(): number[] {
    return [...this.children].flatMap(({ process: { pid } }) => (pid === undefined ? [] : [pid]));
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

  override async locate(given: LocateRequest, { signal }: { signal?: AbortSignal } = {}): Promise<PagePlaces> {
    this.refuseWhenClosed();
    const request = { ...given, path: resolve(given.path) };
    await this.pages.acquire(signal);
    try {
      this.refuseWhenClosed();
      const answer = await this.ask((child, limits) => child.locate(request, limits), PAGE_DEADLINE_MS, signal);
      if (answer.type === 'failed') throw ParseError.fromData(answer.error);
      return trustedPlaces(answer.type === 'located' ? answer.places : undefined, request);
    } finally {
      this.pages.release();
    }
  }

  override async describeIsolation(): Promise<ParserIsolation> {
    const isolation = await this.isolate();
    return isolation.kind === 'namespaces' ? { kind: isolation.kind } : isolation;
  }

  override async close(): Promise<void> {
    this.isClosed = true;
    this.slots.failAll(stopping());
    this.pages.failAll(stopping());
    for (const { timer } of this.idle.splice(0)) clearTimeout(timer);
    const children = [...this.children];
    for (const child of children) child.process.kill();
    await Promise.all(children.map((child) => child.whenEnded()));
  }

  private async parseInChild(request: ParseRequest, signal: AbortSignal | undefined): Promise<ParsedDocument> {
    const { size } = await stat(request.path);
    const deadlineMs = deadlineOf(size, this.options);
    const answer = await this.ask((child, limits) => child.run(request, limits), deadlineMs, signal);
    if (answer.type === 'failed') throw ParseError.fromData(answer.error);
    if (answer.type === 'conversion') return this.parseConverted(request, answer, deadlineMs, signal);
    if (answer.type === 'located') throw new ParseError('PARSER_CRASHED', INCONSISTENT);
    return answer.document;
  }

  private async ask(
    order: (child: ContainedChild, limits: RunLimits) => Promise<ParserAnswer>,
    deadlineMs: number,
    signal: AbortSignal | undefined,
  ): Promise<ParserAnswer> {
    signal?.throwIfAborted();
    const child = await this.takeChild();
    try {
      this.refuseWhenClosed();
      return await order(child, { deadlineMs, memoryBytes: this.options.memoryBytes, signal });
    } finally {
      this.putBack(child);
    }
  }

  /** Has a file converted that no parser of ours reads, and parses what comes out; no second conversion follows. */
  private async parseConverted(
    request: ParseRequest,
    { conversion, error }: Extract<ParserAnswer, { type: 'conversion' }>,
    deadlineMs: number,
    signal: AbortSignal | undefined,
  ): Promise<ParsedDocument> {
    const program = this.office;
    if (program === null) throw ParseError.fromData(error);
    const isolation = await this.isolate();
    const { path, workDirectory } = request;
    const limits = {
      memoryBytes: this.options.converterMemoryBytes,
      cpuSeconds: Math.ceil(deadlineMs / 1000),
      fileBytes: DEFAULT_ARCHIVE_LIMITS.maxInflatedBytes,
    };
    const order = { program, path, conversion, workDirectory, deadlineMs, limits, isolation, signal };
    return withConverted(order, async (converted) => {
      const fileName = `converted.${conversion.to}`;
      const again = { ...request, path: converted, fileName, declaredMediaType: undefined };
      const answer = await this.ask((child, bounds) => child.run(again, bounds), deadlineMs, signal);
      if (answer.type === 'located') throw new ParseError('PARSER_CRASHED', INCONSISTENT);
      if (answer.type !== 'parsed') throw ParseError.fromData(answer.error);
      const fidelity = { ...answer.document.fidelity, converted_by: 'libreoffice' };
      return { ...answer.document, mediaType: conversion.mediaType, fidelity };
    });
  }

  private async takeChild(): Promise<ContainedChild> {
    for (let entry = this.idle.pop(); entry !== undefined; entry = this.idle.pop()) {
      clearTimeout(entry.timer);
      if (entry.child.process.isAlive) return entry.child;
    }
    const isolation = await this.isolate();
    const child = await ContainedChild.start(this.options, isolation, (ended) => this.children.delete(ended));
    this.children.add(child);
    return child;
  }

  /** Tried once; the answer holds for the life of the process. */
  private isolate(): Promise<Isolation> {
    const { namespaces, workFolder, hidden } = this.options;
    const programFolders = [...(this.office === null ? [] : [officeFolder(this.office)]), ...foldersOfFormats()];
    this.isolation ??= namespaces
      ? Sandbox.open({ workFolder, hidden, programFolders })
      : Promise.resolve({ kind: 'limits', reason: 'namespaces are switched off' });
    return this.isolation;
  }

  private putBack(child: ContainedChild): void {
    if (!child.process.isAlive) return;
    if (this.isClosed || this.isWornOut(child)) return child.process.kill();
    const timer = setTimeout(() => {
      this.idle = this.idle.filter((entry) => entry.child !== child);
      child.process.kill();
    }, this.options.idleMs);
    timer.unref();
    this.idle.push({ child, timer });
  }

  private isWornOut({ process: { documents, usage } }: ContainedChild): boolean {
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

async function removeOutput(workDirectory: string): Promise<void> {
  await rm(join(workDirectory, TEXT_FILE_NAME), { force: true });
  await rm(join(workDirectory, BLOCKS_FILE_NAME), { force: true });
}
