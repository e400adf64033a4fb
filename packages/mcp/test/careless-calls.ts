/**
 * A call as models make them by mistake: the tool, its arguments, and what the answer must say for
 * the next call to be right. `ok` marks calls that are answered after all.
 */
export interface CarelessCall {
  readonly tool: string;
  readonly input: object;
  readonly says: readonly string[];
  readonly ok?: true;
}

const adaAtAcme = { subject: 'Ada Lovelace', predicate: 'works at', object: 'Acme' };
const call = (tool: string, input: object, ...says: string[]): CarelessCall => ({ tool, input, says });
const answered = (tool: string, input: object, ...says: string[]): CarelessCall => ({ tool, input, says, ok: true });

/** What the world `memory` has before the first call. */
export const STORED = [
  adaAtAcme,
  { subject: 'Ada Lovelace', predicate: 'note', value: 'likes tea' },
  { subject: 'Bob Jones', predicate: 'knows', object: 'Ada Lovelace' },
];

/**
 * A conversation of a careless model with the worlds `memory` (the default) and `projects`, in
 * order. None of the refused calls changes anything.
 */
export const CARELESS: readonly CarelessCall[] = [
  // Wrong shapes of facts.
  call('remember', { subject: 'Ada', predicate: 'likes', object: 'tea' }, 'a fact is an item of facts', '"facts":[{'),
  call('remember', { facts: adaAtAcme }, 'facts: it is an object; pass a list of such, in []'),
  call('remember', { facts: JSON.stringify([adaAtAcme]) }, 'facts: it is JSON in a text; pass a list itself'),
  call('remember', { facts: ['Ada likes tea'] }, 'facts[0]: it is text; pass an object'),
  call('remember', { facts: [{ s: 'Ada', p: 'likes', o: 'tea' }] }, 'subject for s, predicate for p, object for o'),
  call(
    'remember',
    { facts: [{ subject: 'Ada', predicate: 'age', object: 36 }] },
    'facts[0].object: it is a number; for a text, number or boolean pass value instead of object',
  ),
  call(
    'remember',
    { facts: [{ ...adaAtAcme, value: null }] },
    'facts[0].value: it is null; pass text, number or boolean, or leave it out',
  ),
  call('remember', { facts: [{ ...adaAtAcme, predicate: '' }] }, 'facts[0].predicate: it is empty'),
  call('remember', { facts: [] }, 'facts: the list is empty; pass at least one fact'),
  call('remember', { text: 'Ada likes tea' }, 'there is no argument "text"', 'a correct call: {"facts":'),
  call('remember', {}, 'pass facts, or an RDF document in their place'),
  call(
    'remember',
    { facts: [{ ...adaAtAcme, confidence: 95 }] },
    'facts[0].confidence: 95 is too large; the most is 1',
  ),
  call('remember', { facts: [{ ...adaAtAcme, confidence: 'high' }] }, 'it is text; pass a number'),
  call('remember', { facts: [{ ...adaAtAcme, object: 'foo:Acme' }] }, 'there is no prefix foo:', 'write the whole IRI'),
  // Times in words.
  call(
    'remember',
    { facts: [{ ...adaAtAcme, from: 'last Tuesday' }] },
    '"last Tuesday" is not a time',
    'now it is 2026-',
  ),
  call('remember', { facts: [{ ...adaAtAcme, valid_from: '2024' }] }, 'did you mean from?'),
  call('state_at', { entity: 'Ada Lovelace', valid_at: '01/02/2024' }, '"01/02/2024" is not a time; pass one such as'),
  call('state_at', { entity: 'Ada Lovelace', valid_at: 2024 }, 'valid_at: it is a number; pass text: "2024"'),
  call('state_at', { entity: 'Ada Lovelace', valid_at: '2024-02-30' }, '"2024-02-30" is not a valid date'),
  call('state_at', { entity: 'Ada Lovelace', time: '2024' }, 'did you mean valid_at?'),
  call('state_at', { entity: 'Ada Lovelace' }, 'pass valid_at, recorded_at or both; for now, call look'),
  // Worlds that are not there.
  call(
    'remember',
    { world: 'work', facts: [adaAtAcme] },
    'There is no world work. The worlds are memory, projects',
    'create_world makes one',
  ),
  call('search', { query: 'tea', worlds: ['project'] }, 'There is no world project; did you mean projects?'),
  call('describe_world', { world: 'Memory ' }, 'is not a valid name'),
  call('search', { query: 'tea', world: 'memory' }, 'did you mean worlds?'),
  call('search', { query: 'tea', worlds: 'memory' }, 'worlds: it is text; pass a list, such as ["memory"]'),
  call('create_world', { name: 'notes' }, 'there is no argument "name"; did you mean world?'),
  // Names where IRIs are wanted, and the other way round.
  answered('look', { entity: 'ada lovelace' }, 'e:Ada_Lovelace "Ada Lovelace"'),
  call('look', { entity: 'Adda' }, 'similar names: e:Ada_Lovelace ("Ada Lovelace"); pass one of these IRIs'),
  call('look', { name: 'Ada Lovelace' }, 'there is no argument "name"; did you mean entity?'),
  call(
    'look',
    { entity: 'https://example.org/ada' },
    'Nothing is known about <https://example.org/ada>',
    'find_entity',
  ),
  call('look', { entity: '🦆' }, 'no entity is called "🦆"; call search'),
  call('look', { entity: '' }, 'entity: it is empty'),
  answered('find_entity', { name: 'who is Ada Lovelace?' }, 'e:Ada_Lovelace'),
  answered('find_entity', { name: 'Nobody' }, 'search finds by other words'),
  // Searches.
  call('search', { query: ' ' }, 'query: it is empty; pass words'),
  call('search', { text: 'tea', top_k: 5 }, 'query for text, limit for top_k'),
  call('search', { query: 'tea', limit: '5' }, 'limit: it is text; pass a number, without quotes'),
  // SPARQL.
  call('query', { sparql: 'SELECT * {}' }, 'there is no argument "sparql"; did you mean query?'),
  call('query', { query: 'Who is Ada?' }, 'this is not SPARQL', 'For a question in words, call search'),
  call('query', { query: 'MATCH (n) RETURN n' }, 'a query begins with SELECT'),
  call('query', { query: '```sparql\nSELECT * { ?s ?p ?o }\n```' }, 'leave out the ```'),
  call('query', { query: 'SELECT ?x { ?x foo:name "Ada" }' }, 'add PREFIX foo:', '(line 1, column 16)'),
  // The declarations that the tool adds do not count.
  call('query', { query: 'SELECT ?x WHERE ?x rdfs:label "Ada" }' }, 'begins with "{"', '(line 1, column 17)'),
  call('query', { query: 'INSERT DATA { e:Ada v:likes e:Tea }' }, 'call remember, correct or forget'),
  answered(
    'query',
    { query: 'SELECT * { e:Ada_Lovelace v:worksAt ?o }' },
    'No rows.',
    'describe_world lists predicates',
  ),
  call('query', { query: 'SELECT * { ?s ?p ?o }', recorded_at: 'yesterday' }, '"yesterday" is not a time'),
  // Corrections.
  call(
    'correct',
    { ...adaAtAcme, object: 'Initech' },
    'there is no argument "subject", "predicate"',
    'a correct call: {"old":{',
  ),
  call('correct', { old: adaAtAcme, object: 'Initech' }, 'kind: it is missing; pass changed, wrong'),
  call('correct', { old: 'Acme', new: 'Initech' }, 'old: it is text; pass an object'),
  call(
    'correct',
    { old: { ...adaAtAcme, predicate: 'employer' }, kind: 'wrong', object: 'Initech' },
    'no such fact; look at the entity',
  ),
  call(
    'forget',
    { facts: [{ subject: 'Ada Lovelace', predicate: 'note', object: 'likes tea' }] },
    'no entity is called "likes tea"',
    'pass value instead of object',
  ),
  call('forget', {}, 'pass facts, or entity for everything about it'),
  call('forget', { facts: ['fact:abc'] }, 'facts[0]: it is text; pass an object', '"facts":[{"subject"'),
  // Documents.
  call('remember', { document: 'Ada likes tea.' }, 'this is not RDF; for words, pass facts', '(line 1, column 1)'),
  call('remember', { document: ':ada :likes :tea .' }, 'the prefix ":" is not declared', '(line 1, column 1)'),
  call('import_document', { document: '{"@id": "urn:a", "urn:p": "x"}' }, 'pass content_type application/ld+json'),
  call(
    'import_document',
    { document: 'https://example.org/data.ttl' },
    'pass the text of the document, not its address',
  ),
  call('import_document', { document: '<a> <b> "c" .' }, 'write whole IRIs'),
  call('import_document', { document: 'name\nAda', content_type: 'text/csv' }, '"text/csv" is not one of text/turtle'),
  call(
    'remember_document',
    { document: 'Minutes', content: 'abc' },
    'there is no argument "content"; did you mean text?',
  ),
];
