import { Buffer } from '#platform';
import { Slicer } from '../contracts/slicer.ts';
import { findFormat } from '../formats/rdf-formats.ts';
import { describedGraphs } from './described-graphs.ts';
import type { OpenSource } from './open-source.ts';
import { unsupportedFormat } from './read-documents.ts';
import { scratchDataset } from './scratch-dataset.ts';
import { describeService, SERVICE_DESCRIPTION_PREFIXES } from './service-description.ts';

/**
 * Writes the service description of an endpoint in an RDF format. Throws UNSUPPORTED for a media
 * type that is not one, before the worlds are opened.
 */
export async function writeServiceDescription(
  endpointUrl: string,
  contentType: string,
  openWorlds: () => Promise<readonly OpenSource[]> | readonly OpenSource[],
): Promise<Uint8Array> {
  const format = findFormat(contentType);
  if (!format?.write) throw unsupportedFormat(contentType);
  const graphs = describedGraphs(await openWorlds());
  const slicer = new Slicer();
  const description = await scratchDataset([describeService(endpointUrl, graphs)], slicer);
  const options = { prefixes: SERVICE_DESCRIPTION_PREFIXES, slicer };
  const chunks: Uint8Array[] = [];
  for await (const chunk of format.write(description, description.terms, options)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
