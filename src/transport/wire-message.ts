import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { nestsDeeperThan } from './json-depth.ts';
import { WireFault } from './live-transport.ts';
import { isRequestId, recoverResponseId } from './response-id.ts';
import type { RequestId } from './response-id.ts';

export type WireEvent =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  /** No JSON: what a server logs to the wrong stream. */
  | { readonly kind: 'noise' }
  /** JSON that is no message, or answers no request that can be told. */
  | { readonly kind: 'dropped'; readonly reason: string }
  /** An answer that cannot be used; the one request it belongs to fails. */
  | { readonly kind: 'fault'; readonly id: RequestId; readonly fault: WireFault };

type Fields = Readonly<Record<string, unknown>>;

// Deeper values break the recursive code of whoever reads them later.
const MAX_DEPTH = 512;
const EDGE_CHARACTERS = 1024;
const FAULT_CODE = -32_603;

/** What one line from a server says; several things only in a batch of revision 2025-03-26. */
export function parseLine(line: string): readonly WireEvent[] {
  const text = line.codePointAt(0) === 0xfeff ? line.slice(1) : line;
  if (!/^\s*[{[]/.test(text)) return [{ kind: 'noise' }];
  if (nestsDeeperThan(text, MAX_DEPTH)) return [unreadable(text, `nests deeper than ${MAX_DEPTH} levels`)];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [unreadable(text, 'is not valid JSON')];
  }
  return Array.isArray(value) ? value.map((item) => fromValue(item)) : [fromValue(value)];
}

/** The error response that makes one request fail at once. */
export function faultResponse(id: RequestId, fault: WireFault): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code: FAULT_CODE, message: fault.detail, data: fault } };
}

function unreadable(text: string, what: string): WireEvent {
  const id = recoverResponseId(text.slice(0, EDGE_CHARACTERS), text.slice(-EDGE_CHARACTERS));
  return id === undefined ? { kind: 'noise' } : invalid(id, `the server's answer ${what}`);
}

function fromValue(value: unknown): WireEvent {
  if (!isFields(value) || value['jsonrpc'] !== '2.0') return { kind: 'dropped', reason: 'no JSON-RPC 2.0 message' };
  return typeof value['method'] === 'string' ? fromRequest(value, value['method']) : fromResponse(value);
}

// The SDK refuses members it does not know, so each message is made anew from those it does.
function fromRequest(value: Fields, method: string): WireEvent {
  const { id, params } = value;
  if (params !== undefined && !isFields(params)) return { kind: 'dropped', reason: 'params are no object' };
  const request = { jsonrpc: '2.0' as const, method, ...(params && { params }) };
  if (id === undefined) return { kind: 'message', message: request };
  if (!isRequestId(id)) return { kind: 'dropped', reason: 'the id of a request is no string or integer' };
  return { kind: 'message', message: { ...request, id } };
}

function fromResponse(value: Fields): WireEvent {
  const { id, result, error } = value;
  if (!isRequestId(id)) return { kind: 'dropped', reason: 'an answer without a usable id' };
  // Some servers write the member they do not use as null.
  if (error !== undefined && error !== null) return fromError(id, error, result);
  if (!isFields(result)) return invalid(id, `the server's result is ${nameOf(result)}, not an object`);
  if (result['_meta'] !== undefined && !isFields(result['_meta'])) {
    return invalid(id, `the _meta of the server's result is ${nameOf(result['_meta'])}, not an object`);
  }
  return { kind: 'message', message: { jsonrpc: '2.0', id, result } };
}

function fromError(id: RequestId, error: unknown, result: unknown): WireEvent {
  if (result !== undefined && result !== null)
    return invalid(id, "the server's answer holds both a result and an error");
  if (!isFields(error)) return invalid(id, `the server's error is ${nameOf(error)}, not an object`);
  const { code, message, data } = error;
  if (typeof code !== 'number' || !Number.isInteger(code) || typeof message !== 'string') {
    return invalid(id, "the server's error lacks a whole number as code or a text as message");
  }
  const read = { code, message, ...(data !== undefined && { data }) };
  return { kind: 'message', message: { jsonrpc: '2.0', id, error: read } };
}

function invalid(id: RequestId, detail: string): WireEvent {
  return { kind: 'fault', id, fault: new WireFault('invalid-message', detail) };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
