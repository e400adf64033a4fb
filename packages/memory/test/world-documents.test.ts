import { dataFactory } from '@rdf-worlds/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DOCUMENTS_GRAPH, splitPassages, WorldDocuments } from '../src/index.ts';
import { aMemory, anEngine, TestClock } from './a-memory.ts';

const { namedNode } = dataFactory;
const WORLD = { namespace: 'default', slug: 'notes' };
const REPORT = namedNode('https://example.org/report');
const OTHER = namedNode('https://example.org/other');

const paragraph = fc.constantFrom(
  'A heading',
  'A paragraph that has one sentence. And a second one, which is longer than the first.',
  'Ein Absatz mit Umlauten wie ä und ü. Und 👩‍👩‍👧‍👦 am Ende.',
  'The same paragraph occurs often.',
  'word '.repeat(60).trim(),
);
const text = fc.array(paragraph, { minLength: 1, maxLength: 12 }).map((paragraphs) => paragraphs.join('\n\n'));

describe('documents', () => {
  it('have the passages of the last text, whatever was stored before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), async (texts) => {
        const engine = await anEngine();
        const documents = new WorldDocuments(engine, WORLD, { maxPassageLength: 100 });
        await documents.store({ document: OTHER, text: texts[0], title: 'Other' });
        let before = 0;
        for (const whole of texts) {
          const change = await documents.store({ document: REPORT, text: whole, title: 'Report' });
          const passages = await documents.passages(REPORT);
          expect(passages.map(({ text: own }) => own).join('')).toBe(whole);
          for (const [i, { start, end, text: own, order }] of passages.entries()) {
            expect([whole.slice(start, end), order]).toEqual([own, i + 1]);
            expect(own.length).toBeLessThanOrEqual(100);
          }
          expect(change.added + change.kept).toBe(splitPassages(whole, { maxLength: 100 }).length);
          expect(change.kept + change.removed).toBe(before);
          before = passages.length;
          // Again, it is the same: no commit.
          const { revision } = change;
          const again = await documents.store({ document: REPORT, text: whole, title: 'Report' });
          expect(again).toEqual({ added: 0, kept: before, removed: 0, revision });
        }
        expect(await documents.remove(REPORT)).toMatchObject({ added: 0, kept: 0, removed: before });
        expect(await documents.get(REPORT)).toBeUndefined();
        const left = await engine.export({ source: 'notes', contentType: 'application/n-quads' });
        expect(new TextDecoder().decode(left)).not.toContain(REPORT.value);
        expect((await documents.passages(OTHER)).map(({ text: own }) => own).join('')).toBe(texts[0]);
      }),
      { numRuns: 25 },
    );
  });

  it('keep the passages next to an edit, with their places', async () => {
    const engine = await anEngine();
    const documents = new WorldDocuments(engine, WORLD, { maxPassageLength: 200 });
    const paragraphs = Array.from(
      { length: 50 },
      (_, i) => `Paragraph ${i} says this and that at some length of ${i}.`,
    );
    await documents.store({ document: REPORT, text: paragraphs.join('\n\n') });
    const before = await documents.passages(REPORT);
    paragraphs[2] = 'A new paragraph.';
    const change = await documents.store({ document: REPORT, text: paragraphs.join('\n\n') });
    expect(change.removed).toBeLessThanOrEqual(2);
    const after = await documents.passages(REPORT);
    expect(after.at(-1)!.iri).toBe(before.at(-1)!.iri);
    expect(after.at(-1)!.start).toBeLessThan(before.at(-1)!.start);
  });

  it('say what they are, and keep their time until they change', async () => {
    const engine = await anEngine();
    const clock = new TestClock();
    const documents = new WorldDocuments(engine, WORLD, { clock: clock.read });
    const given = {
      document: REPORT,
      text: 'The text.',
      title: 'Report',
      sources: ['https://example.org/a', 'a mail'],
    };
    await documents.store(given);
    const stored = { document: REPORT, title: 'Report', sources: given.sources, length: 9 };
    const first = new Date(clock.nowMs);
    clock.set('2026-02-01T00:00:00Z');
    await documents.store(given);
    expect(await documents.get(REPORT)).toEqual({ ...stored, storedAt: first });
    await documents.store({ ...given, title: 'Final report' });
    expect(await documents.get(REPORT)).toEqual({ ...stored, title: 'Final report', storedAt: new Date(clock.nowMs) });
  });

  it.each([
    ['an empty text', { document: REPORT, text: '' }, 'it is empty'],
    ['half of a surrogate pair', { document: REPORT, text: '\ud83d' }, 'lone surrogate'],
    ['the IRI of a passage', { document: namedNode('urn:rdf-worlds:passage:a'), text: 'a' }, 'the IRI of a passage'],
  ])('cannot have %s', async (_, given, says) => {
    await expect(new WorldDocuments(await anEngine(), WORLD).store(given)).rejects.toThrow(says);
  });
});

