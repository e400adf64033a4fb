import type { ManifestEntry, ManifestInput } from './manifest-entry.ts';
import { JLD } from './vocabulary.ts';

interface JsonLdTest {
  readonly '@id': string;
  readonly '@type': readonly string[];
  readonly name: string;
  readonly input: string;
  readonly expect?: string;
  readonly expectErrorCode?: string;
  readonly requires?: string;
  readonly option?: Readonly<Record<string, unknown>>;
}

interface JsonLdManifest {
  readonly baseIri: string;
  readonly sequence: readonly JsonLdTest[];
}

/**
 * Inputs that the published manifest names wrongly: toRdf's er56 points into the folder of another
 * algorithm and has its own copy.
 */
const CORRECTED_INPUTS: ReadonlyMap<string, string> = new Map([['expand/er56-in.jsonld', 'toRdf/er56-in.jsonld']]);

/**
 * Reads a manifest of the JSON-LD API suite; it is plain JSON, its context is not needed to
 * understand it.
 */
export function readJsonLdManifest(text: string, iri: string): ManifestEntry[] {
  const { baseIri, sequence } = JSON.parse(text) as JsonLdManifest;
  // The context's @base names the tests: "toRdf-manifest", without the file's extension.
  const testBase = iri.replace(/\.jsonld$/, '');
  return sequence.map((test) => {
    const options = new Map(Object.entries(test.option ?? {}));
    if (test.expectErrorCode) options.set('expectErrorCode', test.expectErrorCode);
    if (test.requires) options.set('requires', test.requires);
    // The first type says what passing means, the second which algorithm; the manifest of each
    // algorithm is its own.
    return {
      iri: testBase + test['@id'],
      name: test.name,
      type: test['@type'][0].replace(/^jld:/, JLD),
      action: file(CORRECTED_INPUTS.get(test.input) ?? test.input, baseIri),
      result: test.expect === undefined ? undefined : file(test.expect, baseIri),
      options,
    };
  });
}

function file(reference: string, baseIri: string): ManifestInput {
  return { file: new URL(reference, baseIri).href, data: [], graphs: [] };
}
