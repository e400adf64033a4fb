import oxigraph from 'oxigraph';
import type { LoadInput } from '../load-input.ts';
import type { Answer, Outcome } from './answer.ts';
import { countLines } from './count-lines.ts';
import { RowChecksum, TRIPLE } from './row-checksum.ts';
import type { Delivery, SparqlStore } from './sparql-store.ts';

const N_TRIPLES = 'application/n-triples';
const N_QUADS = 'application/n-quads';
const RESULTS_JSON = 'application/sparql-results+json';

/** The JavaScript interface of Oxigraph's terms and quads. */
interface OxigraphTerm {
  readonly value: string;
}
interface OxigraphQuad {
  readonly subject: OxigraphTerm;
  readonly predicate: OxigraphTerm;
  readonly object: OxigraphTerm;
}

/** Oxigraph's store in WebAssembly. It is synchronous and cannot be interrupted. */
export class OxigraphStore implements SparqlStore {
  private readonly store = new oxigraph.Store();

  /** Atomic and with every term checked, like the engine's import. */
  async load({ bytes, contentType }: LoadInput): Promise<void> {
    this.store.load(bytes, { format: contentType });
  }

  async query(text: string, delivery: Delivery): Promise<Outcome> {
    if (delivery === 'strings') {
      const isGraph = formOf(text) === 'CONSTRUCT';
      const results = this.store.query(text, { results_format: isGraph ? N_TRIPLES : RESULTS_JSON }) as string;
      return () => (isGraph ? answerOfTriples(results) : answerOfJson(results));
    }
    const answer = readAll(this.store.query(text) as boolean | Map<string, OxigraphTerm>[] | OxigraphQuad[]);
    return () => answer;
  }

  async checksum(text: string): Promise<RowChecksum> {
    const sum = new RowChecksum();
    const results = this.store.query(text) as boolean | (Map<string, OxigraphTerm> | OxigraphQuad)[];
    if (typeof results === 'boolean') sum.add(['ask'], [String(results)]);
    else {
      for (const row of results) {
        if (row instanceof Map) {
          const cells = [...row];
          sum.add(
            cells.map(([name]) => name),
            cells.map(([, { value }]) => value),
          );
        } else sum.add(TRIPLE, [row.subject.value, row.predicate.value, row.object.value]);
      }
    }
    return sum;
  }

  async update(...texts: string[]): Promise<void> {
    for (const text of texts) this.store.update(text);
  }

  async dump(): Promise<Outcome> {
    const document = this.store.dump({ format: N_QUADS });
    return () => ({ rows: countLines([Buffer.from(document)]), chars: 0 });
  }

  async countQuads(): Promise<number> {
    return this.store.size;
  }

  async release(): Promise<void> {
    // Frees WebAssembly memory, which JavaScript's collector would free late. The declarations omit
    // the method.
    (this.store as unknown as { free(): void }).free();
  }
}

function readAll(results: boolean | Map<string, OxigraphTerm>[] | OxigraphQuad[]): Answer {
  if (typeof results === 'boolean') return { rows: 1, chars: Number(results) };
  let chars = 0;
  for (const row of results) {
    if (row instanceof Map) for (const { value } of row.values()) chars += value.length;
    else chars += row.subject.value.length + row.object.value.length;
  }
  return { rows: results.length, chars };
}

/** Returns the form of a query after its prologue and comments. */
function formOf(text: string): string | undefined {
  return /^(?:\s|#.*|(?:BASE|PREFIX\s+\S+)\s+<[^>]*>)*([A-Z]+)/i.exec(text)?.[1].toUpperCase();
}

function answerOfJson(text: string): Answer {
  const { boolean, results } = JSON.parse(text) as {
    readonly boolean?: boolean;
    readonly results?: { readonly bindings: readonly Readonly<Record<string, { readonly value: string }>>[] };
  };
  if (!results) return { rows: 1, chars: Number(boolean) };
  let chars = 0;
  for (const row of results.bindings) for (const { value } of Object.values(row)) chars += value.length;
  return { rows: results.bindings.length, chars };
}

function answerOfTriples(text: string): Answer {
  return readAll(oxigraph.parse(text, { format: N_TRIPLES }) as unknown as OxigraphQuad[]);
}
