import { describe, expect, test } from 'vitest';
import { guardedFetch } from './guarded-fetch.ts';
import { UnsafeLoginError } from './oauth-provider.ts';

const REMOTE = 'https://mcp.example/mcp';
const LOCAL = 'http://127.0.0.1:8000/mcp';

describe('guardedFetch', () => {
  test.each([
    [REMOTE, 'https://mcp.example/.well-known/x'],
    [REMOTE, 'https://8.8.8.8/x'],
    [REMOTE, 'https://[2001:4860:4860::8888]/x'],
    ['http://10.0.0.5/mcp', 'http://10.0.0.5/login'],
    [LOCAL, 'http://127.0.0.1:9000/login'],
    [LOCAL, 'http://localhost:9000/login'],
    [LOCAL, 'http://[::1]:9000/login'],
  ])('from %s visits %s', async (server, url) => {
    const { visited, fetch } = guarded(server);
    await fetch(url);
    expect(visited).toEqual([url]);
  });

  test.each([
    [REMOTE, 'http://mcp.example/x'],
    [REMOTE, 'http://8.8.8.8/x'],
    [REMOTE, 'https://127.0.0.1/x'],
    [REMOTE, 'https://localhost/x'],
    [REMOTE, 'https://10.1.2.3/x'],
    [REMOTE, 'https://172.16.0.1/x'],
    [REMOTE, 'https://172.31.255.255/x'],
    [REMOTE, 'https://192.168.1.1/x'],
    [REMOTE, 'https://169.254.169.254/latest/meta-data'],
    [REMOTE, 'https://100.64.0.1/x'],
    [REMOTE, 'https://198.18.0.1/x'],
    [REMOTE, 'https://0.0.0.0/x'],
    [REMOTE, 'https://255.255.255.255/x'],
    [REMOTE, 'https://224.0.0.1/x'],
    [REMOTE, 'https://2130706433/x'],
    [REMOTE, 'https://0x7f.1/x'],
    [REMOTE, 'https://[::1]/x'],
    [REMOTE, 'https://[::]/x'],
    [REMOTE, 'https://[fd00::1]/x'],
    [REMOTE, 'https://[fe80::1]/x'],
    [REMOTE, 'https://[::ffff:10.0.0.1]/x'],
    [REMOTE, 'https://[64:ff9b::a00:1]/x'],
    [REMOTE, 'file:///etc/passwd'],
    [LOCAL, 'http://10.0.0.1/x'],
    [LOCAL, 'https://192.168.0.1/x'],
  ])('from %s does not visit %s', async (server, url) => {
    const { visited, fetch } = guarded(server);
    await expect(fetch(url)).rejects.toBeInstanceOf(UnsafeLoginError);
    expect(visited).toEqual([]);
  });

  test.each(['https://172.15.0.1/x', 'https://172.32.0.1/x', 'https://100.128.0.1/x', 'https://11.0.0.1/x'])(
    'takes %s for the public address that it is',
    async (url) => {
      const { visited, fetch } = guarded(REMOTE);
      await fetch(url);
      expect(visited).toEqual([url]);
    },
  );
});

function guarded(server: string): { readonly visited: string[]; readonly fetch: (url: string) => Promise<Response> } {
  const visited: string[] = [];
  const inner = async (url: string | URL): Promise<Response> => {
    visited.push(String(url));
    return new Response();
  };
  return { visited, fetch: guardedFetch(inner, server) };
}
