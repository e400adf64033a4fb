import assert from 'node:assert/strict';
import type { WorldsErrorCode } from '@rdf-worlds/core';
import type {
  EvaluateOptions,
  PreparedQuery,
  PreparedUpdate,
  PrepareOptions,
  QuadSource,
  SparqlEngine,
  SparqlResult,
  UpdateView,
} from '@rdf-worlds/core/plugin';
import type * as RDF from '@rdfjs/types';
import { termKey } from '../term-key.ts';
import { EX } from './short-quads.ts';

/** The value of NOW() in all cases that do not depend on it. */
export const NOW = new Date('2024-05-06T07:08:09.010Z');

export type ProbeOptions = PrepareOptions & Partial<EvaluateOptions>;

/** Prints a term in the contract's short notation. */
export function show(term: RDF.Term | undefined): string {
  if (!term) return '-';
  if (term.termType === 'NamedNode' && term.value.startsWith(EX)) return term.value.slice(EX.length);
  if (term.termType === 'Literal' && term.datatype.value.endsWith('#integer')) return term.value;
  if (term.termType === 'Literal' && term.datatype.value.endsWith('#string')) return `"${term.value}"`;
  return termKey(term);
}

/** Prints a quad in the contract's short notation. */
export function showQuad({ subject, predicate, object, graph }: RDF.BaseQuad): string {
  const terms = [subject, predicate, object, ...(graph.termType === 'DefaultGraph' ? [] : [graph])];
  return terms.map(show).join(' ');
}

/** Calls an engine like an application does and prints its results. */
export class EngineProbe {
  readonly engine: SparqlEngine;

  constructor(engine: SparqlEngine) {
    this.engine = engine;
  }

  async query(text: string, { baseIri, bindings }: PrepareOptions = {}): Promise<PreparedQuery> {
    const prepared = await this.engine.prepare(text, { baseIri, bindings });
    assert.equal(prepared.type, 'query');
    return prepared as PreparedQuery;
  }

  async evaluate(source: QuadSource, text: string, options: ProbeOptions = {}): Promise<SparqlResult> {
    const query = await this.query(text, options);
    const result = await query.evaluate(source, { now: NOW, ...options });
    const type = { select: 'bindings', ask: 'boolean', construct: 'quads', describe: 'quads' }[query.form];
    assert.equal(result.type, type, 'the result fits the form');
    return result;
  }

  /** Returns the rows of a SELECT as lines of terms, in result order. */
  async rows(source: QuadSource, text: string, options?: ProbeOptions): Promise<string[]> {
    const result = await this.evaluate(source, text, options);
    if (result.type !== 'bindings') assert.fail('no bindings');
    const { variables } = result;
    const rows: string[] = [];
    for await (const batch of result.batches) {
      const lines: string[] = [...batch].map((row) => variables.map((variable) => show(row.get(variable))).join(' '));
      assert.equal(lines.length, batch.length, 'a batch iterates over as many rows as it says');
      for (const [row, line] of lines.entries()) {
        const terms = variables.map((_, column) => show(batch.term(row, column)));
        assert.equal(terms.join(' '), line, 'term(row, column) is what get(name) is');
      }
      rows.push(...lines);
    }
    return rows;
  }

  /** Checks the rows of a SELECT as a multiset, ignoring their order. */
  async expectRows(source: QuadSource, text: string, expected: readonly string[], options?: ProbeOptions) {
    const rows = await this.rows(source, text, options);
    assert.deepEqual(rows.sort(), [...expected].sort(), text);
  }

  async quads(source: QuadSource, text: string, options?: ProbeOptions): Promise<RDF.Quad[]> {
    const result = await this.evaluate(source, text, options);
    const quads: RDF.Quad[] = [];
    if (result.type !== 'quads') return quads;
    for await (const batch of result.batches) quads.push(...batch);
    return quads;
  }

  async ask(source: QuadSource, text: string, options?: ProbeOptions): Promise<boolean> {
    const result = await this.evaluate(source, text, options);
    return result.type === 'boolean' && result.value;
  }

  async update(view: UpdateView, text: string, options: ProbeOptions = {}): Promise<void> {
    const { baseIri, bindings } = options;
    const prepared = await this.engine.prepare(text, { baseIri, bindings });
    assert.equal(prepared.type, 'update');
    await (prepared as PreparedUpdate).execute(view, { now: NOW, ...options });
  }

  /** Checks that work fails with one of the given codes, and returns the error. */
  async expectError(work: () => Promise<unknown>, ...codes: WorldsErrorCode[]): Promise<Error> {
    try {
      await work();
    } catch (error) {
      const { code, message } = error as { code?: WorldsErrorCode; message?: string };
      assert.ok(code && codes.includes(code), `expected ${codes.join(' or ')}, got ${code}: ${message}`);
      return error as Error;
    }
    assert.fail(`expected ${codes.join(' or ')}, but nothing was thrown`);
  }
}

/** A case of the engine contract, not bound to an engine. */
export interface EngineCase {
  readonly name: string;
  run(probe: EngineProbe): Promise<void>;
}
