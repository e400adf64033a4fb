import fc from 'fast-check';

/** A quad of few terms, so that many look alike: numbers are blank nodes. */
export interface Statement {
  readonly subject: number | string;
  readonly predicate: string;
  readonly object: number | string;
  readonly graph: number | string | undefined;
}

const node = fc.nat(5);
const iri = fc.constantFrom('https://example.org/a', 'https://example.org/b');

export const anyStatements: fc.Arbitrary<Statement> = fc.record({
  subject: fc.oneof({ weight: 4, arbitrary: node }, iri),
  predicate: fc.constantFrom('https://example.org/p', 'https://example.org/q'),
  object: fc.oneof({ weight: 4, arbitrary: node }, iri, fc.constantFrom('"1"', '"x"@en', '"a\\"b\\n"')),
  graph: fc.option(fc.oneof(node, iri), { nil: undefined, freq: 3 }),
});

/** Statements as N-Quads. */
export function document(statements: readonly Statement[], label = (node: number) => `_:n${node}`): string {
  const term = (value: number | string) =>
    typeof value === 'number' ? label(value) : value.startsWith('"') ? value : `<${value}>`;
  return statements
    .map(({ subject, predicate, object, graph }) => {
      const end = graph === undefined ? '' : `${term(graph)} `;
      return `${term(subject)} <${predicate}> ${term(object)} ${end}.\n`;
    })
    .join('');
}
