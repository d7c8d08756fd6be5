import { McpError } from '../errors.ts';
import { compileGlob } from './glob.ts';
import type { Glob } from './glob.ts';
import type { ArgumentCondition, NamePattern, ToolPattern } from './tool-pattern.ts';

/**
 * Reads `tool`, `server/tool` or `server/tool(argument=value, other.argument="quoted, value")`; `*` stands for anything
 * within its part, and in quotes `\*`, `\"` and `\\` stand for themselves.
 */
export function parseToolPattern(text: string): ToolPattern {
  const bracket = text.indexOf('(');
  const name = bracket === -1 ? text : text.slice(0, bracket);
  const names = parseNames(text, name);
  const conditions = bracket === -1 ? [] : new ConditionReader(text, bracket + 1).read();
  return Object.freeze({ text, ...names, conditions });
}

/** Reads several patterns, in their order. */
export function parseToolPatterns(texts: readonly string[]): readonly ToolPattern[] {
  return texts.map(parseToolPattern);
}

function parseNames(text: string, name: string): Pick<ToolPattern, 'server' | 'tool'> {
  const closing = name.indexOf(')');
  if (closing !== -1) throw mistake(text, closing, 'a tool name without )');
  const space = name.search(/^\s|\s$/);
  if (space !== -1) throw mistake(text, space, 'a name without spaces around it');
  const slash = name.indexOf('/');
  if (slash === 0) throw mistake(text, 0, 'the name of a server before the /');
  if (slash === name.length - 1) throw mistake(text, name.length, 'the name of a tool');
  const tool = toNamePattern(name.slice(slash + 1));
  return slash === -1 ? { tool } : { server: toNamePattern(name.slice(0, slash)), tool };
}

function toNamePattern(text: string): NamePattern {
  return { text, matches: compileGlob(text.split('*')) };
}

/** Reads what stands between the brackets, from left to right. */
class ConditionReader {
  readonly #text: string;
  #at: number;

  constructor(text: string, start: number) {
    this.#text = text;
    this.#at = start;
  }

  read(): readonly ArgumentCondition[] {
    const conditions = [this.#readCondition()];
    while (this.#take(',')) conditions.push(this.#readCondition());
    if (!this.#take(')')) throw mistake(this.#text, this.#at, ', or )');
    if (this.#at < this.#text.length) {
      throw mistake(this.#text, this.#at, 'nothing after the ); put a value that has , or ) in it in quotes');
    }
    return conditions;
  }

  #readCondition(): ArgumentCondition {
    this.#skipSpaces();
    const start = this.#at;
    const path = this.#readUntil(/[=,)]/g).trim().split('.');
    if (path.includes('')) throw mistake(this.#text, start, 'an argument such as path or options.path');
    if (!this.#take('=')) throw mistake(this.#text, this.#at, '= and a value');
    this.#skipSpaces();
    const matches = this.#take('"') ? this.#readQuoted() : compileGlob(this.#readUntil(/[,)]/g).trim().split('*'));
    this.#skipSpaces();
    return { path, matches };
  }

  #readQuoted(): Glob {
    const parts = [''];
    const add = (character: string): void => void parts.push((parts.pop() ?? '') + character);
    while (!this.#take('"')) {
      const character = this.#text[this.#at];
      if (character === undefined) throw mistake(this.#text, this.#at, 'a closing "');
      if (this.#take('*')) parts.push('');
      else if (this.#take('\\')) add(this.#readEscaped());
      else {
        add(character);
        this.#at += 1;
      }
    }
    return compileGlob(parts);
  }

  #readEscaped(): string {
    const escaped = this.#text[this.#at];
    if (escaped === undefined || !'*"\\'.includes(escaped)) {
      throw mistake(this.#text, this.#at, '*, " or \\ after the \\');
    }
    this.#at += 1;
    return escaped;
  }

  #readUntil(end: RegExp): string {
    end.lastIndex = this.#at;
    const start = this.#at;
    this.#at = end.exec(this.#text)?.index ?? this.#text.length;
    return this.#text.slice(start, this.#at);
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #skipSpaces(): void {
    while (this.#take(' '));
  }
}

function mistake(text: string, at: number, expected: string): McpError {
  const found = at < text.length ? JSON.stringify(text[at]) : 'the end';
  const place = `tool pattern ${JSON.stringify(text)}, column ${at + 1}`;
  return new McpError('CONFIG_INVALID', `${place}: found ${found}, expected ${expected}`);
}
