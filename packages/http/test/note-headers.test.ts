import { expect, it } from 'vitest';
import { noteHeaders } from '../src/operations/note-headers.ts';

it('notes are an array of strings in ASCII, without the name of the field', () => {
  expect(noteHeaders([])).toEqual({});
  const { 'rdf-worlds-notes': header } = noteHeaders(['importAll: documents[0].data: "é😀" is\nodd', 'other']);
  expect(header).toMatch(/^[ -~]+$/);
  expect(JSON.parse(header)).toEqual(['"é😀" is\nodd', 'other']);
});

it('notes that would make the header too long are counted', () => {
  const { 'rdf-worlds-notes': header } = noteHeaders(['x'.repeat(1000), 'y'.repeat(500), 'é'.repeat(500), 'z']);
  expect(header.length).toBeLessThan(2100);
  expect(JSON.parse(header)).toEqual(['x'.repeat(1000), 'y'.repeat(500), 'and 2 more']);
  expect(noteHeaders(['x'.repeat(3000)])).toEqual({ 'rdf-worlds-notes': '["and 1 more"]' });
});
