import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const LIMIT_MS = 300_000;
const PROTOCOL = '2025-06-18';

/** Returns the server that the first MCP configuration of a document names: `{ command, args }`. */
export function configuredServer(markdown) {
  for (const [, text] of markdown.matchAll(/```json\n(.*?)```/gs)) {
    const [server] = Object.values(JSON.parse(text).mcpServers ?? {});
    if (server) return server;
  }
  throw new Error('The document has no MCP configuration.');
}

/**
 * Starts an MCP server as a client does and calls tools, one after another. Returns the texts of
 * the results. Throws if a call fails, or if the server has not ended five minutes later.
 */
export async function callTools({ command, args }, calls, { cwd, env }) {
  const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  const late = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let id = 0;
  const ask = async (method, params) => {
    send({ id: ++id, method, params });
    const { done, value } = await lines.next();
    if (done) throw new Error(`${command} ${args.join(' ')} ended with ${await ended}:\n${printed}`);
    const answer = JSON.parse(value);
    if (answer.id !== id || answer.error || answer.result.isError) throw new Error(`${method}: ${value}`);
    return answer.result;
  };
  try {
    const clientInfo = { name: 'try', version: '1.0.0' };
    await ask('initialize', { protocolVersion: PROTOCOL, capabilities: {}, clientInfo });
    send({ method: 'notifications/initialized' });
    const texts = [];
    for (const [name, input] of calls) {
      const { content } = await ask('tools/call', { name, arguments: input });
      texts.push(content[0].text);
    }
    child.stdin.end();
    const end = await ended;
    if (end !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${end}:\n${printed}`);
    return texts;
  } finally {
    clearTimeout(late);
    child.kill();
  }
}
