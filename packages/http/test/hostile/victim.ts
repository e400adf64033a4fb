/** The other tenant, whose point queries go on while there are attacks. */
export const VICTIM_TOKEN = 'victim-who-works-77aa';
export const VICTIM_WORLD = 'ada';
export const VICTIM_TRIPLES = Array.from({ length: 100 }, (_, i) => `<urn:v${i}> <urn:p> "value ${i}" .\n`).join('');
export const VICTIM_QUERY = 'SELECT ?o { <urn:v7> <urn:p> ?o }';
