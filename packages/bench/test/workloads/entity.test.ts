import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SQL_LAYOUTS } from '../../src/sparql/sql-layout.ts';
import { type Dataset, documentOf } from '../../src/workloads/entity.ts';
import { GENERATED_WORKLOADS, WORKLOAD_NAMES } from '../../src/workloads/workloads.ts';

const shop = { name: 'shop', columns: [{ name: 'title', type: 'string' }] } as const;
const item = {
  name: 'item',
  columns: [
    { name: 'shop', type: 'reference', to: 'shop' },
    { name: 'label', type: 'text' },
    { name: 'price', type: 'decimal' },
    { name: 'made', type: 'date' },
    { name: 'near', type: 'reference', to: 'item', isMany: true },
  ],
} as const;
const dataset: Dataset = {
  name: 'tiny',
  kinds: [shop, item],
  *entities() {
    yield { kind: shop, number: 0, values: { title: 'A "shop"' } };
    yield {
      kind: item,
      number: 0,
      values: { shop: 0, label: { text: 'süß', language: 'de' }, price: '1.50', near: [1] },
    };
    yield { kind: item, number: 1, values: { made: '2024-02-01', near: [] } };
  },
};
const DATA = 'https://data.example/tiny/';
const VOCABULARY = 'https://vocabulary.example/tiny#';
const TYPE = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>';
const XSD = 'http://www.w3.org/2001/XMLSchema#';

describe('a dataset', () => {
  it('is written as N-Triples', () => {
    expect(documentOf(dataset).toString().trimEnd().split('\n')).toEqual([
      `<${DATA}shop/0> ${TYPE} <${VOCABULARY}Shop> .`,
      `<${DATA}shop/0> <${VOCABULARY}title> "A \\"shop\\"" .`,
      `<${DATA}item/0> ${TYPE} <${VOCABULARY}Item> .`,
      `<${DATA}item/0> <${VOCABULARY}shop> <${DATA}shop/0> .`,
      `<${DATA}item/0> <${VOCABULARY}label> "süß"@de .`,
      `<${DATA}item/0> <${VOCABULARY}price> "1.50"^^<${XSD}decimal> .`,
      `<${DATA}item/0> <${VOCABULARY}near> <${DATA}item/1> .`,
      `<${DATA}item/1> ${TYPE} <${VOCABULARY}Item> .`,
      `<${DATA}item/1> <${VOCABULARY}made> "2024-02-01"^^<${XSD}date> .`,
    ]);
  });

  it('is written as typed tables: a missing value is empty, multiple values are a table of their own', () => {
    const { tables, countQuads } = SQL_LAYOUTS.tables(dataset);
    expect(tables.map(({ name, csv }) => [name, csv.toString()])).toEqual([
      ['shop', '0,"A ""shop"""\n'],
      ['item', '0,0,"süß","de","1.50",\n1,,,,,"2024-02-01"\n'],
      ['item_near', '0,1\n'],
    ]);
    expect(tables[1].columns.map(([, type]) => type)).toEqual([
      ...['INTEGER', 'INTEGER', 'VARCHAR', 'VARCHAR', 'DECIMAL(18, 4)', 'DATE'],
    ]);
    expect(countQuads).toContain(
      '(SELECT count(*) + count(shop) + count(label) + count(price) + count(made) FROM item)',
    );
  });

  it('is written as a table of terms and a table of id triples, sorted by property', () => {
    const [terms, triples] = SQL_LAYOUTS.ids(dataset).tables;
    const rows = terms.csv.toString().trimEnd().split('\n');
    expect(rows).toContain('7,"süß","de",,'.replace('7', String(rows.findIndex((row) => row.includes('süß')))));
    expect(rows.find((row) => row.includes('1.50'))).toMatch(/^\d+,"1\.50",,1\.5,$/);
    expect(rows.find((row) => row.includes('2024-02-01'))).toMatch(/^\d+,"2024-02-01",,,"2024-02-01"$/);
    const properties = triples.csv
      .toString()
      .trimEnd()
      .split('\n')
      .map((row) => Number(row.split(',')[1]));
    expect(properties.length).toBe(9);
    expect(properties).toEqual([...properties].sort((a, b) => a - b));
  });
});

const PINNED: Readonly<Record<string, string>> = {
  commerce: '8f735de75361be46',
  sensors: '6222a759c28b1d0a',
  social: '3bb683de2e9b7bd4',
};

it.each(WORKLOAD_NAMES)('%s: is identical for the same seed on every machine, and differs for another seed', (name) => {
  const hashOf = (seed: number) =>
    createHash('sha256')
      .update(documentOf(GENERATED_WORKLOADS[name].dataset({ seed, scale: 0.01 })))
      .digest('hex')
      .slice(0, 16);
  expect(hashOf(1)).toBe(PINNED[name]);
  expect(hashOf(2)).not.toBe(PINNED[name]);
});
