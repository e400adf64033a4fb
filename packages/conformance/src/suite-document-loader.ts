import type { SuiteFiles } from './suite-files.ts';

/**
 * Loads remote JSON-LD contexts from the unpacked suites: the tests name them by their published
 * IRIs, and no network is used.
 */
export function suiteDocumentLoader(files: SuiteFiles) {
  return async (url: string): Promise<{ document: unknown; documentUrl: string }> => ({
    document: JSON.parse(await files.text(url)),
    documentUrl: url,
  });
}
