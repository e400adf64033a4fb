import { signal } from '@preact/signals';
import type { QueryPlan, UpdateResult } from '@rdf-worlds/core';
import type { BindingsBatch } from '@rdf-worlds/core/plugin';
import type { Quad, Term } from '@rdfjs/types';
import type { QueryForm } from '../../editor/syntax-check.ts';
import { client } from '../../session/service.ts';
import { isAborted } from '../../ui/error-note.tsx';

export type RunPhase = 'running' | 'done' | 'stopped' | 'failed';

/** The kind of answer; `none` until it is known. */
export type Answer = 'none' | 'rows' | 'quads' | 'boolean' | 'changes';

export interface RunState {
  readonly phase: RunPhase;
  readonly answer: Answer;
  readonly columns: readonly string[];
  readonly rowCount: number;
  /** True if there are more rows than are kept. */
  readonly isCut: boolean;
  /** Until the first row, or the whole answer without rows. */
  readonly firstMs: number | undefined;
  readonly elapsedMs: number;
  readonly value?: boolean;
  readonly changes?: UpdateResult;
  readonly error?: unknown;
}

/** Cells that a tab keeps; a run ends when it has them. */
const MAX_CELLS = 1_000_000;
const QUAD_COLUMNS = ['subject', 'predicate', 'object'] as const;
/** How often the view learns of new rows. */
const SHOW_EVERY_MS = 100;

interface Batch {
  readonly first: number;
  readonly length: number;
  term(row: number, column: number): Term | undefined;
}

/** One run of a text. Rows stay as they arrived; terms are made for the rows that are looked at. */
export class QueryRun {
  readonly text: string;
  readonly worlds: readonly string[];
  readonly form: QueryForm | undefined;
  readonly state = signal<RunState>({
    phase: 'running',
    answer: 'none',
    columns: [],
    rowCount: 0,
    isCut: false,
    firstMs: undefined,
    elapsedMs: 0,
  });
  /** The plan, once it was asked for. */
  readonly plan = signal<
    { readonly plan?: QueryPlan; readonly error?: unknown; readonly isLoading: boolean } | undefined
  >(undefined);
  private readonly batches: Batch[] = [];
  private readonly controller = new AbortController();
  private explaining: AbortController | undefined;
  private readonly startedMs = performance.now();

  constructor(text: string, worlds: readonly string[], form: QueryForm | undefined) {
    this.text = text;
    this.worlds = worlds;
    this.form = form;
  }

  stop(): void {
    this.controller.abort();
    this.explaining?.abort();
  }

  /** The term of a cell; undefined if it is unbound. */
  term(row: number, column: number): Term | undefined {
    let low = 0;
    let high = this.batches.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.batches[middle]!.first <= row) low = middle;
      else high = middle - 1;
    }
    const batch = this.batches[low];
    return batch?.term(row - batch.first, column);
  }

  /** Sends the text and reads the answer as it arrives. Never rejects. */
  async run(writes?: string): Promise<void> {
    const timer = setInterval(() => this.set({}), SHOW_EVERY_MS);
    const { signal } = this.controller;
    const sources =
      writes === undefined ? [...this.worlds] : this.worlds.map((name) => ({ name, write: name === writes }));
    try {
      const result = await client.query({ query: this.text, sources, signal });
      if (result.type === 'update') {
        const { inserted, deleted, revision } = result;
        this.set({ answer: 'changes', changes: { inserted, deleted, revision } });
      } else if (result.type === 'boolean') this.set({ answer: 'boolean', value: result.value });
      else if (result.type === 'bindings') {
        this.set({ answer: 'rows', columns: result.variables });
        for await (const batch of result.batches) if (!this.add(bindingsBatch(batch, this.rows))) break;
      } else {
        this.set({ answer: 'quads', columns: QUAD_COLUMNS });
        for await (const batch of result.batches) if (!this.add(quadsBatch([...batch], this.rows))) break;
      }
      this.set({ phase: 'done' });
    } catch (error) {
      if (isAborted(error)) this.set({ phase: 'stopped' });
      else this.set({ phase: 'failed', error });
    } finally {
      clearInterval(timer);
    }
  }

  /**
   * Asks for the plan of a text, by default that of the run. Updates are not run for it; the plan
   * of a query has the measurements of a run. The rows of this run stay.
   */
  async explain({ text, worlds, form }: Pick<QueryRun, 'text' | 'worlds' | 'form'> = this): Promise<void> {
    this.explaining?.abort();
    const { signal } = (this.explaining = new AbortController());
    this.plan.value = { isLoading: true };
    try {
      const analyze = form !== 'update';
      const plan = await client.explain({ query: text, sources: [...worlds], analyze, signal });
      if (!signal.aborted) this.plan.value = { plan, isLoading: false };
    } catch (error) {
      if (!signal.aborted) this.plan.value = { error, isLoading: false };
      else if (this.explaining.signal === signal) this.plan.value = undefined;
    }
  }

  private rows = 0;

  /** Keeps a batch, or what there is room for. Returns false if there were more rows than that. */
  private add(batch: Batch): boolean {
    if (batch.length === 0) return true;
    const room = Math.floor(MAX_CELLS / Math.max(1, this.state.value.columns.length)) - this.rows;
    const length = Math.min(batch.length, room);
    if (length > 0) this.batches.push({ ...batch, length });
    this.rows += length;
    const { firstMs } = this.state.value;
    // The first rows are shown immediately, the others when the timer fires.
    if (firstMs === undefined) this.set({ firstMs: performance.now() - this.startedMs });
    if (length === batch.length) return true;
    this.set({ isCut: true });
    return false;
  }

  private set(change: Partial<RunState>): void {
    this.state.value = {
      ...this.state.value,
      rowCount: this.rows,
      elapsedMs: performance.now() - this.startedMs,
      ...change,
    };
  }
}

function bindingsBatch(batch: BindingsBatch, first: number): Batch {
  return { first, length: batch.length, term: (row, column) => batch.term(row, column) };
}

function quadsBatch(quads: readonly Quad[], first: number): Batch {
  return { first, length: quads.length, term: (row, column) => quads[row]?.[QUAD_COLUMNS[column]!] };
}
