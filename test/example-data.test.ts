import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Quad } from 'n3';
import { Parser } from 'n3';
import { describe, expect, it } from 'vitest';
// @ts-expect-error: plain JavaScript without declarations
import { documents } from '../examples/data/generate.mjs';
import { ROOT } from './source-imports.ts';

const read = (file: string) => readFileSync(join(ROOT, 'examples/data', file), 'utf8');
const parse = (file: string): Quad[] => new Parser({ format: 'application/trig' }).parse(read(file));

const HOME = 'https://example.org/';
const worlds = new Map(['elements', 'space'].map((name) => [name, parse(`${name}.trig`)]));
const all = [...worlds.values()].flat();

describe('the example data', () => {
  it.each([...(documents as Map<string, string>)])('%s is what its tables give', (file, content) => {
    expect(read(file)).toBe(content);
  });

  it.each([...worlds])('%s says how many triples its graphs hold', (name, quads) => {
    const counts = new Map<string, number>();
    for (const { graph } of quads) counts.set(graph.value, (counts.get(graph.value) ?? 0) + 1);
    expect(counts.size).toBeGreaterThanOrEqual(3);
    const claims = quads.filter(({ predicate }) => predicate.value === 'http://rdfs.org/ns/void#triples');
    expect(claims).toHaveLength(counts.size - 1); // the graph of provenance does not count itself
    for (const { subject, object } of claims) {
      const graph = subject.value.endsWith('#default-graph') ? '' : subject.value;
      expect([graph, counts.get(graph)]).toEqual([graph, Number(object.value)]);
    }
    const total = quads.length.toLocaleString('en');
    expect(read('README.md')).toMatch(new RegExp(`^\\| \`${name}\\.trig\` \\|.*\\| ${total} \\|$`, 'm'));
  });

  it('holds no quad twice', () => {
    for (const quads of worlds.values())
      expect(new Set(quads.map((quad) => JSON.stringify(quad))).size).toBe(quads.length);
  });

  it('describes everything that it links to', () => {
    const subjects = new Set(all.map(({ subject }) => subject.value));
    const dangling = all
      .filter(({ object }) => object.termType === 'NamedNode' && object.value.startsWith(HOME))
      .map(({ object }) => object.value)
      .filter((iri) => !subjects.has(iri) && iri.slice(HOME.length).includes('/') && !iri.startsWith(`${HOME}vocab#`));
    expect([...new Set(dangling)]).toEqual([]);
  });

  it('gives values in the lexical space of their datatypes', () => {
    const forms: Record<string, RegExp> = {
      integer: /^\d+$/,
      decimal: /^\d+\.\d+$/,
      double: /^\d(\.\d+)?E-?\d+$/,
      boolean: /^(true|false)$/,
      gYear: /^\d{4}$/,
      date: /^\d{4}-\d\d-\d\d$/,
      string: /./,
    };
    const seen = new Set<string>();
    for (const { object } of all) {
      if (object.termType !== 'Literal' || object.language) continue;
      const type = object.datatype.value.replace(/.*#/, '');
      seen.add(type);
      expect(object.value).toMatch(forms[type]!);
      if (type === 'date') expect(new Date(object.value).toISOString().slice(0, 10)).toBe(object.value);
    }
    expect([...seen].sort()).toEqual(Object.keys(forms).sort());
  });

  it('has the elements 1 to 118, heavier with few exceptions', () => {
    const value = (subject: string, local: string) =>
      all.find((quad) => quad.subject.value === subject && quad.predicate.value === `${HOME}vocab#${local}`)?.object
        .value;
    const elements = all.filter(({ predicate }) => predicate.value === `${HOME}vocab#atomicNumber`);
    expect(elements.map(({ object }) => Number(object.value))).toEqual(Array.from({ length: 118 }, (_, i) => i + 1));
    const weights = elements.flatMap(({ subject }) => value(subject.value, 'standardAtomicWeight') ?? []).map(Number);
    // Argon and potassium, cobalt and nickel, tellurium and iodine, thorium and protactinium:
    // lighter though later.
    expect(weights.filter((weight, i) => i > 0 && weight < weights[i - 1]!)).toEqual([39.098, 58.693, 126.9, 231.04]);
  });

  it('lets nobody discover before birth or after death', () => {
    const year = (subject: string, local: string) => {
      const quad = all.find(
        (each) => each.subject.value === subject && each.predicate.value === `${HOME}vocab#${local}`,
      );
      return quad && Number(quad.object.value.slice(0, 4));
    };
    const wrong = all
      .filter(({ predicate }) => predicate.value === `${HOME}vocab#discoverer`)
      .map(({ subject, object }) => ({
        subject: subject.value,
        person: object.value,
        when: year(subject.value, 'discoveryYear') ?? year(subject.value, 'discovered'),
        born: year(object.value, 'birthYear'),
        died: year(object.value, 'deathYear'),
      }))
      .filter(({ when, born, died }) => when !== undefined && ((born ?? 0) + 15 > when || (died ?? 9999) < when));
    expect(wrong).toEqual([]);
  });
});
