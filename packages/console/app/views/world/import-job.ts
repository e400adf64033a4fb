import { signal } from '@preact/signals';
import { dataFactory, WorldsError } from '@rdf-worlds/client';
import type { ImportResult } from '@rdf-worlds/core';
import { isLineFormat } from '../../rdf/formats.ts';
import { linesAround, type ShownLine } from '../../rdf/lines-around.ts';
import { plainBytes } from '../../rdf/plain-bytes.ts';
import { client } from '../../session/service.ts';
import { withUploadProgress } from '../../session/upload-fetch.ts';
import { t } from '../../texts.ts';
import { isAborted } from '../../ui/error-note.tsx';

/** Where a document goes. */
export interface ImportTarget {
  /** `namespace/slug` */
  readonly world: string;
  /** An IRI, or `default`; undefined for the graphs of the document. */
  readonly graph: string | undefined;
  readonly baseIri: string | undefined;
  readonly isReplacing: boolean;
}

export type Phase = 'waiting' | 'reading' | 'sending' | 'committing' | 'done' | 'failed' | 'cancelled' | 'inDoubt';

/** How far an import is. */
export interface JobState {
  readonly phase: Phase;
  /**
   * Of `totalBytes`: of the document while it is read, then of what is sent, which is not packed.
   */
  readonly bytes: number;
  readonly totalBytes: number;
  /**
   * Quads in what was sent so far: exact where each line is one, otherwise by the ends of lines.
   */
  readonly quads: number | undefined;
  readonly elapsedMs: number;
  readonly result?: ImportResult;
  readonly error?: unknown;
  /** The lines around the place of the error. */
  readonly lines?: readonly ShownLine[];
}

let lastId = 0;

/** The import of one document: read, sent and committed as one change. */
export class ImportJob {
  readonly id = ++lastId;
  readonly name: string;
  readonly document: Blob;
  readonly contentType: string;
  readonly target: ImportTarget;
  readonly state = signal<JobState>({ phase: 'waiting', bytes: 0, totalBytes: 0, quads: undefined, elapsedMs: 0 });
  private readonly controller = new AbortController();

  constructor(name: string, document: Blob, contentType: string, target: ImportTarget) {
    this.name = name;
    this.document = document;
    this.contentType = contentType;
    this.target = target;
  }

  get isOver(): boolean {
    return ['done', 'failed', 'cancelled', 'inDoubt'].includes(this.state.value.phase);
  }

  cancel(): void {
    this.controller.abort();
    if (this.state.value.phase === 'waiting') this.set({ phase: 'cancelled' });
  }

  /** Runs the import. Never rejects: failures are part of the state. */
  async run(): Promise<void> {
    if (this.isOver) return;
    const started = performance.now();
    const { world, graph, baseIri, isReplacing } = this.target;
    let sentBytes = 0;
    let lines = 0;
    this.set({ phase: 'reading', totalBytes: this.document.size });
    const elapsed = () => performance.now() - started;
    const counted = async function* (this: ImportJob): AsyncGenerator<Uint8Array> {
      const count = new LineCount();
      let readBytes = 0;
      const bytes = await plainBytes(this.document, (length) => {
        readBytes += length;
      });
      const reader = bytes.getReader();
      for (;;) {
        const { done, value } = await reader.read().catch(refuseDamaged);
        if (done) return;
        sentBytes += value.length;
        lines = count.add(value);
        this.set({ bytes: readBytes, elapsedMs: elapsed() });
        yield value;
      }
    };
    const timer = setInterval(() => this.set({ elapsedMs: elapsed() }), 200);
    const upload = withUploadProgress((bytes) => {
      const part = sentBytes === 0 ? 1 : Math.min(1, bytes / sentBytes);
      const quads = this.isCountable ? Math.round(lines * part) : undefined;
      this.set({
        phase: part < 1 ? 'sending' : 'committing',
        bytes,
        totalBytes: sentBytes,
        quads,
        elapsedMs: elapsed(),
      });
    });
    try {
      const result = await client.import({
        source: world,
        data: counted.call(this),
        contentType: this.contentType,
        graph: graph === 'default' ? dataFactory.defaultGraph() : graph,
        baseIri,
        mode: isReplacing ? 'replace' : undefined,
        signal: this.controller.signal,
      });
      const quads = Number.isNaN(result.quads) ? lines : result.quads;
      this.set({ phase: 'done', result, quads, elapsedMs: elapsed() });
    } catch (error) {
      // The server discards a document without an end, but may have committed a whole one.
      const isWhole = this.state.value.phase === 'committing';
      if (isAborted(error)) this.set({ phase: isWhole ? 'inDoubt' : 'cancelled', elapsedMs: elapsed() });
      else this.set({ phase: 'failed', error, elapsedMs: elapsed(), lines: await this.linesOf(error) });
    } finally {
      clearInterval(timer);
      upload.stop();
    }
  }

  /** Counting lines tells nothing about formats that do not care for them. */
  private get isCountable(): boolean {
    return isLineFormat(this.contentType) || /turtle|trig|n3/.test(this.contentType);
  }

  private async linesOf(error: unknown): Promise<readonly ShownLine[] | undefined> {
    const location = error instanceof WorldsError ? error.location : undefined;
    return location && linesAround(this.document, location);
  }

  private set(change: Partial<JobState>): void {
    this.state.value = { ...this.state.value, ...change };
  }
}

/** For errors of a stream that decompresses. */
function refuseDamaged(error: unknown): never {
  if (error instanceof TypeError) throw new WorldsError('INVALID_RDF', t.import.damaged, { cause: error });
  throw error;
}

const NEWLINE = 0x0a;
const BLANK = new Set([0x20, 0x09, 0x0d]);
/** Period, semicolon and comma: a line that ends with one holds about one quad. */
const ENDS = new Set([0x2e, 0x3b, 0x2c]);

/** Counts the lines that end a statement or a part of one. */
class LineCount {
  private lines = 0;
  private last = 0;

  add(bytes: Uint8Array): number {
    for (const byte of bytes) {
      if (byte === NEWLINE) {
        if (ENDS.has(this.last)) this.lines++;
        this.last = 0;
      } else if (!BLANK.has(byte)) this.last = byte;
    }
    return this.lines;
  }
}
