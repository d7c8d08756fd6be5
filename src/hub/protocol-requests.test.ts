import { describe, expect, test } from 'vitest';
import { callToolRequest, getPromptRequest, readResourceRequest } from './protocol-requests.ts';

describe('tools/call', () => {
  const { parse, ...request } = callToolRequest(
    { tool: 'read', description: '', inputSchema: {}, schemaReport: [] },
    { path: '/x' },
  );

  test('names the tool as its server does, and passes the arguments on', () => {
    expect(request).toEqual({ method: 'tools/call', params: { name: 'read', arguments: { path: '/x' } } });
  });

  test('reads every kind of content as it is, a kind of tomorrow too', () => {
    const content = [
      { type: 'text', text: 'hello', annotations: { audience: ['user'] } },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'file:///x', text: 'x' } },
      { type: 'resource_link', uri: 'file:///x', name: 'x' },
      { type: 'hologram', depth: 3 },
    ];
    const structuredContent = { answer: 42 };
    expect(parse({ content, structuredContent, isError: true, _meta: {} })).toEqual({
      content,
      structuredContent,
      isError: true,
    });
  });

  test('reads a result without content, and takes only true for an error', () => {
    expect(parse({})).toEqual({ content: [], isError: false });
    expect(parse({ content: [], isError: 'yes', structuredContent: null })).toEqual({
      content: [],
      isError: false,
      structuredContent: null,
    });
  });

  test.each([
    [{ content: null }, 'content is null, not an array'],
    [{ content: 'text' }, 'content is string, not an array'],
    [{ content: [{ type: 'text', text: 'x' }, 'text'] }, 'content[1] is string, not an object'],
    [{ content: [null] }, 'content[0] is null, not an object'],
    [{ content: [{ text: 'x' }] }, 'content[0].type is undefined'],
    [{ content: [{ type: 7 }] }, 'content[0].type is 7'],
  ])('refuses %j', (result, message) => {
    expect(() => parse(result)).toThrow(new TypeError(message));
  });
});

describe('resources/read', () => {
  const { parse, ...request } = readResourceRequest('file:///x');

  test('names the resource', () => {
    expect(request).toEqual({ method: 'resources/read', params: { uri: 'file:///x' } });
  });

  test('reads text and binary contents', () => {
    const contents = [
      { uri: 'file:///x', mimeType: 'text/plain', text: 'hello' },
      { uri: 'file:///y', blob: 'aGk=' },
    ];
    expect(parse({ contents })).toEqual(contents);
  });

  test.each([
    [{}, 'contents is undefined, not an array'],
    [{ contents: [[]] }, 'contents[0] is object, not an object'],
    [{ contents: [{ text: 'x' }] }, 'contents[0].uri is undefined'],
  ])('refuses %j', (result, message) => {
    expect(() => parse(result)).toThrow(new TypeError(message));
  });
});

describe('prompts/get', () => {
  const { parse, ...request } = getPromptRequest('greet', { name: 'Ada' });

  test('names the prompt and its arguments', () => {
    expect(request).toEqual({ method: 'prompts/get', params: { name: 'greet', arguments: { name: 'Ada' } } });
  });

  test('reads the messages', () => {
    const messages = [
      { role: 'user', content: { type: 'text', text: 'hi' } },
      { role: 'assistant', content: { type: 'image', data: 'aGk=', mimeType: 'image/png' } },
    ];
    expect(parse({ description: 'Greets', messages })).toEqual({ description: 'Greets', messages });
    expect(parse({ description: 7, messages: [] })).toEqual({ messages: [] });
  });

  test.each([
    [{}, 'messages is undefined, not an array'],
    [{ messages: ['hi'] }, 'messages[0] is string, not an object'],
    [{ messages: [{ role: 'system', content: { type: 'text', text: 'x' } }] }, 'messages[0].role is "system"'],
    [{ messages: [{ role: 'user', content: [] }] }, 'content[0] is object, not an object'],
  ])('refuses %j', (result, message) => {
    expect(() => parse(result)).toThrow(new TypeError(message));
  });
});
