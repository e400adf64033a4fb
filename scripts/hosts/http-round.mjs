import assert from 'node:assert/strict';

const LIMIT_MS = 60_000;
/** The same triple in every format; each format is read by a different library. */
const TRIPLE = '<urn:ada> <urn:made> "the analytical engine" .\n';
const DOCUMENTS = [
  ['application/n-quads', TRIPLE],
  ['text/turtle', '<urn:ada> <urn:made> "the analytical engine" .'],
  ['application/ld+json', '{ "@id": "urn:ada", "urn:made": "the analytical engine" }'],
  [
    'application/rdf+xml',
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:u="urn:"><rdf:Description rdf:about="urn:ada"><u:made>the analytical engine</u:made></rdf:Description></rdf:RDF>',
  ],
];
const MANY = 20_000;

/**
 * Checks a host that serves RDF Worlds below `/api` from a client's perspective: worlds, imports in
 * four formats, queries, updates, graphs, search, exports, oversized bodies and disconnecting
 * clients. Throws at the first wrong answer.
 */
export async function httpRound(origin, token) {
  const authorization = `Bearer ${token}`;
  const ask = (path, { type = 'application/json', accept = '*/*', ...init } = {}) =>
    fetch(`${origin}${path}`, {
      ...init,
      headers: { accept, authorization, ...(init.body !== undefined && { 'content-type': type }) },
      signal: init.signal ?? AbortSignal.timeout(LIMIT_MS),
    });
  const answered = async (status, path, init) => {
    const answer = await ask(path, init);
    const text = await answer.text();
    assert.equal(answer.status, status, `${init?.method ?? 'GET'} ${path}: ${text.slice(0, 2_000)}`);
    return text;
  };
  const post = (status, path, body) => answered(status, path, { method: 'POST', body: JSON.stringify(body) });
  const importInto = (slug, contentType, document) =>
    post(204, `/api/worlds/${slug}/import`, { contentType, data: Buffer.from(document).toString('base64') });
  const bindings = (text) => JSON.parse(text).results.bindings.map(({ o }) => o.value);

  assert.equal(await answered(200, '/'), 'The host itself.');
  assert.equal((await fetch(`${origin}/api/worlds`)).status, 401);
  assert.equal(JSON.parse(await answered(200, '/api/openapi.json')).openapi, '3.1.0');

  for (const [contentType, document] of DOCUMENTS) {
    await post(201, '/api/worlds', { slug: 'people' });
    await importInto('people', contentType, document);
    assert.equal(await post(200, '/api/worlds/people/export', {}), TRIPLE);
    await answered(204, '/api/worlds/people', { method: 'DELETE' });
  }

  await post(201, '/api/worlds', { slug: 'people' });
  await importInto('people', 'application/n-quads', TRIPLE);
  const sparql = '/api/worlds/people/sparql';
  const query = 'SELECT ?o { <urn:ada> <urn:made> ?o } ORDER BY ?o';
  const found = ['the analytical engine'];
  assert.deepEqual(bindings(await post(200, sparql, { query })), found);
  const form = String(new URLSearchParams({ query }));
  for (const [type, body] of [
    ['application/sparql-query', query],
    ['application/x-www-form-urlencoded', form],
  ]) {
    assert.deepEqual(bindings(await answered(200, sparql, { method: 'POST', body, type })), found);
  }
  const csv = await answered(200, `${sparql}?${form}`, { accept: 'text/csv' });
  assert.equal(csv, 'o\r\nthe analytical engine\r\n');
  await answered(204, sparql, {
    method: 'POST',
    body: 'INSERT DATA { <urn:ada> <urn:made> "notes" }',
    type: 'application/sparql-update',
  });
  assert.deepEqual(bindings(await post(200, sparql, { query })), ['notes', ...found]);
  const hits = JSON.parse(await post(200, '/api/worlds/people/search', { query: 'engine' }));
  assert.deepEqual(
    hits.map(({ object }) => object),
    found,
  );
  await answered(201, '/api/worlds/people/graphs?graph=urn:g', {
    method: 'PUT',
    body: TRIPLE,
    type: 'application/n-triples',
  });
  assert.equal(
    await answered(200, '/api/worlds/people/graphs?graph=urn:g', { accept: 'application/n-triples' }),
    TRIPLE,
  );

  const document = Array.from({ length: MANY }, (_, i) => `<urn:${i}> <urn:is> "${i}" .\n`).join('');
  await post(201, '/api/worlds', { slug: 'large' });
  await importInto('large', 'application/n-quads', document);
  assert.equal((await post(200, '/api/worlds/large/export', {})).length, document.length);

  // The result exceeds the limit of rows: a truncated answer must not look complete.
  const cross = { method: 'POST', body: JSON.stringify({ query: 'SELECT ?a ?d { ?a ?b ?c . ?d ?e ?f }' }) };
  await assert.rejects((await ask('/api/worlds/large/sparql', cross)).text());
  const gone = new AbortController();
  const streamed = await ask('/api/worlds/large/sparql', { ...cross, signal: gone.signal });
  await streamed.body.getReader().read();
  gone.abort();
  const tooLarge = JSON.stringify({ query: ' '.repeat(2 ** 20) });
  assert.match(await answered(413, sparql, { method: 'POST', body: tooLarge }), /"error"/);
  await answered(404, '/api/worlds/nobody');
  assert.equal((await ask('/api/worlds/people', { method: 'HEAD' })).status, 200);
}
