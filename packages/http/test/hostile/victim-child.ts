import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { VICTIM_QUERY, VICTIM_TOKEN, VICTIM_WORLD } from './victim.ts';

// Point queries of another tenant, one after the other, from a process that has nothing else to do:
// `fork` this file. The port is the first argument. Each message is answered with what was seen
// since the one before.

/** Between two queries, in milliseconds. */
const PAUSE_MS = 10;

const port = Number(process.argv[2]);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let latenciesMs: number[] = [];
let failures: string[] = [];

function ask(): Promise<void> {
  return new Promise((resolve) => {
    const started = performance.now();
    const fail = (problem: string) => {
      failures.push(problem);
      resolve();
    };
    const headers = { authorization: `Bearer ${VICTIM_TOKEN}`, 'content-type': 'application/sparql-query' };
    const path = `/worlds/${VICTIM_WORLD}/sparql`;
    request({ port, host: '127.0.0.1', method: 'POST', path, headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => (text += chunk));
      response.on('error', (error) => fail(error.message));
      response.on('end', () => {
        latenciesMs.push(performance.now() - started);
        if (response.statusCode === 200 && text.includes('value 7')) resolve();
        else fail(`${response.statusCode} ${text.slice(0, 200)}`);
      });
    })
      .on('error', (error: NodeJS.ErrnoException) => {
        // The server may close a connection that is idle just when it is used again.
        if (error.code === 'ECONNRESET') resolve();
        else fail(error.message);
      })
      .end(VICTIM_QUERY);
  });
}

let asked = Promise.resolve();

// The query that is under way belongs to what was before the message.
process.on('message', async () => {
  await asked;
  process.send!({ latenciesMs, failures });
  latenciesMs = [];
  failures = [];
});
process.on('disconnect', () => process.exit(0));
process.send!({});
for (;;) {
  asked = ask();
  await asked;
  await sleep(PAUSE_MS);
}
