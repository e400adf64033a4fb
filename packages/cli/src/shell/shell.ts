import { createInterface, type Interface } from 'node:readline';
import { CommanderError, type Command as Program } from 'commander';
import { Arguments } from '../arguments.ts';
import type { WorldsCommand } from '../command.ts';
import { withWordsOf } from '../library-words.ts';
import { LOCAL_LIMIT_NAMES } from '../local-limits.ts';
import type { Prefixes } from '../prefixes.ts';
import { program } from '../program.ts';
import type { Service } from '../service.ts';
import { UsageError } from '../usage-error.ts';
import type { WorldName } from '../world-name.ts';
import { Completer } from './completer.ts';
import { HISTORY_SIZE, History, historyEntries } from './history.ts';
import { InterruptibleService } from './interruptible-service.ts';
import { lineBatches } from './line-batches.ts';
import { SHELL_COMMANDS } from './shell-commands.ts';
import type { ShellSession } from './shell-session.ts';
import { statementOf } from './statement.ts';
import { wordsOf } from './words.ts';

/** Options that select the place of the worlds, which is fixed for the shell. */
const PLACE_OPTIONS: readonly string[] = [
  ...['url', 'token', 'data', 'storage', 'load', 'load-format', 'take-over', 'read-only', 'config', 'embedder'],
  'worlds-memory-bytes',
  ...LOCAL_LIMIT_NAMES,
];

type CompleterCallback = (error: Error | null, found: [candidates: string[], typed: string]) => void;

/** Options of the shell. */
export interface ShellOptions {
  readonly service: Service;
  /** The commands on worlds. */
  readonly commands: readonly WorldsCommand[];
  readonly namespace?: string | undefined;
  /** Undefined for all worlds of the namespace. */
  readonly world?: WorldName | undefined;
  readonly prefixes?: Prefixes;
}

/** An interactive shell that runs queries, updates and commands until its input ends. */
export class Shell implements ShellSession {
  readonly service: InterruptibleService;
  readonly commands: readonly WorldsCommand[];
  readonly namespace: string | undefined;
  world: WorldName | undefined;
  prefixes: Prefixes;
  /** The format of query answers; undefined for a table or Turtle. */
  format: string | undefined;
  private readonly isInteractive = Boolean(process.stdin.isTTY && process.stdout.isTTY);
  private history = History.ofUser();
  private readonly completer = new Completer(this);
  private lines!: Interface;
  private isClosed = false;
  /** True if a command ended the shell, as opposed to the end of the input. */
  private isLeft = false;
  /** The editable history lines, newest first; owned by the line editor. */
  private editable: string[] = [];
  /** The lines typed so far of an unfinished text. */
  private typed: string[] = [];

  constructor({ service, commands, namespace, world, prefixes = {} }: ShellOptions) {
    this.service = new InterruptibleService(service);
    this.commands = commands;
    this.namespace = namespace;
    this.world = world;
    this.prefixes = prefixes;
  }

  /**
   * Runs until the input ends. Errors are printed on a terminal; otherwise the first one ends the
   * shell.
   */
  async run(): Promise<void> {
    this.lines = createInterface({
      input: process.stdin,
      output: process.stdout,
      terminal: this.isInteractive,
      historySize: HISTORY_SIZE,
      removeHistoryDuplicates: true,
      history: this.isInteractive ? this.remembering(() => this.history.entries(), []) : [],
      completer: (line: string, answer: CompleterCallback) => {
        this.completer.complete(this.typed, line).then(
          (found) => answer(null, found),
          (error) => answer(error, [[], line]),
        );
      },
    });
    this.lines.on('history', (editable) => {
      this.editable = editable;
    });
    this.lines.on('close', () => {
      this.isClosed = true;
    });
    this.lines.on('SIGINT', () => this.interrupted());
    if (this.isInteractive) {
      process.stdout.write(
        'SPARQL runs when it is complete, or at an empty line. .help lists the commands; .exit ends the shell.\n',
      );
    }
    this.prompt();
    for await (const batch of lineBatches(this.lines)) {
      await this.take(batch);
      this.prompt();
    }
    // Runs a text that the end of the input completes without an empty line.
    if (this.typed.length > 0) await this.runTyped();
    if (this.isInteractive && !this.isLeft) process.stdout.write('\n');
  }

  /** Ends the shell after the current work. */
  exit(): void {
    this.isLeft = true;
    this.lines.close();
  }

  /** Runs a command on worlds. Throws the command's errors. */
  async command(words: readonly string[]): Promise<void> {
    const act = async (command: WorldsCommand, parsed: Program) => {
      this.settle(parsed);
      const given = Arguments.of(parsed);
      const work = await command.begin(given);
      await withWordsOf(given, () => work(this.service));
    };
    const root = program(this.commands, act).name('');
    try {
      await root.parseAsync(words, { from: 'user' });
    } catch (error) {
      // The parser throws for help, too, with exit code 0.
      if (!(error instanceof CommanderError && error.exitCode === 0)) throw error;
    }
  }

  /** Runs a query or update. Throws if it is invalid or fails. */
  async statement(text: string): Promise<void> {
    const statement = await statementOf(text, this.prefixes);
    switch (statement.state) {
      case 'query': {
        // Prefixes declared in a query stay in effect.
        this.prefixes = { ...this.prefixes, ...statement.prefixes };
        const format = this.format === undefined ? [] : ['--format', this.format];
        return this.command(['query', ...format, '--', statement.text]);
      }
      case 'update':
        this.completer.forget();
        return this.command(['update', '--', statement.text]);
      default:
        throw new Error(statement.message);
    }
  }

