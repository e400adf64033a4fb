import { createHash } from 'node:crypto';
import { WorldsEngine } from '@rdf-worlds/core';
import { describe, expect, it } from 'vitest';
import { ACADEMIC, academicDocument, academicLines, RDF_TYPE } from '../src/academic-data.ts';

const linesOf = (settings: Parameters<typeof academicLines>[0]) => [...academicLines(settings)];

describe('the academic data', () => {
  it('is identical for the same seed on every machine', () => {
    const document = academicDocument({ seed: 1, quads: 1000 });
    expect(academicDocument({ seed: 1, quads: 1000 }).equals(document)).toBe(true);
    // Pinned: figures of two versions are comparable only while this holds.
    expect(createHash('sha256').update(document).digest('hex')).toBe(
      'b9405fbf600eeb656fedc915dd0491092c140d32243cb6d749cf11fc8cc507f8',
    );
  });

  it('differs for another seed', () => {
    expect(linesOf({ seed: 1, quads: 50 })).not.toEqual(linesOf({ seed: 2, quads: 50 }));
  });

  it.each([0, 1, 2, 17, 100, 200, 5000])('has exactly %i distinct lines if asked for them', (quads) => {
    const lines = linesOf({ seed: 7, quads });
    expect(lines.length).toBe(quads);
    expect(new Set(lines).size).toBe(quads);
  });

  it('is a prefix of the larger data of the same seed', () => {
    expect(linesOf({ seed: 3, quads: 300 }).slice(0, 100)).toEqual(linesOf({ seed: 3, quads: 100 }));
  });

  it('repeats no line across universities', () => {
    const lines = linesOf({ seed: 4, quads: 60_000 });
    expect(lines.filter((line) => line.includes(`> <${RDF_TYPE}> <${ACADEMIC}University>`)).length).toBeGreaterThan(1);
    expect(new Set(lines).size).toBe(lines.length);
  });

  it('has every kind of thing in its first hundred lines', () => {
    for (let seed = 0; seed < 50; seed++) {
      const text = linesOf({ seed, quads: 100 }).join('');
      for (const type of ['University', 'Department', 'Professor', 'Course', 'Student', 'Publication']) {
        expect(text, `seed ${seed}`).toContain(`<${RDF_TYPE}> <${ACADEMIC}${type}>`);
      }
    }
  });

  it('shares no subject between two bases', () => {
    const subjects = (base: string) => linesOf({ seed: 5, quads: 300, base }).map((line) => line.split(' ')[0]);
    const others = new Set(subjects('https://data.example/2/'));
    expect(subjects('https://data.example/1/').filter((subject) => others.has(subject))).toEqual([]);
  });

  it('is N-Triples that the engine imports completely', async () => {
    await using engine = await WorldsEngine.open({ textIndex: null });
    await engine.createWorld({ slug: 'academic' });
    const data = academicDocument({ seed: 6, quads: 3000 });
    const { quads, inserted } = await engine.import({ source: 'academic', data, contentType: 'application/n-triples' });
    expect({ quads, inserted }).toEqual({ quads: 3000, inserted: 3000 });
  });
});
