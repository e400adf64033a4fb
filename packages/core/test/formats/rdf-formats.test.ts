import { describe, expect, it } from 'vitest';
import { formatNameOfFile } from '../../src/formats/format-names.ts';
import { findFormat, RDF_FORMATS } from '../../src/formats/rdf-formats.ts';
import { ArraySource } from './array-source.ts';
import { readDocument, writtenText } from './documents.ts';

describe('RDF_FORMATS', () => {
  it('says no media type and no extension twice', () => {
    const mediaTypes = RDF_FORMATS.flatMap(({ mediaType, aliases }) => [mediaType, ...aliases]);
    const extensions = RDF_FORMATS.flatMap((format) => format.extensions);
    expect(new Set(mediaTypes).size).toBe(mediaTypes.length);
    expect(new Set(extensions).size).toBe(extensions.length);
    for (const name of [...mediaTypes, ...extensions]) expect(name).toBe(name.toLowerCase());
  });

  it.each(RDF_FORMATS.map((format) => [format.name, format] as const))('%s is found by its names', (_, format) => {
    for (const mediaType of [format.mediaType, ...format.aliases]) {
      expect(findFormat(mediaType)).toBe(format);
      expect(findFormat(`${mediaType.toUpperCase()} ; charset=utf-8`)).toBe(format);
    }
    for (const extension of format.extensions) {
      expect(formatNameOfFile(`dir.d/a.b.${extension}`)?.mediaType).toBe(format.mediaType);
      expect(formatNameOfFile(`A.${extension.toUpperCase()}`)?.mediaType).toBe(format.mediaType);
    }
  });

  it.each([
    '',
    'application/json',
    'text/plain',
    'text/html',
    'application/xml',
    '*/*',
    'turtle',
    '__proto__',
    'constructor',
  ])('has no format %j', (mediaType) => {
    expect(findFormat(mediaType)).toBeUndefined();
  });

  it.each(['', 'ttl', 'a.ttl.gz', 'a.', 'a.txt', 'a.__proto__', '.ttl/a'])('has no format for the file %j', (name) => {
    expect(formatNameOfFile(name)).toBeUndefined();
  });

  it.each(RDF_FORMATS.filter(({ write }) => write).map((format) => [format.name, format] as const))(
    '%s writes an empty dataset that it reads back',
    async (_, { read, write }) => {
      expect(await readDocument(read!, await writtenText(write!, new ArraySource([])))).toEqual([]);
    },
  );
});
