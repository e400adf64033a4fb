import { isomorphic } from 'rdf-isomorphic';
import { describe, expect, it } from 'vitest';
import { findFormat, RDF_FORMATS, RESULT_FORMATS, WorldsEngine } from '../../src/index.ts';
import { readDocument } from '../formats/documents.ts';

const SD = 'http://www.w3.org/ns/sparql-service-description#';
const FORMATS = 'http://www.w3.org/ns/formats/';

async function description(contentType?: string) {
  await using engine = await WorldsEngine.open();
  await engine.createWorld({ slug: 'a' });
  const data = '<urn:s> <urn:p> 1, 2 . <urn:g> { <urn:s> <urn:p> 3 }';
  await engine.import({ source: 'a', contentType: 'application/trig', data });
  const bytes = await engine.serviceDescription({ sources: ['a'], endpointUrl: 'http://ex/sparql', contentType });
  return readDocument(findFormat(contentType ?? 'text/turtle')!.read!, bytes);
}

describe('serviceDescription', () => {
  it('names every format that is read and written', async () => {
    const quads = await description();
    const names = (property: string) =>
      quads.filter(({ predicate }) => predicate.value === SD + property).map(({ object }) => object.value);
    const listed = (formats: readonly { readonly formatIri?: string | undefined }[]) =>
      formats.flatMap(({ formatIri }) => formatIri ?? []);
    expect(names('inputFormat')).toEqual(listed(RDF_FORMATS.filter(({ read }) => read)));
    expect(names('resultFormat')).toEqual(listed([...RDF_FORMATS.filter(({ write }) => write), ...RESULT_FORMATS]));
  });

  it('names formats as the list of the W3C does, which has no RDF Patch', () => {
    const formats = [...RDF_FORMATS, ...RESULT_FORMATS];
    const iris = formats.flatMap(({ formatIri }) => formatIri ?? []);
    expect(new Set(iris).size).toBe(iris.length);
    for (const iri of iris) expect(iri).toMatch(/^http:\/\/www\.w3\.org\/ns\/formats\/[A-Z][\w-]+$/);
    expect(iris).toContain(`${FORMATS}SPARQL_Results_TSV`);
    expect(formats.filter(({ formatIri }) => !formatIri).map(({ name }) => name)).toEqual(['RDF Patch']);
  });

  it('describes the graphs and their sizes', async () => {
    const quads = await description();
    const sizes = quads
      .filter(({ predicate }) => predicate.value.endsWith('void#triples'))
      .map(({ object }) => object.value);
    expect(sizes).toEqual(['2', '1']);
    const [name] = quads.filter(({ predicate }) => predicate.value === `${SD}name`);
    expect(name.object.value).toBe('urn:g');
  });

  it.each(RDF_FORMATS.filter(({ write }) => write).map(({ mediaType }) => mediaType))(
    'is the same as %s',
    async (mediaType) => {
      expect(isomorphic(await description(mediaType), await description())).toBe(true);
    },
  );

  it('refuses other media types', async () => {
    await expect(description('text/html')).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });
});
