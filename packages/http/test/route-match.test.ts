import { describe, expect, it } from 'vitest';
import { matchRoute } from '../src/route-match.ts';

function match(method: string, target: string) {
  const [path, query] = target.split('?');
  return matchRoute(method, path, new URLSearchParams(query));
}
const operation = (method: string, target: string) => match(method, target)?.match?.route.operation;

describe.each(['', '/namespaces/acme'])('routes below %j', (prefix) => {
  it.each([
    ['GET', '/worlds', 'listWorlds'],
    ['HEAD', '/worlds', 'listWorlds'],
    ['POST', '/worlds', 'createWorld'],
    ['GET', '/worlds/a', 'getWorld'],
    ['PUT', '/worlds/a', 'updateWorld'],
    ['DELETE', '/worlds/a', 'deleteWorld'],
    ['POST', '/worlds/a/export', 'exportWorld'],
    ['POST', '/worlds/a/import', 'importWorld'],
    ['POST', '/worlds/a/sparql', 'sparqlWorld'],
    ['GET', '/worlds/a/sparql', 'querySparqlWorld'],
    ['POST', '/worlds/a/search', 'searchWorld'],
    ['POST', '/worlds/sparql', 'sparqlCollection'],
    ['POST', '/worlds/search', 'searchCollection'],
    // Both are legal slugs.
    ['GET', '/worlds/sparql', 'getWorld'],
    ['GET', '/worlds/sparql?x=1', 'getWorld'],
    ['GET', '/worlds/sparql?query=ASK{}', 'querySparqlCollection'],
    ['GET', '/worlds/sparql?update=', 'querySparqlCollection'],
    ['GET', '/worlds/search?query=x', 'getWorld'],
    ['PUT', '/worlds/search', 'updateWorld'],
    ['DELETE', '/worlds/sparql', 'deleteWorld'],
    ['POST', '/worlds/sparql/sparql', 'sparqlWorld'],
    ['POST', '/worlds/search/search', 'searchWorld'],
    ['GET', '/worlds/a/graphs', 'getGraph'],
    ['PUT', '/worlds/a/graphs/b/c', 'putGraph'],
    ['POST', '/worlds/a/graphs/', 'postGraph'],
    ['DELETE', '/worlds/graphs/graphs', 'deleteGraph'],
    ['GET', '/w%6Frlds/a', 'getWorld'],
  ])('%s %s is %s', (method, path, expected) => {
    expect(operation(method, prefix + path)).toBe(expected);
  });

  it.each([
    '/',
    '/world',
    '/worlds/',
    '/worlds/a/',
    '/worlds/a/b',
    '/worlds/a/export/b',
    '/worlds%2Fa',
    '/Worlds',
    '//worlds',
  ])('there is nothing at %s', (path) => {
    const found = match('GET', prefix + path);
    // An empty slug is a malformed one, which the service refuses.
    if (path === '/worlds/') expect(found?.match?.slug).toBe('');
    else expect(found).toBeUndefined();
  });

  it('names the methods of a path', () => {
    const patch = match('PATCH', `${prefix}/worlds/a`);
    expect([patch?.methods, patch?.match]).toEqual([['GET', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'], undefined]);
    const exported = match('GET', `${prefix}/worlds/a/export`);
    expect([exported?.methods, exported?.match]).toEqual([['POST', 'OPTIONS'], undefined]);
    expect(match('GET', `${prefix}/worlds/sparql`)?.methods).toEqual([
      'POST',
      'GET',
      'PUT',
      'DELETE',
      'HEAD',
      'OPTIONS',
    ]);
    expect(match('constructor', `${prefix}/worlds`)?.match).toBeUndefined();
  });

  it('decodes names once, and leaves the path of a graph as it is', () => {
    expect(match('GET', `${prefix}/worlds/a%2Fb`)?.match?.slug).toBe('a/b');
    expect(match('GET', `${prefix}/worlds/%252e`)?.match?.slug).toBe('%2e');
    expect(match('GET', `${prefix}/worlds/%zz`)?.match?.slug).toBe('%zz');
    expect(match('GET', `${prefix}/worlds/a/graphs/x%2Fy/z`)?.match?.graphPath).toBe('x%2Fy/z');
  });
});

it('takes the namespace from the path', () => {
  expect(match('GET', '/namespaces/a%20b/worlds')?.match?.namespace).toBe('a b');
  expect(match('GET', '/worlds')?.match?.namespace).toBeUndefined();
});
