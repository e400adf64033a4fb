import { createInterface, type Interface } from 'node:readline';
import { CommanderError, type Command as Program } from 'commander';
import { Arguments } from '../arguments.ts';
import type { WorldsCommand } from '../command.ts';
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

/** Options that say where worlds are: the shell knows that. */
const PLACE_OPTIONS = ['url', 'token', 'data', 'load', 'load-format', 'take-over', 'read-only', 'config'];

type CompleterCallback = (error: Error | null, found: [candidates: string[], typed: string]) => void;

/** What the shell is told. */
export interface ShellOptions {
  readonly service: Service;
  /** What can be done to worlds. */
  readonly commands: readonly WorldsCommand[];
  readonly namespace?: string | undefined;
  /** Undefined: all worlds of the namespace. */
  readonly world?: WorldName | undefined;
  readonly prefixes?: Prefixes;
}

/** Takes queries, updates and commands line by line, until there are no more. */
export class Shell implements ShellSession {
  readonly service: InterruptibleService;
  readonly commands: readonly WorldsCommand[];
  readonly namespace: string | undefined;
  world: WorldName | undefined;
  prefixes: Prefixes;
  /** Of the answers of queries; undefined: a table, or Turtle. */
  format: string | undefined;
  private readonly isInteractive = Boolean(process.stdin.isTTY && process.stdout.isTTY);
  private history = History.ofUser();
  private readonly completer = new Completer(this);
  private lines!: Interface;
  private isClosed = false;
  /** By a command, not by the end of the input. */
  private isLeft = false;
  /** The lines that may be edited again, the newest first; the line editor's own. */
  private editable: string[] = [];
  /** What is typed so far of a text. */
  private typed: string[] = [];

  constructor({ service, commands, namespace, world, prefixes = {} }: ShellOptions) {
    this.service = new InterruptibleService(service);
    this.commands = commands;
    this.namespace = namespace;
    this.world = world;
    this.prefixes = prefixes;
  }

  /**
   * Runs to the end of the input. What fails is told, and ends a shell whose input is no terminal.
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
        'SPARQL runs when it is complete, or at an empty line. .help tells what else there is; .exit ends.\n',
      );
    }
    this.prompt();
    for await (const batch of lineBatches(this.lines)) {
      await this.take(batch);
      this.prompt();
    }
    // What is still there is meant to be run: an input without an empty line at its end.
    if (this.typed.length > 0) await this.runTyped();
    if (this.isInteractive && !this.isLeft) process.stdout.write('\n');
  }

  /** Ends after what is being done. */
  exit(): void {
    this.isLeft = true;
    this.lines.close();
  }

  /** Runs one of the commands about worlds. Throws what it throws. */
  async command(words: readonly string[]): Promise<void> {
    const act = async (command: WorldsCommand, parsed: Program) => {
      this.settle(parsed);
      const work = await command.begin(Arguments.of(parsed));
      await work(this.service);
    };
    const root = program(this.commands, act).name('');
    try {
      await root.parseAsync(words, { from: 'user' });
    } catch (error) {
      // The parser ends with its help, too.
      if (!(error instanceof CommanderError && error.exitCode === 0)) throw error;
    }
  }

  /** Runs a query or an update. Throws what is wrong with it. */
  async statement(text: string): Promise<void> {
    const statement = await statementOf(text, this.prefixes);
    switch (statement.state) {
      case 'query': {
        // A prefix that was declared once is known from then on.
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

  /** Tells the plan of a query or an update. Throws what is wrong with it. */
  async explain(text: string, options: readonly string[]): Promise<void> {
    const statement = await statementOf(text, this.prefixes);
    if (!('text' in statement)) throw new Error(statement.message);
    await this.command(['explain', ...options, '--', statement.text]);
  }

  /** Fills in what the shell knows, and refuses to be told it. */
  private settle(parsed: Program): void {
    const isTyped = (name: string) => parsed.getOptionValueSource(name) === 'cli';
    for (const option of parsed.options) {
      if (!PLACE_OPTIONS.includes(option.name())) continue;
      const name = option.attributeName();
      if (isTyped(name)) {
        throw new UsageError(`--${option.name()}: this shell has its worlds open; start another one for others.`);
      }
      // It may come from an environment variable.
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
      // An empty line alone says that it is enough; one in the middle of what is pasted need not.
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
    // A text in SPARQL has quotes of its own.
    if (own) return own.run(this, own.isText ? [] : wordsOf(rest), rest);
    const words = wordsOf(line);
    if (words.includes('-')) throw new UsageError('standard input is what the shell reads; name a file.');
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
    // Those that were typed are there line by line.
    if (entries.length === 1) {
      while (this.editable.length > 0 && lines.includes(this.editable[0])) this.editable.shift();
      this.editable.unshift(entries[0]);
    }
    this.remembering(() => {
      for (const entry of entries) this.history.add(entry);
    }, undefined);
  }

  /**
   * A history that cannot be read or written is told, and done without: it is not what the shell
   * was opened for.
   */
  private remembering<Result>(work: () => Result, otherwise: Result): Result {
    try {
      return work();
    } catch (error) {
      this.history = new History(undefined);
      process.stderr.write(`${(error as Error).message} Nothing of this shell is kept.\n`);
      return otherwise;
    }
  }

  private interrupted(): void {
    if (this.service.interrupt()) return;
    const isEmpty = this.typed.length === 0 && this.lines.line === '';
    this.typed = [];
    // The line editor keeps what is in its line: take it away as its user would.
    this.lines.write(null, { ctrl: true, name: 'e' });
    this.lines.write(null, { ctrl: true, name: 'u' });
    process.stdout.write(isEmpty ? '\n(.exit or Ctrl+D ends)\n' : '^C\n');
    this.prompt();
  }

  private prompt(): void {
    // A closed line editor that prompts would wait for input that nobody takes.
    if (!this.isInteractive || this.isClosed) return;
    const name = this.world?.slug ?? `${this.namespace ?? ''}*`;
    this.lines.setPrompt(this.typed.length === 0 ? `${name}> ` : `${' '.repeat(Math.max(name.length - 2, 0))}...> `);
    this.lines.prompt();
  }
}

/** `12 ms`, `1.25 s`. */
function time(milliseconds: number): string {
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(2)} s`;
}
