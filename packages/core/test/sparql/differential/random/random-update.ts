import { isConstant } from './draft.ts';
import { template } from './patterns.ts';
import type { Random } from './random.ts';
import type { RandomDataset } from './random-dataset.ts';
import { RandomQueries } from './random-query.ts';
import { GRAPHS, NODES, PREDICATES } from './terms.ts';

/** Writes random update requests over one dataset. */
export class RandomUpdates {
  private readonly random: Random;
  private readonly data: RandomDataset;
  private readonly queries: RandomQueries;
  private operations = 0;

  constructor(random: Random, data: RandomDataset, note: (feature: string) => void) {
    this.random = random;
    this.data = data;
    this.queries = new RandomQueries(random, data, note);
  }

  update(): string {
    const count = this.random.weighted([
      [2, 1],
      [3, 2],
      [3, 3],
    ]);
    return Array.from({ length: count }, () => this.operation()).join(' ;\n');
  }

  private operation(): string {
    this.operations++;
    return this.random.weighted<() => string>([
      [3, () => `INSERT DATA { ${this.quads(true)} }`],
      [3, () => `DELETE DATA { ${this.quads(false)} }`],
      [3, () => `DELETE WHERE { ${this.deletePattern()} }`],
      [10, () => this.modify()],
      [6, () => `CLEAR ${this.silent()}${this.graphs()}`],
      [6, () => `DROP ${this.silent()}${this.graphs()}`],
      [1.5, () => `CREATE ${this.silent()}GRAPH ${this.graph()}`],
      [1.5, () => `ADD ${this.silent()}${this.operand()} TO ${this.operand()}`],
      [1.5, () => `MOVE ${this.silent()}${this.operand()} TO ${this.operand()}`],
      [1.5, () => `COPY ${this.silent()}${this.operand()} TO ${this.operand()}`],
      // It fails, and SILENT makes that a success that does nothing (section 3.1.4).
      [1.5, () => `LOAD SILENT <http://e/file>${this.random.chance(0.5) ? ` INTO GRAPH ${this.graph()}` : ''}`],
    ])();
  }

  private silent(): string {
    return this.random.chance(0.7) ? 'SILENT ' : '';
  }

  private graph(): string {
    return this.random.pick([...GRAPHS, '<http://e/g9>']);
  }

  private operand(): string {
    return this.random.chance(0.3) ? 'DEFAULT' : `${this.random.chance(0.5) ? 'GRAPH ' : ''}${this.graph()}`;
  }

  private graphs(): string {
    return this.random.weighted<() => string>([
      [1, () => 'DEFAULT'],
      [1, () => 'NAMED'],
      [1.3, () => 'ALL'],
      [2, () => `GRAPH ${this.graph()}`],
    ])();
  }

  private quads(withBlankNodes: boolean): string {
    const { random } = this;
    const triple = (): string => {
      const known = [...this.data.merged.values()]
        .flat()
        .filter(({ subject, object }) => isConstant(`${subject}${object}`));
      if (known.length > 0 && random.chance(0.5)) {
        const { subject, predicate, object } = random.pick(known);
        return `${subject} ${predicate} ${object}`;
      }
      // A label may stand in one INSERT DATA of a request only (section 19.6).
      const node = () => (withBlankNodes && random.chance(0.15) ? `_:n${this.operations}` : random.pick(NODES));
      return `${node()} ${random.pick(PREDICATES)} ${random.chance(0.5) ? node() : random.pick(this.data.vocabulary.literals)}`;
    };
    const triples = () => Array.from({ length: random.between(1, 3) }, triple).join(' . ');
    return random.weighted<() => string>([
      [3, triples],
      [3, () => `GRAPH ${this.graph()} { ${triples()} }`],
      [1, () => `${triples()} . GRAPH ${this.graph()} { ${triples()} }`],
    ])();
  }

  private deletePattern(): string {
    const { random } = this;
    const end = (name: string, terms: readonly string[]) => (random.chance(0.5) ? name : random.pick(terms));
    const triple = () =>
      `${end(random.pick(['?a', '?b']), NODES)} ${end('?p', PREDICATES)} ${end(random.pick(['?b', '?c']), [...NODES, ...this.data.vocabulary.literals])}`;
    const triples = random.chance(0.7) ? triple() : `${triple()} . ${triple()}`;
    return random.chance(0.4) ? `GRAPH ${random.chance(0.5) ? '?g' : this.graph()} { ${triples} }` : triples;
  }

  private modify(): string {
    const { random } = this;
    const where = this.queries.where();
    const graphTerm = () => (where.names.length > 0 && random.chance(0.3) ? random.pick(where.names) : this.graph());
    const quads = (withBlankNodes: boolean) => {
      const triples = template(where.draft, where.names, withBlankNodes);
      return random.chance(0.35) ? `GRAPH ${graphTerm()} { ${triples} }` : triples;
    };
    const parts = random.weighted([
      [2, 'both'],
      [1, 'delete'],
      [2, 'insert'],
    ] as const);
    let text = random.chance(0.25) ? `WITH ${this.graph()} ` : '';
    const deleted = quads(false);
    if (parts !== 'insert') text += `DELETE { ${deleted} } `;
    // What is deleted and inserted is there afterwards (section 3.1.3).
    if (parts !== 'delete') text += `INSERT { ${random.chance(0.25) ? deleted : quads(true)} } `;
    if (random.chance(0.3)) {
      for (const graph of random.some(GRAPHS, 0.6)) text += `USING ${random.chance(0.5) ? 'NAMED ' : ''}${graph} `;
    }
    return `${text}WHERE ${where.text}`;
  }
}
