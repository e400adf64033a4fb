import { expect, it } from 'vitest';
import { freshText, TEXT_KINDS, wantsAnyRows } from '../../src/sparql/named-query.ts';

it.each([
  { text: 'SELECT * { ?s ?p ?o }', any: false },
  { text: 'SELECT * { ?s ?p ?o } LIMIT 10', any: true },
  { text: 'select * { ?s ?p ?o } limit 10', any: true },
  { text: 'SELECT * { ?s ?p ?o } ORDER BY ?s LIMIT 10', any: false },
  { text: 'SELECT * { ?s ?p ?o } order  by ?s LIMIT 10', any: false },
  { text: 'SELECT ?limited { ?limited ?p ?o }', any: false },
])('$text allows any rows: $any', ({ text, any }) => {
  expect(wantsAnyRows({ name: '', text })).toBe(any);
});

it.each(TEXT_KINDS)('a %s text differs each time but is the same query', (kind) => {
  const texts = Array.from({ length: 100 }, () => freshText('ASK {}', 'sparql', kind));
  expect(new Set(texts).size).toBe(100);
  for (const text of texts) expect(text).toMatch(kind === 'new' ? /^[ \t]+ASK \{\}$/ : /^# \d+\nASK \{\}$/);
});
