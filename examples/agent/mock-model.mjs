import { MockLanguageModelV3 } from 'ai/test';

/** The calls that a model would make in each conversation, one in each step. */
const SCRIPTS = [
  [
    ['find_entity', { name: 'Ada Lovelace' }],
    [
      'remember',
      {
        facts: [{ subject: 'Ada Lovelace', predicate: 'works at', object: 'Acme', from: '2024-05' }],
        source: 'the user, who heard it on the phone',
      },
    ],
  ],
  [
    ['look', { entity: 'Ada Lovelace' }],
    [
      'correct',
      {
        old: { subject: 'Ada Lovelace', predicate: 'works at', object: 'Acme' },
        object: 'Globex',
        kind: 'changed',
        source: 'the user',
      },
    ],
  ],
  [['history', { entity: 'Ada Lovelace' }]],
];

const USAGE = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/**
 * Returns a model that follows the script of a conversation, then answers with what the last tool
 * told it. It reads nothing else: the memory does the work.
 */
export function mockModel(conversation) {
  let step = 0;
  return new MockLanguageModelV3({
    async doGenerate({ prompt }) {
      const call = SCRIPTS[conversation][step++];
      const content = call
        ? { type: 'tool-call', toolCallId: `call-${step}`, toolName: call[0], input: JSON.stringify(call[1]) }
        : { type: 'text', text: `The memory says: ${toldLast(prompt)}` };
      const finishReason = { unified: call ? 'tool-calls' : 'stop', raw: undefined };
      return { content: [content], finishReason, usage: USAGE, warnings: [] };
    },
  });
}

/** What the last tool told the model, on one line. */
function toldLast(prompt) {
  const results = prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []));
  return results.at(-1).output.value.trim().replace(/\s+/g, ' ');
}
