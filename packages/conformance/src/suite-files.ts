import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JSON_LD_API, RDF_TESTS } from './vocabulary.ts';

/** Published prefix to folder; the folders keep the paths of the sites. */
const SITES: ReadonlyMap<string, string> = new Map([
  [RDF_TESTS, 'rdf-tests'],
  [JSON_LD_API, 'json-ld-api'],
]);

/** The files of the unpacked suites, by the IRIs under which they are published. */
export class SuiteFiles {
  readonly #folder: string;

  /** @param folder The `suites` folder: it holds `rdf-tests` and `json-ld-api`. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * The file on disk behind a published IRI (fragment and query aside), or undefined when the
   * suites do not hold it.
   */
  path(iri: string): string | undefined {
    for (const [site, folder] of SITES) {
      if (!iri.startsWith(site)) continue;
      // URL resolution has removed dot segments, so that the path stays inside the folder.
      const relative = decodeURIComponent(new URL(iri).pathname.slice(new URL(site).pathname.length));
      const path = join(this.#folder, folder, relative);
      return existsSync(path) ? path : undefined;
    }
    return undefined;
  }

  async bytes(iri: string): Promise<Uint8Array> {
    const path = this.path(iri);
    if (!path) throw new Error(`The suites hold no file for <${iri}>; unpack a complete copy.`);
    return readFile(path);
  }

  async text(iri: string): Promise<string> {
    return new TextDecoder('utf-8', { fatal: true }).decode(await this.bytes(iri));
  }
}
