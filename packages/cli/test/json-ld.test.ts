import { expect, it } from 'vitest';
import { callCommand } from './command-call.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const folder = new TemporaryFolder();
const DIRECTED = { '@id': 'urn:s', 'urn:p': { '@value': 'x', '@language': 'ar', '@direction': 'rtl' } };

it('exports JSON-LD that is compacted with the context in a file', async () => {
  const data = folder.write('data.nq', '<urn:s> <urn:p> "x" .\n');
  const context = { name: 'urn:p', id: '@id' };
  const file = folder.write('context.jsonld', JSON.stringify({ '@context': context }));
  const { code, stdout } = await callCommand(['export', '--load', data, '--context', file]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({ '@context': context, '@graph': [{ id: 'urn:s', name: 'x' }] });

  const turtle = await callCommand(['export', '--load', data, '--context', file, '--format', 'ttl']);
  expect(turtle).toMatchObject({ code: 1, stderr: expect.stringContaining('only JSON-LD has a context') });
  const broken = folder.write('broken.json', '{');
  const refused = await callCommand(['export', '--load', data, '--context', broken]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('it is not valid JSON') });
});

it('exports JSON-LD that is framed with the frame in a file', async () => {
  const data = folder.write('framed.nq', '<urn:s> <urn:p> "x" .\n<urn:t> <urn:q> "y" .\n');
  const frame = { '@context': { name: 'urn:p' }, name: {} };
  const file = folder.write('frame.jsonld', JSON.stringify(frame));
  const { code, stdout } = await callCommand(['export', '--load', data, '--frame', file]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({ '@context': frame['@context'], '@id': 'urn:s', name: 'x' });
  const broken = folder.write('broken-frame.json', '{');
  const refused = await callCommand(['export', '--load', data, '--frame', broken]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--frame') });
});

it('keeps directions of JSON-LD as --rdf-direction says', async () => {
  const place = ['--world', 'w', '--data', folder.at('data')];
  const form = ['--rdf-direction', 'i18n-datatype'];
  const input = folder.write('directed.jsonld', JSON.stringify(DIRECTED));
  expect(await callCommand(['import', ...place, '--create', ...form, input])).toMatchObject({ code: 0 });
  expect((await callCommand(['export', ...place])).stdout).toContain('https://www.w3.org/ns/i18n#ar_rtl');
  const { stdout } = await callCommand(['export', ...place, '--format', 'jsonld', ...form]);
  expect(JSON.parse(stdout)).toEqual([{ ...DIRECTED, 'urn:p': [DIRECTED['urn:p']] }]);
  expect(await callCommand(['export', ...place, '--rdf-direction', 'up'])).toMatchObject({ code: 2 });
});