describe('remember_document', () => {
  const filler = (i: number) => `Section ${i}. Nothing of interest happens in this part of the minutes at all.`;
  const sections = Array.from({ length: 60 }, (_, i) => filler(i));
  sections[41] = 'The harbour crane was inspected by Mrs Okonkwo, who found a crack in the boom.';
  const whole = sections.join('\n\n');

  it('stores a long text, of which search finds a sentence and cites its place', async () => {
    const { call } = await aMemory({ limits: { maxPassageLength: 200 } });
    const stored = await call('remember_document', { document: 'Minutes 12', text: whole, source: 'sent by mail' });
    expect(stored.data).toMatchObject({ document: 'e:Minutes_12', kept: 0, removed: 0, length: whole.length });
    const found = await call('search', { query: 'crack in the crane', limit: 1 });
    const { hits } = found.data as {
      hits: { subject: string; label: string; text: string; passage: { start: number; end: number; length: number } }[];
    };
    const [{ subject, label, text: shown, passage }] = hits;
    expect([subject, label, passage.length]).toEqual(['e:Minutes_12', 'Minutes 12', whole.length]);
    expect(whole.slice(passage.start, passage.end)).toBe(JSON.parse(shown));
    expect(shown).toContain(sections[41]);
    expect(found.text).toMatch(/^e:Minutes_12 \(Minutes 12\) passage \d+, \d+-\d+ of \d+ ".*a crack in the boom/);
    expect((await call('look', { entity: 'Minutes 12' })).text).toContain(
      `document of ${whole.length} characters; source sent by mail`,
    );
  });

  it('is forgotten with its passages, and with the facts about it', async () => {
    const { call, engine } = await aMemory();
    await call('remember_document', { document: 'Minutes 12', text: whole });
    await call('remember', { facts: [{ subject: 'Minutes 12', predicate: 'status', value: 'draft' }] });
    const { data, text: says } = await call('forget', { entity: 'Minutes 12' });
    expect(data).toMatchObject({ retractedCount: 1, removedPassages: expect.any(Number) });
    expect(says).toMatch(/^Deleted the document with \d+ passages\.\nRetracted 1 fact\./);
    expect((await call('search', { query: 'crack in the crane' })).text).toContain('Nothing found');
    const left = await engine.export({ source: 'notes', contentType: 'application/n-quads' });
    expect(new TextDecoder().decode(left)).not.toContain(DOCUMENTS_GRAPH);
    expect((await call('forget', { entity: 'e:Minutes_12' })).text).toContain('Nothing was retracted');
  });

  it('is not written by imports, which could give passages another place', async () => {
    const { call } = await aMemory();
    await expect(call('import_document', { document: '<urn:a> <urn:b> 1 .', graph: DOCUMENTS_GRAPH })).rejects.toThrow(
      'belong to the facts and documents',
    );
  });
});
