import { writeFile } from 'node:fs/promises';
import { openapiDocument } from '../src/openapi-document.ts';

/**
 * Writes `openapi.json`, the document that is shipped with the package:
 * `npx tsx packages/http/scripts/write-openapi.ts`.
 */
const target = new URL('../openapi.json', import.meta.url);
await writeFile(target, `${JSON.stringify(openapiDocument('http://localhost'), null, 2)}\n`);