  /** Shows the plan of a query or update. Throws if it is invalid. */
  async explain(text: string, options: readonly string[]): Promise<void> {
    const statement = await statementOf(text, this.prefixes);
    if (!('text' in statement)) throw new Error(statement.message);
    await this.command(['explain', ...options, '--', statement.text]);
  }

  /** Fills in the options that the shell determines. Throws `UsageError` if they are typed. */
  private settle(parsed: Program): void {
    const isTyped = (name: string) => parsed.getOptionValueSource(name) === 'cli';
    for (const option of parsed.options) {
      if (!PLACE_OPTIONS.includes(option.name())) continue;
      const name = option.attributeName();
      if (isTyped(name)) {
        throw new UsageError(`--${option.name()}: this cannot be changed inside the shell; start another shell.`);
      }
      // An environment variable may have set it.
      parsed.setOptionValueWithSource(name, undefined, undefined);
    }
    const has = (name: string) => parsed.options.some((option) => option.attributeName() === name);
    if (isTyped('namespace')) return;
    if (has('namespace')) parsed.setOptionValueWithSource('namespace', this.namespace, 'config');
    if (this.world && has('world') && !isTyped('world')) {
      const { namespace = this.namespace, slug } = this.world;
      parsed.setOptionValueWithSource('world', namespace === undefined ? slug : `${namespace}/${slug}`, 'config');
      parsed.setOptionValueWithSource('namespace', namespace, 'config');
    }
  }

  private async take(batch: readonly string[]): Promise<void> {
    for (const [i, line] of batch.entries()) {
      if (this.typed.length === 0 && line.trim() === '') continue;
      if (this.typed.length === 0 && line.trimStart().startsWith('.')) {
        await this.attempt([line], () => this.dotCommand(line.trim().slice(1)));
        continue;
      }
      if (line.trim() !== '') this.typed.push(line);
      const isEmpty = line.trim() === '';
      const isLastTyped = this.isInteractive && i === batch.length - 1;
      if (!isEmpty && !isLastTyped) continue;
      const { state } = await statementOf(this.typed.join('\n'), this.prefixes);
      // A single empty line completes the text; inside a pasted batch, it does not.
      if (state !== 'unfinished' || (isEmpty && batch.length === 1)) await this.runTyped();
      else if (isEmpty) this.typed.push('');
    }
  }

  private async runTyped(): Promise<void> {
    const lines = this.typed;
    this.typed = [];
    await this.attempt(lines, () => this.statement(lines.join('\n')));
  }

  private async dotCommand(line: string): Promise<void> {
    const [name] = line.split(/\s/, 1);
    const rest = line.slice(name.length).trim();
    const own = SHELL_COMMANDS.find((command) => command.name === name);
    // SPARQL text keeps its quotes and must not be split.
    if (own) return own.run(this, own.isText ? [] : wordsOf(rest), rest);
    const words = wordsOf(line);
    if (words.includes('-')) throw new UsageError('the shell itself reads standard input; pass a file.');
    this.completer.forget();
    await this.command(words);
  }

  private async attempt(lines: readonly string[], work: () => Promise<void>): Promise<void> {
    this.remember(lines);
    const started = performance.now();
    try {
      await this.service.interruptibly(work);
      const took = performance.now() - started;
      if (this.isInteractive && this.service.wasAsked) process.stdout.write(`(${time(took)})\n`);
    } catch (error) {
      if (!this.isInteractive) throw error;
      const told = this.service.wasInterrupted ? 'Stopped.' : (error as Error).message.replace(/^error: /, '');
      process.stderr.write(`${told}\n`);
    }
  }

  private remember(lines: readonly string[]): void {
    if (!this.isInteractive) return;
    const entries = historyEntries(lines);
    // The line editor has already recorded the typed lines one by one; the joined entry replaces
    // them.
    if (entries.length === 1) {
      while (this.editable.length > 0 && lines.includes(this.editable[0])) this.editable.shift();
      this.editable.unshift(entries[0]);
    }
    this.remembering(() => {
      for (const entry of entries) this.history.add(entry);
    }, undefined);
  }

  /**
   * Runs history work. If the file cannot be read or written, reports the error and continues
   * without a history.
   */
  private remembering<Result>(work: () => Result, otherwise: Result): Result {
    try {
      return work();
    } catch (error) {
      this.history = new History(undefined);
      process.stderr.write(`${(error as Error).message} The history of this shell is not saved.\n`);
      return otherwise;
    }
  }

  private interrupted(): void {
    if (this.service.interrupt()) return;
    const isEmpty = this.typed.length === 0 && this.lines.line === '';
    this.typed = [];
    // The line editor provides no way to clear its line; simulate the keys Ctrl+E and Ctrl+U.
    this.lines.write(null, { ctrl: true, name: 'e' });
    this.lines.write(null, { ctrl: true, name: 'u' });
    process.stdout.write(isEmpty ? '\n(.exit or Ctrl+D ends)\n' : '^C\n');
    this.prompt();
  }

  private prompt(): void {
    // Prompting on a closed line editor would wait for input forever.
    if (!this.isInteractive || this.isClosed) return;
    const name = this.world?.slug ?? `${this.namespace ?? ''}*`;
    this.lines.setPrompt(this.typed.length === 0 ? `${name}> ` : `${' '.repeat(Math.max(name.length - 2, 0))}...> `);
    this.lines.prompt();
  }
}

/** Formats a duration, such as `12 ms` or `1.25 s`. */
function time(milliseconds: number): string {
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(2)} s`;
}
